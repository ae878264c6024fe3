import { expect, test } from 'vitest'
import { expectOutcome, expectResult } from './helpers/expect.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

// Gitea lists fifty at most at a time, the oldest first.
const OTHERS = 60

test('a run starts the job and ends; a sweep finds it among many comments, and reports it once', async () => {
  const { people, run, answersIn, jobsTakeLong, jobsEnd } = await openWorld([
    onCommands({ wait: 'false' }),
    { on: 'workflow_dispatch', steps: [{ action: 'collect' }] },
  ])
  const issue = await people.owner.opensIssue()
  const quiet = await people.owner.opensIssue('Quiet')
  for (let count = 1; count <= OTHERS; count++) await people.stranger.comments(quiet, `Comment ${count}.`)
  jobsTakeLong()
  const { cause, ...started } = await run(() => people.writer.comments(issue, '/docs explain retries'))
  const { 'job-id': job = '' } = expectOutcome(started, { outcome: 'started', 'job-action': 'created' })
  expect(await people.owner.reactionsTo(cause)).toEqual(['eyes'])

  const sweep = async () => {
    const { outputs, log } = await run(() => people.owner.dispatches('docs-1.yml'), 'workflow_dispatch')
    expect(outputs, log).toHaveLength(1)
    return outputs[0]
  }
  expect(await sweep()).toMatchObject({ finished: '0', active: '1', failed: '0' })
  jobsEnd()
  const { result = '', ...counts } = (await sweep()) ?? {}
  expect(counts).toEqual({ finished: '1', active: '0', failed: '0' })
  const [report] = JSON.parse(result)
  expect(report).toMatchObject({ 'job-id': job, thread: issue, outcome: 'pull-request' })
  expectResult(await answersIn(issue), report['pr-link'])
  expect(await people.owner.reactionsTo(cause)).toEqual(['rocket'])
  expect(await sweep()).toMatchObject({ finished: '0', active: '0', failed: '0' })
})
