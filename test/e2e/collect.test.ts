import { expect, test } from 'vitest'
import { commented, opened, scheduled, statusSet } from './helpers/events.ts'
import type { WorkflowRun } from './helpers/log.ts'
import {
  commentsIn,
  expectNothing,
  expectOutcome,
  ISSUE,
  mainsOf,
  openSandbox,
  reactionsTo,
  type Sandbox,
  withInputs,
} from './helpers/sandbox.ts'

const EXAMPLE = 'collect.yml'
const HOURLY = scheduled('17 6-18 * * 1-5')

/** Starts a job that answers so many reads before it ends. */
async function start(sandbox: Sandbox, reads: number) {
  sandbox.emulator.service.script.push({ reads })
  const { event, id } = commented(sandbox, '/docs explain retries')
  const { outputs } = expectOutcome(
    await sandbox.run('comment-command.yml', event, { edit: withInputs('wait: false') }),
    'started',
  )
  expect(reactionsTo(sandbox, id)).toEqual(['eyes'])
  return { id, jobId: outputs['job-id'] }
}

/** The outputs of the sweep, which is the only step of its run. */
function sweepOf(run: WorkflowRun): Readonly<Record<string, string>> {
  const [step, ...others] = mainsOf(run)
  expect([step?.step, others, run.exitCode]).toEqual(['OWNER/docs-agent/collect@v1', [], 0])
  expect(step?.annotations).toEqual([])
  return step?.outputs ?? {}
}

function expectReported(
  sandbox: Sandbox,
  { id, jobId }: Awaited<ReturnType<typeof start>>,
  run: WorkflowRun,
) {
  const { result = '', ...counts } = sweepOf(run)
  expect(counts).toEqual({ finished: '1', active: '0', failed: '0' })
  expect(JSON.parse(result)).toMatchObject([{ 'job-id': jobId, thread: ISSUE, outcome: 'pull-request' }])
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77.* for @alice/)])
  expect(reactionsTo(sandbox, id)).toEqual(['rocket'])
}

test('a run starts the job and ends; an hourly sweep reports it once it has ended', async () => {
  const sandbox = await openSandbox()
  const started = await start(sandbox, 1)
  const run = () => sandbox.run(EXAMPLE, HOURLY)
  expect(sweepOf(await run())).toMatchObject({ finished: '0', active: '1', failed: '0' })
  expectReported(sandbox, started, await run())
  expect(sweepOf(await run())).toMatchObject({ finished: '0', active: '0', failed: '0' })
})

test('the agent’s pull request wakes a sweep, which waits for the end of its job', async () => {
  const sandbox = await openSandbox()
  const started = await start(sandbox, 1)
  const run = await sandbox.run(EXAMPLE, opened(77, 'mintlify[bot]'))
  expectReported(sandbox, started, run)
  expect(mainsOf(run)[0]?.log).toContain('https://github.com/octo/app/pull/77')
  expect(sweepOf(await sandbox.run(EXAMPLE, HOURLY))).toMatchObject({ finished: '0', active: '0' })
})

test('a status of other CI on the agent’s pull request wakes a sweep, which reads all checks', async () => {
  const sandbox = await openSandbox()
  const { github } = sandbox.emulator
  github.checks.everyHead = [{ name: 'ci/build', kind: 'status', takesMs: Number.POSITIVE_INFINITY }]
  const edit = withInputs('wait: false')
  await sandbox.run('comment-command.yml', commented(sandbox, '/docs explain retries').event, { edit })
  await sandbox.run(EXAMPLE, opened(77, 'mintlify[bot]'))
  expect(commentsIn(sandbox)).toEqual([expect.stringContaining('at the next sweep')])
  github.addChecks(github.pull(77).head.sha, [{ name: 'ci/build', kind: 'status' }])
  sweepOf(await sandbox.run(EXAMPLE, statusSet(sandbox, 77)))
  expect(commentsIn(sandbox)).toEqual([expect.stringContaining('Its check passes')])
})

test.each([
  ['that is still pending', { state: 'pending' }],
  ['on a commit of a person', { commit: { author: { login: 'carol', type: 'User' } } }],
])('a status %s wakes no sweep', async (_, over) => {
  const sandbox = await openSandbox()
  sandbox.emulator.github.addPullRequest({ number: 30, user: 'mintlify[bot]' })
  expectNothing(sandbox, await sandbox.run(EXAMPLE, statusSet(sandbox, 30, over)))
})

test.each([
  ['a person', opened(30, 'carol')],
  ['Dependabot', opened(30, 'dependabot[bot]')],
  ['a bot from a fork', opened(30, 'mintlify[bot]', 'mallory/app')],
])('a pull request of %s wakes no sweep', async (_, event) => {
  const sandbox = await openSandbox()
  expectNothing(sandbox, await sandbox.run(EXAMPLE, event))
})
