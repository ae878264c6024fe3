import { describe, expect, test } from 'vitest'
import type { ActionRun } from '../../emulator/runner.ts'
import { CODE, codeWorld, file, happens, INPUTS, pulled } from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.8: with both workflows, nothing is asked, or paid, twice.

const OTHER = [file('src/retry.ts', 'another')]
const STATUS = { 'commit-status': 'docs' }

/** The push of a merge, as merged-pull-requests.yml gets it. */
async function merges(
  emulator: World,
  others: readonly number[] = [],
  more: Partial<ActionRun> = {},
  branch = 'main',
) {
  const { github } = emulator
  for (const number of [...others, CODE]) github.closePullRequest(number, { merged: true })
  const shaOf = (number: number) => github.pull(number).mergeCommitSha ?? ''
  const run = { workflow: 'Merged', runId: 5000, ...more }
  return await pushTo(emulator, shaOf(CODE), { branch, commits: others.map(shaOf) }, run)
}

const DECIDED: [string, (emulator: World) => Promise<unknown>, string][] = [
  ['the agent has the changes', (emulator) => happens(emulator, 'labeled'), 'no-changes'],
  [
    'the agent works on the changes',
    (emulator) => {
      emulator.service.script.push({ reads: 9 })
      return happens(emulator, 'labeled', { inputs: { wait: 'false' } })
    },
    'no-changes',
  ],
  [
    'a command decided its head',
    (emulator) => emulator.ask('/docs explain', { on: CODE, inputs: STATUS }),
    'no-changes',
  ],
  ['somebody skipped it', (emulator) => emulator.ask('/docs skip', { on: CODE }), 'no-changes'],
  [
    'the agent has other changes',
    async (emulator) => {
      await happens(emulator, 'labeled')
      emulator.github.push(CODE, { files: OTHER })
    },
    '',
  ],
  [
    'its job failed',
    (emulator) => {
      emulator.service.script.push({ ending: 'failed' })
      return happens(emulator, 'labeled')
    },
    '',
  ],
  [
    'a command decided its head, and its job has failed since',
    async (emulator) => {
      emulator.service.script.push({ durationMs: 60_000, ending: 'failed' })
      await emulator.ask('/docs explain', { on: CODE, inputs: { ...STATUS, wait: 'false' } })
      await emulator.pass(120_000)
    },
    '',
  ],
  ['a command asked without a status', (emulator) => emulator.ask('/docs explain', { on: CODE }), ''],
  [
    'a skip was taken back',
    async (emulator) => {
      await emulator.ask('/docs skip', { on: CODE })
      await emulator.ask('/docs explain', { on: CODE })
    },
    '',
  ],
]

test.each(DECIDED)('3.8 a push merges a pull request: %s', async (_, comes, reason) => {
  const emulator = codeWorld()
  await comes(emulator)
  const asked = emulator.prompts().length
  const result = await merges(emulator)
  if (reason === '') expectOutcome(result, 'pull-request')
  else expectOutcome(result, 'skipped', reason)
  expect(emulator.prompts().length - asked).toBe(reason === '' ? 1 : 0)
})

async function failedSince() {
  const emulator = codeWorld()
  emulator.service.script.push({ durationMs: 60_000, ending: 'failed' })
  await emulator.ask('/docs explain', { on: CODE, inputs: { ...STATUS, wait: 'false' } })
  await emulator.pass(120_000)
  return emulator
}

const UNSEEN = { ...INPUTS, wait: 'false' }

/** The job of each fails, and no run is there to report it. */
async function failsUnseen(emulator: World, numbers: readonly number[]) {
  for (const number of numbers) {
    emulator.service.script.push({ durationMs: 60_000, ending: 'failed' })
    await emulator.act(pulled(emulator, 'opened', 'alice', number), { runId: 60 + number, inputs: UNSEEN })
  }
  await emulator.pass(3_600_000)
}

test('3.13 H2 the job failed, and nobody has reported it: `closed` does, with what to do', async () => {
  const emulator = codeWorld()
  await failsUnseen(emulator, [CODE])
  emulator.github.closePullRequest(CODE, { merged: true })
  expectOutcome(await happens(emulator, 'closed', { inputs: { wait: 'false' } }), 'failed')
  expect(emulator.lastWords(CODE)).toContain('The docs agent failed')
})

