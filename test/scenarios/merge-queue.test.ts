import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import {
  CODE,
  codeWorld,
  happens,
  headOf,
  INPUTS,
  QUEUE_COMMIT,
  queued,
  saidOf,
} from '../helpers/code-world.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.6: a merge queue waits for the status of a commit that it made.

/** The workflow need not have a key here. */
const KEYLESS = { inputs: { ...INPUTS, 'api-key': '', 'project-id': '', prompt: '' } }
const NO_VERDICT = 'error: The docs of #30 have no verdict; wait for it, then queue again'

const status = (
  conclusion: NonNullable<Check['conclusion']>,
  summary: string,
  more: Partial<Check> = {},
): Check => ({
  ...{ name: 'docs', kind: 'status', conclusion, summary },
  ...more,
})
const shows = (emulator: World, ...checks: readonly Check[]) =>
  emulator.github.addChecks(headOf(emulator), checks)

async function queues(emulator: World, ...branch: readonly string[]): Promise<string[]> {
  const { log, outputs } = await emulator.act(queued(emulator, ...branch), KEYLESS)
  expect(outputs, log).toMatchObject({ outcome: 'skipped', reason: 'merge-group' })
  expect(emulator.calls('service')).toEqual([])
  return saidOf(emulator, QUEUE_COMMIT)
}

test('3.6 the commit of a merge queue gets the green of its pull request, without key, prompt or permission', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.clearRequests()
  expect(await queues(emulator)).toEqual(['success: octo/docs#77'])
  expect(emulator.calls().filter((call) => call.includes('/permission'))).toEqual([])
  expect(emulator.bodies(CODE)).toHaveLength(1)
})

test.each<[string, readonly Check[], string]>([
  ['no status', [], NO_VERDICT],
  ['the agent at work', [status('success', 'Works', { takesMs: Number.POSITIVE_INFINITY })], NO_VERDICT],
  ['the green of another status', [status('success', 'Passed', { name: 'docs-links' })], NO_VERDICT],
  [
    'green, then red',
    [status('success', 'Ready'), status('failure', 'Failed')],
    'error: The docs of #30 have a red verdict; do what it says, then queue again',
  ],
  [
    'an error',
    [status('error', 'No credits')],
    'error: The docs of #30 have a red verdict; do what it says, then queue again',
  ],
  ['red, then green', [status('failure', 'Failed'), status('success', 'Ready')], 'success: Ready'],
  ['the green of an administrator', [status('success', 'By hand', { creator: 'bob' })], 'success: By hand'],
])('3.6 a pull request with %s in a merge queue', async (_, checks, said) => {
  const emulator = codeWorld()
  shows(emulator, ...checks)
  expect(await queues(emulator)).toEqual([said])
})

const SHA = 'a'.repeat(40)
test.each([
  ['a base with slashes', `gh-readonly-queue/release/1.x/next/pr-30-${SHA}`, 'success: Ready'],
  ['a base that looks like a queue', `gh-readonly-queue/main/pr-31-${SHA}/pr-30-${SHA}`, 'success: Ready'],
  ['commits by SHA-256', `gh-readonly-queue/main/pr-30-${'a'.repeat(64)}`, 'success: Ready'],
  [
    'a pull request that is gone',
    `gh-readonly-queue/main/pr-999-${SHA}`,
    'error: The docs of #999 cannot be read; look at the run, then queue again',
  ],
  [
    'a branch of another kind',
    'main',
    'error: The pull request of this merge queue is not known: set the status by hand',
  ],
])('3.6 a merge queue with %s', async (_, branch, said) => {
  const emulator = codeWorld()
  shows(emulator, status('success', 'Ready'))
  expect(await queues(emulator, branch)).toEqual([said])
})

test('3.6 a merge group that is destroyed is no request, nor is one without a commit status', async () => {
  const emulator = codeWorld()
  shows(emulator, status('success', 'Ready'))
  expect(await queues(emulator, `gh-readonly-queue/main/pr-30-${SHA}`, 'destroyed')).toEqual([])
  for (const inputs of [{ 'commit-status': '' }, { 'dry-run': 'true' }])
    expectOutcome(
      await emulator.act(queued(emulator), { inputs: { ...KEYLESS.inputs, ...inputs } }),
      'skipped',
      'merge-group',
    )
  expect(saidOf(emulator, QUEUE_COMMIT)).toEqual([])
  expect(emulator.calls()).toEqual([])
})

test.each([
  ['refuses to show the statuses', 403, 'skipped', 'merge-group'],
  ['does not answer', 502, 'error', 'github-unavailable'],
])(
  'H5 3.6 where GitHub %s, the commit of the queue is red, and says so',
  async (_, code, outcome, reason) => {
    const emulator = codeWorld()
    const match = { method: 'GET', path: /\/status$/ }
    const away = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: code } })
    expectOutcome(await emulator.act(queued(emulator), KEYLESS), outcome, reason)
    const said = 'error: The docs of #30 cannot be read; look at the run, then queue again'
    expect(saidOf(emulator, QUEUE_COMMIT)).toEqual([said])
    away.remove()
    shows(emulator, status('success', 'Ready'))
    expect(await queues(emulator)).toEqual([said, 'success: Ready'])
  },
)

test('5.6 a token that may set no status is one warning with the line to add', async () => {
  const emulator = codeWorld({ permissions: { statuses: 'read', pull_requests: 'read' } })
  const { annotations, outputs } = await emulator.act(queued(emulator), KEYLESS)
  expect(outputs.reason).toBe('merge-group')
  expect(annotations.map(({ message }) => message)).toEqual([expect.stringContaining('statuses: write')])
})

test.each([403, 404, 422, 502])(
  'H7 5.6 where GitHub answers the status with %i, the run does not say that the commit has it',
  async (code) => {
    const emulator = codeWorld()
    shows(emulator, status('success', 'Ready'))
    const match = { method: 'POST', path: /\/statuses\// }
    const fault = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: code } })
    const result = await emulator.act(queued(emulator), KEYLESS)
    fault.remove()
    expectOutcome(result, 'skipped', 'merge-group')
    expect(saidOf(emulator, QUEUE_COMMIT)).toEqual([])
    expect(result.summary).toContain('The status of its commit could not be set.')
    expect(result.summary).not.toContain('Its commit has the status')
  },
)
