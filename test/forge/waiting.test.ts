import { expect, test, vi } from 'vitest'
import { HANGS_AFTER_MS } from '../helpers/hangs.ts'
import { expectOutcome, expectResult } from './helpers/expect.ts'
import { cancel } from './helpers/session.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

test('a comment that is no command leaves the commands alone that work and wait', async () => {
  const { people, run, runs, prompts, jobsTakeLong, jobsEnd } = await openWorld([onCommands()])
  const issue = await people.owner.opensIssue()
  jobsTakeLong()
  const working = await runs.startedBy(() => people.writer.comments(issue, '/docs explain retries'))
  await vi.waitFor(() => expect(prompts()).toHaveLength(1), HANGS_AFTER_MS)
  const waiting = await runs.startedBy(() => people.owner.comments(issue, '/docs mention the limit'))
  const { conclusion } = await run(() => people.stranger.comments(issue, 'Thanks, both of you.'))
  expect(conclusion).toBe('skipped')

  expect(prompts()).toEqual([[expect.stringContaining('explain retries')]])
  jobsEnd()
  expectOutcome(await runs.ended(working.id), { outcome: 'pull-request', 'job-action': 'created' })
  expectOutcome(await runs.ended(waiting.id), { outcome: 'pull-request', 'job-action': 'continued' })
})

test('after a cancelled run, a re-run brings the job’s result', async () => {
  const { people, runs, repository, answersIn, prompts, jobsTakeLong, jobsEnd } = await openWorld([
    onCommands(),
  ])
  const issue = await people.owner.opensIssue()
  jobsTakeLong()
  const { id } = await runs.startedBy(() => people.writer.comments(issue, '/docs explain retries'))
  await vi.waitFor(async () => expect((await answersIn(issue))[0]?.body).toContain('job `j_'), HANGS_AFTER_MS)
  await cancel(repository, id)
  expect((await runs.ended(id)).conclusion).toBe('cancelled')

  jobsEnd()
  const outputs = expectOutcome(await runs.again(id), { outcome: 'pull-request', 'job-action': 'resumed' })
  expect(prompts()).toHaveLength(1)
  expectResult(await answersIn(issue), outputs['pr-link'])
})
