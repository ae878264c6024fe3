import { expect, test } from 'vitest'
import type { CommitStatus } from '../../emulator/github/checks.ts'
import type { ActionRun, RunResult } from '../../emulator/runner.ts'
import { CODE, codeWorld, headOf, pulled, saidOf, WRITES } from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { BOT, CREATE, expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 4.13: one verdict on the head of the code's pull request, that branch protection can require.

const STATUS = { method: 'POST', path: /\/statuses\/[\da-f]{40}$/ } as const
const INPUTS = { 'commit-status': 'docs' }
const RUN = 'https://github.com/octo/app/actions/runs/9000001'
const DOCS_PULL = 'https://github.com/octo/docs/pull/77'

const ask = (emulator: World, body = '/docs explain', { inputs, ...more }: Partial<ActionRun> = {}) =>
  emulator.ask(body, { on: CODE, ...more, inputs: { ...INPUTS, ...inputs } })

function expectStatuses(emulator: World, ...expected: readonly Partial<CommitStatus>[]) {
  const statuses = emulator.github.statuses(headOf(emulator))
  expect(statuses).toMatchObject(expected)
  expect(statuses.map(({ context }) => context)).toEqual(expected.map(() => 'docs'))
}

const PENDING = { state: 'pending', description: 'The docs agent is working', targetUrl: RUN, creator: BOT }

test('4.13 a command on a pull request: its head is pending, and gets the docs’ pull request at the end', {
  tags: 'bundle',
}, async () => {
  const emulator = codeWorld()
  let meanwhile: readonly CommitStatus[] = []
  const look = () => {
    meanwhile = emulator.github.statuses(headOf(emulator))
  }
  emulator.faults.add({ match: READ, fault: { kind: 'call', when: 'before', call: look } })
  expectOutcome(await ask(emulator), 'pull-request')
  expect(meanwhile).toMatchObject([PENDING])
  expectStatuses(emulator, PENDING, { state: 'success', description: 'octo/docs#77', targetUrl: DOCS_PULL })
})

test('2.3 4.13 a link that holds the token shows it neither in words nor as the target', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ pr: 'https://gitlab.example.com/test-token/docs/-/merge_requests/3' })
  expectOutcome(await ask(emulator), 'pull-request')
  const last = emulator.github.statuses(headOf(emulator)).at(-1)
  expect(last).toMatchObject({ state: 'success', description: expect.stringContaining('***') })
  expect(JSON.stringify(last)).not.toContain('test-token')
})

test('4.13 a re-run of an earlier request changes nothing of what a later one decided', async () => {
  const emulator = codeWorld()
  emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
  const { said } = await ask(emulator)
  await emulator.pass(1000)
  const { said: _, ...later } = await ask(emulator, '/docs more')
  expectOutcome(later, 'pull-request')
  const decided = saidOf(emulator)
  expect(decided.at(-1)).toBe('success: octo/docs#77')
  expectOutcome(await emulator.act(said, { attempt: 2, inputs: INPUTS }), 'pull-request')
  expect(saidOf(emulator)).toEqual(decided)
})

/** Each does what a run left. */
const OTHERS: [string, (emulator: World, event: ActionRun['event']) => Promise<unknown>][] = [
  ['a re-run', (emulator, event) => emulator.act(event, { attempt: 2, inputs: INPUTS })],
  ['a sweep', (emulator) => emulator.collect()],
]

test.each(OTHERS)('4.13 8.3 it stays pending while the job works, until %s ends it', async (_, comes) => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 1 })
  const { said, ...result } = await ask(emulator, '/docs explain', { inputs: { wait: 'false' } })
  expectOutcome(result, 'started')
  await emulator.collect()
  expectStatuses(emulator, PENDING)
  await comes(emulator, said)
  await emulator.collect()
  expectStatuses(emulator, PENDING, { state: 'success', targetUrl: DOCS_PULL })
})

test.each<[string, NodeJS.Signals]>([
  ['cancelled', 'SIGINT'],
  ['killed', 'SIGKILL'],
])(
  '4.13 a run that is %s while the job works leaves it pending; a sweep ends it',
  { tags: 'bundle' },
  async (_, signal) => {
    const emulator = codeWorld()
    emulator.service.script.push({ reads: 2 })
    const run = emulator.given(emulator.say('/docs explain', { on: CODE }), { inputs: INPUTS })
    await emulator.interrupted(run, READ, { signal })
    expectStatuses(emulator, PENDING)
    await emulator.collect()
    await emulator.collect()
    expectStatuses(emulator, PENDING, { state: 'success' })
  },
)

test('4.13 a run that is cancelled before its request went out takes back that it works', async () => {
  const emulator = codeWorld()
  emulator.faults.add({ match: CREATE, fault: { kind: 'refuse' } })
  const run = emulator.given(emulator.say('/docs explain', { on: CODE }), { inputs: INPUTS })
  const result = await emulator.interrupted(run, CREATE, { signal: 'SIGINT', fault: { kind: 'refuse' } })
  expectOutcome(result, 'cancelled')
  expectStatuses(emulator, PENDING, {
    state: 'error',
    description: expect.stringContaining(', or /docs skip'),
  })
})

