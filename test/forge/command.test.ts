import { expect, test } from 'vitest'
import { expectOutcome, expectResult } from './helpers/expect.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

test('a command starts a job, and its pull request comes back', async () => {
  const { people, run, answersIn, prompts } = await openWorld([onCommands()])
  const issue = await people.stranger.opensIssue(
    'Explain retries',
    'Nobody <!-- but me --> explains **them**.',
  )
  const ended = await run(() => people.writer.comments(issue, '/docs explain the retries'))
  const outputs = expectOutcome(ended, { outcome: 'pull-request', 'job-action': 'created' })

  const [pull, ...others] = await people.owner.openPullRequests()
  expect([pull?.user.login, others]).toEqual(['docs-bot', []])
  expect(outputs['pr-link']).toBe(pull?.html_url)
  const answers = await answersIn(issue)
  expectResult(answers, pull?.html_url)
  expect(answers[0]?.body).toContain('@alice')
  expect(await people.owner.reactionsTo(ended.cause)).toEqual(['rocket'])
  expect(await answersIn(pull?.number ?? 0)).toMatchObject([{ body: expect.stringContaining(`#${issue}`) }])

  const [[prompt = ''] = []] = prompts()
  expect(prompt).toContain('explain the retries')
  expect(prompt).toContain('Explain retries')
  expect(prompt).toMatch(/Nobody\s+explains/)
  expect(prompt).not.toContain('but me')
})

test('while the job works, a comment says so, which `comment: update` edits', async () => {
  const { people, runs, repository, answersIn, jobsTakeLong, jobsEnd } = await openWorld([
    onCommands({ comment: 'update' }),
  ])
  const issue = await people.owner.opensIssue()
  jobsTakeLong()
  const command = () => people.writer.comments(issue, '/docs explain retries')
  const { id, cause } = await runs.startedBy(command)
  const status = await runs.meanwhile(id, async () => {
    const [comment] = await answersIn(issue)
    return comment?.body.includes('job `j_') === true && comment
  })
  expect(status.body).toContain(`/${repository}/actions/runs/${id}`)
  expect(await people.owner.reactionsTo(cause)).toEqual(['eyes'])
  jobsEnd()
  const outputs = expectOutcome(await runs.ended(id), { outcome: 'pull-request' })
  const answers = await answersIn(issue)
  expectResult(answers, outputs['pr-link'])
  expect(answers[0]?.id).toBe(status.id)
  expect(await people.owner.reactionsTo(cause)).toEqual(['rocket'])
})

test('follow-ups on the issue and on the agent’s pull request continue the job', async () => {
  const { people, run, answersIn, prompts } = await openWorld([onCommands()])
  const issue = await people.owner.opensIssue()
  const first = await run(() => people.writer.comments(issue, '/docs explain retries'))
  const { 'job-id': job = '', 'pr-link': link } = expectOutcome(first, { outcome: 'pull-request' })
  const [pull] = await people.owner.openPullRequests()

  const continued = {
    outcome: 'pull-request',
    'job-action': 'continued',
    'job-id': job,
    'pr-link': link ?? '',
  }
  const second = await run(() => people.writer.comments(issue, '/docs mention the limit'))
  expectOutcome(second, continued)
  const third = await run(() => people.owner.comments(pull?.number ?? 0, '/docs and the default'))
  expectOutcome(third, continued)

  expect(prompts()).toEqual([
    [
      expect.stringContaining('explain retries'),
      expect.stringContaining('mention the limit'),
      expect.stringContaining('and the default'),
    ],
  ])
  const [, answer] = await answersIn(pull?.number ?? 0)
  expect(answer?.body).toContain('@octo')
})