test('3.8 3.13 H2 the same of two merges: the push leaves them to `closed`, and each of those reports it', async () => {
  const emulator = codeWorld()
  const files = [file('src/limit.ts', 'limits')]
  emulator.github.addPullRequest({ number: 31, title: 'Add limits', user: 'alice', files })
  await failsUnseen(emulator, [CODE, 31])
  expectOutcome(await merges(emulator, [31]), 'skipped', 'no-changes')
  for (const number of [CODE, 31]) {
    const closed = pulled(emulator, 'closed', 'alice', number)
    expectOutcome(await emulator.act(closed, { runId: 160 + number, inputs: UNSEEN }), 'failed')
    expect(emulator.lastWords(number)).toContain('The docs agent failed')
  }
})

test('3.8 the job that a command asked is gone, and nobody has reported it: the push asks', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ durationMs: 60_000 })
  const { outputs } = await emulator.ask('/docs explain', { on: CODE, inputs: UNSEEN })
  await emulator.pass(3_600_000)
  emulator.service.forget(outputs['job-id'] ?? '')
  expectOutcome(await merges(emulator), 'pull-request')
})

test.each([50_000, 90_000, 120_000])(
  '3.8 4.4 Mintlify is away for %i ms while a push reads a failed job: it asks',
  async (ms) => {
    const emulator = await failedSince()
    const fault = { kind: 'status', status: 503 } as const
    const away = emulator.faults.add({ match: { host: 'service', method: 'GET' }, times: Infinity, fault })
    const running = merges(emulator)
    await emulator.pass(ms)
    away.remove()
    expectOutcome(await running, 'pull-request')
  },
)

test('3.8 H7 beside a merge of a bot and one outside of `paths`, it speaks of those that count', async () => {
  const emulator = codeWorld()
  const inputs = { paths: 'src/**' }
  emulator.github.addPullRequest({ number: 31, user: 'renovate[bot]', files: [file('src/x.ts', 'x')] })
  emulator.github.addPullRequest({ number: 32, user: 'alice', files: [file('test/y.ts', 'y')] })
  await happens(emulator, 'labeled', { inputs })
  const { log } = await merges(emulator, [31, 32], { inputs })
  expect(log).toContain('Of the pull requests that the push merged, each that counts has decided')
})

describe('3.8 H7 whether a merge is decided is read, or not known', () => {
  const JOB = { host: 'service', method: 'GET' } as const

  test.each([
    ['HTTP 500', { kind: 'status', status: 500 }],
    ['no answer', { kind: 'reset' }],
    ['a body that breaks', { kind: 'resetMidBody' }],
  ] as const)('the read of a failed job breaks once (%s): its changes are asked about', async (_, fault) => {
    const emulator = await failedSince()
    emulator.faults.add({ match: JOB, fault })
    expectOutcome(await merges(emulator), 'pull-request')
    expect(emulator.prompts()).toHaveLength(2)
  })

  test.each([
    ['HTTP 500', { kind: 'status', status: 500 }, 'service-unavailable'],
    ['HTTP 401', { kind: 'status', status: 401 }, 'unauthorized'],
    ['no answer', { kind: 'reset' }, 'network'],
  ] as const)(
    'the job cannot be read (%s): nothing is asked, and nothing called decided',
    async (_, fault, reason) => {
      const emulator = await failedSince()
      emulator.faults.add({ match: JOB, times: Infinity, fault })
      expectOutcome(await merges(emulator), 'error', reason)
      expect(emulator.prompts()).toHaveLength(1)
    },
  )

  test.each([500, 502, 503])(
    'its files cannot be read (%i), and a rebase moved its head: the same changes are not paid again',
    async (status) => {
      const emulator = codeWorld()
      await happens(emulator, 'labeled')
      emulator.github.push(CODE, {})
      emulator.faults.add({
        match: { path: /\/pulls\/30\/files/ },
        times: Infinity,
        fault: { kind: 'status', status },
      })
      expectOutcome(await merges(emulator), 'error', 'github-unavailable')
      expect(emulator.prompts()).toHaveLength(1)
    },
  )
})