test.each<[string, boolean]>([
  ['with its post step', true],
  ['without it', false],
])(
  '4.13 killed while the request may be under way, %s: the status says that it is not known',
  async (_, post) => {
    const emulator = codeWorld()
    const run = emulator.given(emulator.say('/docs explain', { on: CODE }), { inputs: INPUTS, post })
    await emulator.interrupted(run, CREATE, { when: 'after' })
    await emulator.pass(60 * 60_000)
    await emulator.collect()
    const description = expect.stringContaining('It is not known whether the docs agent got the request')
    expectStatuses(emulator, PENDING, { state: 'error', description })
  },
)

test.each<[string, (emulator: World) => Promise<RunResult>]>([
  ['on an issue', (emulator) => emulator.ask('/docs explain', { inputs: INPUTS })],
  ['of a push', (emulator) => pushTo(emulator, emulator.merge().sha, {}, { inputs: INPUTS })],
  ['in a dry run', (emulator) => ask(emulator, '/docs explain', { inputs: { 'dry-run': 'true' } })],
  [
    'by someone without the permission',
    (emulator) => emulator.ask('/docs explain', { on: CODE, by: 'mallory', inputs: INPUTS }),
  ],
  [
    'on the job’s own pull request',
    async (emulator) => {
      await emulator.ask('/docs explain')
      return await emulator.ask('/docs more', { on: 77, inputs: INPUTS })
    },
  ],
  [
    'on `pull_request` of another bot',
    async (emulator) => {
      emulator.github.addPullRequest({ number: 31, user: 'renovate[bot]' })
      const inputs = { ...INPUTS, prompt: 'Document this.' }
      const result = await emulator.act(pulled(emulator, 'opened', 'alice', 31), { inputs })
      expectOutcome(result, 'skipped', 'agent-pull-request')
      return result
    },
  ],
  [
    'on one that is closed',
    (emulator) => {
      emulator.github.closePullRequest(CODE)
      return ask(emulator)
    },
  ],
])('4.13 a run %s sets none', async (_, act) => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  const { annotations } = await act(emulator)
  expect(annotations).toEqual([])
  expect(emulator.calls('github').filter((call) => call.includes('/statuses/'))).toEqual([])
})

test.each([
  ['a token without `statuses: write`', 'read', 0, 'statuses: write'],
  ['a head that is gone', 'write', Infinity, ''],
] as const)('4.13 %s is one warning, and changes nothing of the run', async (_, statuses, times, says) => {
  const emulator = codeWorld({ permissions: { ...WRITES, statuses } })
  if (times > 0) emulator.faults.add({ match: STATUS, times, fault: { kind: 'status', status: 422 } })
  const { said: _said, ...result } = await ask(emulator)
  expectOutcome(result, 'pull-request')
  const warnings = result.annotations.filter(({ level }) => level === 'warning')
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining(says)])
})

test('4.13 a skip while the pull request of the docs is open says where it is', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  await ask(emulator)
  const sha = headOf(emulator)
  emulator.github.push(CODE)
  expectOutcome(
    await ask(emulator, '/docs more', { inputs: { conversation: 'skip' } }),
    'skipped',
    'pull-request-open',
  )
  expect(headOf(emulator)).not.toBe(sha)
  expect(saidOf(emulator)).toEqual(['success: octo/app#77'])
})

test('4.13 2.3 a description is one line of 140 characters without secrets', async () => {
  const emulator = codeWorld()
  const name = `${'a'.repeat(120)}test-key`
  emulator.service.script.push({ pr: `https://git.example.com/${name}/docs/pull/7` })
  await ask(emulator)
  const [, last] = emulator.github.statuses(headOf(emulator))
  expect(last?.state).toBe('success')
  expect(last?.description).toMatch(/^git\.example\.com\/a+\*{0,3}…$/)
  expect([...(last?.description ?? '')]).toHaveLength(140)
  expect(last?.targetUrl).not.toContain('test-token')
})

test('H5 4.13 a status whose request hangs is not set again over what a later command decided meanwhile', async () => {
  const emulator = codeWorld()
  let later: Promise<unknown> | undefined
  const askLater = async () => {
    await emulator.pass(2000)
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
    await ask(emulator, '/docs new more', { runId: 7 })
  }
  const call = () => {
    later = askLater()
  }
  emulator.faults.add({ match: STATUS, skip: 1, fault: { kind: 'call', when: 'before', call } })
  emulator.faults.add({ match: STATUS, skip: 1, fault: { kind: 'stall' } })
  await ask(emulator, '/docs explain', { runId: 1 })
  await later
  expect(saidOf(emulator).at(-1)).toMatch(/^error: No credits are left/)
})
