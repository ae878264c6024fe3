import { expect, test } from 'vitest'
import { expectOutcome, expectResult } from './helpers/expect.ts'
import { cancel } from './helpers/session.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

test('a comment that is no command leaves the commands alone that work and wait', async () => {
  const { people, run, runs, prompts, jobsTakeLong, jobsEnd } = await openWorld([onCommands()])
  const issue = await people.owner.opensIssue()
  jobsTakeLong()
  const working = await runs.startedBy(() => people.writer.comments(issue, '/docs explain retries'))
  await runs.meanwhile(working.id, () => prompts().length === 1)
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
  await runs.meanwhile(id, async () => (await answersIn(issue))[0]?.body.includes('job `j_'))
  await cancel(repository, id)
  expect((await runs.ended(id)).conclusion).toBe('cancelled')

  jobsEnd()
  const outputs = expectOutcome(await runs.again(id), { outcome: 'pull-request', 'job-action': 'resumed' })
  expect(prompts()).toHaveLength(1)
  expectResult(await answersIn(issue), outputs['pr-link'])
})