test.each([
  ['its own thread', {}],
  ['one issue for all', { 'issue-title': 'Docs follow merges' }],
])('3.8 of several, those that are not decided count (%s)', async (_, inputs) => {
  const emulator = codeWorld()
  const other = { number: 31, title: 'Add limits', user: 'alice', files: [file('src/limit.ts', 'limits')] }
  emulator.github.addPullRequest(other)
  await happens(emulator, 'labeled')
  const result = await merges(emulator, [31], { inputs })
  expectOutcome(result, 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('Add limits')
  expect(emulator.prompts().at(-1)).not.toContain('Add retries')
  if (!('issue-title' in inputs)) expect(result.outputs['issue-number']).toBe('31')
})

test('3.8 5.2 a re-run of a push goes on with its request, whatever was decided since', async () => {
  for (const inputs of [{}, { 'issue-title': 'Docs follow merges' }]) {
    const emulator = codeWorld()
    expectOutcome(await merges(emulator, [], { inputs }), 'pull-request')
    await emulator.ask('/docs skip', { on: CODE })
    const again = await merges(emulator, [], { inputs, attempt: 2 })
    expectOutcome(again, 'pull-request')
    expect(again.outputs['job-action']).toBe('resumed')
    expect(emulator.prompts()).toHaveLength(1)
  }
})

test.each(['main', 'release', 'release/2'])(
  '3.8 the events of a pull request asked about other changes: its merge into %s asks about the rest',
  async (branch) => {
    const emulator = codeWorld()
    emulator.github.pull(CODE).base = { ...emulator.github.pull(CODE).base, ref: branch }
    await happens(emulator, 'labeled')
    emulator.github.push(CODE, { files: OTHER })
    await merges(emulator, [], {}, branch)
    expect(emulator.prompts()).toHaveLength(2)
  },
)

test.each([
  ['the default branch, it leaves them to their last events', 'main', 0],
  ['a release, it asks', 'release', 1],
])(
  '3.8 a push merges two pull requests, of which the agent has other changes: into %s',
  async (_, branch, asks) => {
    const emulator = codeWorld()
    emulator.github.addPullRequest({ number: 31, title: 'Add limits', user: 'alice', files: OTHER })
    for (const number of [CODE, 31]) {
      emulator.github.pull(number).base = { ...emulator.github.pull(number).base, ref: branch }
      await emulator.act(pulled(emulator, 'labeled', 'alice', number), { runId: 60 + number, inputs: INPUTS })
      emulator.github.push(number, { files: [file('src/more.ts', `more ${number}`)] })
    }
    await merges(emulator, [31], {}, branch)
    expect(emulator.prompts()).toHaveLength(2 + asks)
  },
)

const lacksBoth: readonly (readonly [
  string,
  (emulator: World, act: (action: string) => Promise<unknown>) => Promise<unknown>,
])[] = [
  [
    'Mintlify refused both',
    async (emulator, act) => {
      const fault = { kind: 'status', status: 402 } as const
      emulator.faults.add({ match: { host: 'service', method: 'POST' }, times: 2, fault })
      await act('opened')
    },
  ],
  [
    'both jobs failed',
    async (emulator, act) => {
      emulator.service.script.push({ ending: 'failed' }, { ending: 'failed' })
      await act('opened')
    },
  ],
  [
    'the runs of the last pushes never came',
    async (emulator, act) => {
      await act('opened')
      for (const number of [CODE, 31])
        emulator.github.push(number, { files: [file('src/more.ts', `more ${number}`)] })
    },
  ],
]

describe.each(lacksBoth)('3.8 a push of two merges that events asked about: %s', (_, comes) => {
  const left =
    'Changes of #31 and #30 that the agent lacks are left to the events of these pull requests. If no run of `closed` asks about them, comment a command there.'

  async function twoPulls() {
    const emulator = codeWorld()
    emulator.github.addPullRequest({ number: 31, title: 'Add limits', user: 'alice', files: OTHER })
    await comes(emulator, async (action) => {
      for (const number of [CODE, 31])
        await emulator.act(pulled(emulator, action, 'alice', number), { runId: 60 + number, inputs: INPUTS })
    })
    return emulator
  }

  test('it asks nothing, and says which, and who asks about them', async () => {
    const emulator = await twoPulls()
    const asked = emulator.prompts().length
    const result = await merges(emulator, [31])
    expectOutcome(result, 'skipped', 'no-changes')
    expect(result.log).toContain(left.replaceAll('`', ''))
    expect(emulator.prompts()).toHaveLength(asked)
  })

  test('beside a third one that no event asked about, it asks about that, and says which it leaves', async () => {
    const emulator = await twoPulls()
    emulator.github.addPullRequest({
      number: 32,
      title: 'Add pages',
      user: 'alice',
      files: [file('src/pages.ts', 'pages')],
    })
    expectOutcome(await merges(emulator, [32, 31]), 'pull-request')
    expect(emulator.prompts().at(-1)).toContain('Add pages')
    expect(emulator.prompts().at(-1)).toContain(left)
    expect(emulator.lastWords(32)).toContain(left)
  })
})

test('3.8 a thread that cannot be read decides nothing', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  const match = { method: 'GET', path: /\/issues\/30\/comments/ }
  emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 403 } })
  expectOutcome(await merges(emulator), 'pull-request')
})
