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

test('outputs of `visitors` and the file of `insights` go into a prompt', async () => {
  const prompt = `Look at these pages:\n\${{ steps.step0.outputs.top-paths }}`
  const { people, run, emulator, prompts } = await openWorld([
    onDispatch(
      { action: 'visitors', with: { period: '7d', 'page-size': '10', top: '5' } },
      { action: 'insights', with: { file: 'insights.md' } },
      { with: { prompt, 'reference-file': 'insights.md', 'poll-interval-seconds': '1' } },
    ),
  ])
  const { conclusion, outputs, log } = await run(() => people.owner.dispatches(), 'workflow_dispatch')
  expect(conclusion, log).toBe('success')
  const { rows } = emulator.service.site
  expect(outputs).toMatchObject([
    { rows: String(rows), requests: String(Math.ceil(rows / 10)), complete: 'true' },
    { complete: 'true', file: 'insights.md' },
    { outcome: 'pull-request' },
  ])
  const named = [outputs[0]?.['top-paths'] ?? '', outputs[1]?.pages ?? ''].map((pages) => pages.split('\n'))
  for (const pages of named) {
    expect(pages[0]).not.toBe('')
    for (const page of pages) expect(prompts()[0]?.[0]).toContain(page)
  }
})
