import { expect, test } from 'vitest'
import { expectOutcome } from './helpers/expect.ts'
import type { Step, Workflow } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

const onDispatch = (...steps: Step[]): Workflow => ({ on: 'workflow_dispatch', steps })

test('`issue-title`: both refreshes report to one issue', async () => {
  const title = 'Docs refresh'
  const inputs = { prompt: 'Refresh the docs.', 'issue-title': title, 'poll-interval-seconds': '1' }
  const { people, run, answersIn, prompts } = await openWorld([onDispatch({ with: inputs })])
  await people.stranger.opensIssue(title)
  const refresh = () => run(() => people.owner.dispatches(), 'workflow_dispatch')

  const first = expectOutcome(await refresh(), { outcome: 'pull-request', 'job-action': 'created' })
  const issue = (await people.owner.openIssues()).find(({ user }) => user.login === 'gitea-actions')
  expect(issue?.title).toBe(title)
  const number = issue?.number ?? 0
  expect(first['issue-number']).toBe(String(number))
  expect(issue?.body).toContain(first['pr-link'])

  const thread = { 'issue-number': String(number), 'job-id': first['job-id'] ?? '' }
  expectOutcome(await refresh(), { outcome: 'pull-request', 'job-action': 'continued', ...thread })
  expect(await people.owner.openIssues()).toHaveLength(2)
  expect(await answersIn(number)).toHaveLength(2)
  expect(prompts()).toHaveLength(1)
})

test('`visitors` writes its file, and its output goes into a prompt', async () => {
  const prompt = `Look at these pages:\n\${{ steps.step0.outputs.top-paths }}`
  const { people, run, emulator, prompts } = await openWorld([
    onDispatch(
      { action: 'visitors', with: { period: '7d', 'page-size': '10', top: '5' } },
      { with: { prompt, 'poll-interval-seconds': '1' } },
    ),
  ])
  const { conclusion, outputs, log } = await run(() => people.owner.dispatches(), 'workflow_dispatch')
  const rows = emulator.service.site.rows
  expect(conclusion, log).toBe('success')
  expect(outputs).toMatchObject([
    { rows: String(rows), requests: String(Math.ceil(rows / 10)), complete: 'true' },
    { outcome: 'pull-request' },
  ])
  const paths = outputs[0]?.['top-paths']?.split('\n') ?? []
  expect(paths.length).toBeGreaterThan(1)
  for (const path of paths) expect(prompts()[0]?.[0]).toContain(path)
})

test('`insights` writes what readers miss, and a job gets it as reference', async () => {
  const { people, run, prompts } = await openWorld([
    onDispatch(
      { action: 'insights', with: { file: 'insights.md' } },
      {
        with: {
          prompt: 'Look into what readers miss.',
          'reference-file': 'insights.md',
          'poll-interval-seconds': '1',
        },
      },
    ),
  ])
  const { conclusion, outputs, log } = await run(() => people.owner.dispatches(), 'workflow_dispatch')
  expect(conclusion, log).toBe('success')
  expect(outputs).toMatchObject([{ complete: 'true', file: 'insights.md' }, { outcome: 'pull-request' }])
  expect(Number(outputs[0]?.findings)).toBeGreaterThan(0)
  const pages = outputs[0]?.pages?.split('\n') ?? []
  expect(pages.length).toBeGreaterThan(0)
  for (const page of pages) expect(prompts()[0]?.[0]).toContain(page)
})
