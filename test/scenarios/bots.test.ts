import { describe, expect, test } from 'vitest'
import {
  CODE,
  closes,
  codeWorld,
  DELIVERED,
  FIRST,
  file,
  happens,
  INPUTS,
  pulled,
  pushes,
  saidOf,
  states,
} from '../helpers/code-world.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.4: what an unlisted bot does to a pull request that is kept in step asks nothing, and leaves no head alone.

const BOT = 'pre-commit-ci[bot]'
const OTHER = [file('src/retry.ts', 'formatted')]
const CHANGED = `pending: Changed by ${BOT}: a push by a person, /docs …, /docs skip or allowed-bots decides it`
const BY_BOT = { by: BOT }

const asks = ({ service }: World): number => service.jobs().flatMap(({ prompts }) => prompts).length

test('3.4 a bot rebases: the status goes to the new head, and the next push of a person asks', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  const rebased = await pushes(emulator, { isForced: true, files: FIRST }, BY_BOT)
  expectOutcome(rebased, 'skipped', 'bot')
  expect(saidOf(emulator)).toEqual([DELIVERED])
  expect(asks(emulator)).toBe(1)
  const second = file('src/limit.ts', 'second')
  expectOutcome(await pushes(emulator, { files: [...FIRST, second], commit: [second] }), 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('+second')
})

test('3.4 a bot changes the code: the new head is pending and says who decides, until a person pushes', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  expectOutcome(await pushes(emulator, { files: OTHER }, BY_BOT), 'skipped', 'bot')
  expect(saidOf(emulator)).toEqual([CHANGED])
  expect(asks(emulator)).toBe(1)
  expect(emulator.bodies(CODE)).toHaveLength(1)
  const more = [...OTHER, file('src/log.ts', 'third')]
  expectOutcome(await pushes(emulator, { files: more }), 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('formatted')
  expect(saidOf(emulator)).toEqual(['pending: The docs agent is working', DELIVERED])
})

test.each([
  ['a command', '/docs explain', DELIVERED],
  ['`/docs skip`', '/docs skip', 'success: Skipped by alice'],
])('3.4 what a bot changed is decided by %s', async (_, body, expected) => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  await pushes(emulator, { files: OTHER }, BY_BOT)
  await emulator.ask(body, { on: CODE, inputs: { 'commit-status': 'docs' } })
  expect(saidOf(emulator).at(-1)).toBe(expected)
})

test.each(['renovate', 'Renovate[bot]'])(
  '3.4 3.5 the pull request of Renovate, where `%s` is listed, asks',
  async (listed) => {
    const emulator = codeWorld()
    emulator.github.addPullRequest({ number: 31, user: 'renovate[bot]', files: OTHER })
    const opened = pulled(emulator, 'opened', 'renovate[bot]', 31)
    const result = await emulator.act(opened, { inputs: { ...INPUTS, 'allowed-bots': listed } })
    expectOutcome(result, 'pull-request')
  },
)

test.each([
  ['after a request', true],
  ['without one', false],
])('3.2 3.4 after a skip, %s, the skip goes along, whatever the bot changed', async (_, isAsked) => {
  const emulator = codeWorld()
  if (isAsked) await happens(emulator, 'labeled')
  await emulator.ask('/docs skip', { on: CODE, inputs: { 'commit-status': 'docs' } })
  expectOutcome(await pushes(emulator, { files: OTHER }, BY_BOT), 'skipped', 'bot')
  expect(saidOf(emulator)).toEqual(['success: Skipped by alice'])
})

test('3.4 while the job works, a bot’s rebase is pending, and gets its end', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 2 })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  expectOutcome(await pushes(emulator, { isForced: true, files: FIRST }, BY_BOT), 'skipped', 'bot')
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await emulator.collect()
  expect(saidOf(emulator)).toEqual(['pending: The docs agent is working', DELIVERED])
})

describe('3.4 a bot merges the pull request', () => {
  const QUEUE = { by: 'github-merge-queue[bot]' }
  const merges = (emulator: World, more = {}) => closes(emulator, true, { ...QUEUE, ...more })

  test('the end is told, once', async () => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    await happens(emulator, 'labeled')
    for (const attempt of [1, 2]) {
      const more = { ...QUEUE, runId: 91, attempt }
      const result = await (attempt === 1 ? merges(emulator, more) : happens(emulator, 'closed', more))
      expectOutcome(result, 'skipped', 'pull-request-closed')
    }
    const told = emulator.bodies(77).filter((body) => body.includes('octo/app#30 is merged'))
    expect(told).toHaveLength(1)
    expect(asks(emulator)).toBe(1)
  })

  test('what the agent never got is asked, in the name of its author', async () => {
    const emulator = codeWorld()
    expectOutcome(await merges(emulator), 'pull-request')
    expect(emulator.records(CODE)).toMatchObject([{ requestedBy: 'alice' }])
  })

  test.each([
    ['an author who may only read', 'mallory', {}, 'skipped', 'permission-denied'],
    ['an author who may only read, and a listed bot', 'mallory', QUEUE.by, 'skipped', 'permission-denied'],
    ['a bot as its author', 'renovate[bot]', '', 'skipped', 'agent-pull-request'],
    ['a listed bot as its author', 'renovate[bot]', 'renovate', 'pull-request', ''],
  ])('of %s', async (_, user, listed, outcome, reason) => {
    const emulator = codeWorld()
    emulator.github.addPullRequest({ number: 31, user, files: FIRST })
    emulator.github.closePullRequest(31, { merged: true })
    const closed = pulled(emulator, 'closed', QUEUE.by, 31)
    const inputs = { ...INPUTS, ...(typeof listed === 'string' && { 'allowed-bots': listed }) }
    expectOutcome(await emulator.act(closed, { inputs }), outcome, reason)
    expect(asks(emulator)).toBe(outcome === 'pull-request' ? 1 : 0)
  })

  test('a person who merges counts, whoever wrote it', async () => {
    const emulator = codeWorld()
    expectOutcome(await closes(emulator, true, { by: 'mallory' }), 'skipped', 'permission-denied')
  })

  test('a bot that closes it without a merge stays a bot', async () => {
    const emulator = codeWorld()
    expectOutcome(await closes(emulator, false, { by: 'stale[bot]' }), 'skipped', 'bot')
  })
})

const LABELLED = `pending: ${BOT} set a label but may not ask: a label by a person who may, /docs … or /docs skip decides it`

test.each<[string, string, (emulator: World) => Promise<unknown>]>([
  [
    'push in a thread that nobody asked in',
    CHANGED,
    (emulator) => pushes(emulator, { files: OTHER }, BY_BOT),
  ],
  ['label in such a thread', LABELLED, (emulator) => happens(emulator, 'labeled', BY_BOT)],
  [
    'label on changes that nobody decided',
    LABELLED,
    async (emulator) => {
      await happens(emulator, 'labeled')
      emulator.github.push(CODE, { files: OTHER })
      await happens(emulator, 'labeled', BY_BOT)
    },
  ],
])('3.4 4.13 the %s, of a bot, says who can decide', async (_, says, act) => {
  const emulator = codeWorld()
  await act(emulator)
  expect(saidOf(emulator)).toEqual([says])
})

test.each(['unlabeled', 'edited', 'reopened'])('3.4 `%s` of a bot sets nothing', async (action) => {
  const emulator = codeWorld()
  await happens(emulator, action, BY_BOT)
  expect(states(emulator)).toEqual([])
})

test.each<[string, string, string]>([
  ['an answer', '', DELIVERED],
  ['a skip', '/docs skip', 'success: Skipped by alice'],
  ['a failure', '', 'failure: The docs agent failed'],
])('3.4 4.13 the label of a bot, or of a person with triage, leaves %s as it is', async (_, body, says) => {
  const emulator = codeWorld()
  if (says.startsWith('failure')) emulator.service.script.push({ ending: 'failed' })
  await happens(emulator, 'opened')
  if (body !== '') await emulator.ask(body, { on: CODE, inputs: { 'commit-status': 'docs' } })
  const before = saidOf(emulator)
  expect(before.at(-1)).toBe(says)
  emulator.github.setPermission('tina', 'triage')
  for (const by of [BOT, 'tina']) await happens(emulator, 'labeled', { by })
  expect(saidOf(emulator)).toEqual(before)
})

const PATHS = { inputs: { paths: 'src/**' } }

test.each([
  ['formats a file beside them', [...FIRST, file('test/retry.ts', 'formatted')]],
  ['adds several', [...FIRST, file('README.md', 'a'), file('package-lock.json', 'b')]],
  ['takes one away', FIRST],
])('3.4 3.14 a bot that %s, of those that `paths` leaves out, keeps the status', async (_, files) => {
  const emulator = codeWorld()
  emulator.github.push(CODE, { files: [...FIRST, file('docs/notes.md', 'note')] })
  await happens(emulator, 'opened', PATHS)
  await pushes(emulator, { files }, { ...BY_BOT, ...PATHS })
  expect(saidOf(emulator)).toEqual([DELIVERED])
})

test.each([
  ['changes one of them', [file('docs/notes.md', 'formatted')]],
  ['adds one', [file('docs/notes.md', 'note'), file('README.md', 'formatted')]],
  ['renames one', [{ ...file('docs/new.md', 'note'), earlier: 'docs/notes.md' }]],
])('3.4 3.14 in a pull request of such files alone, a bot that %s keeps it green', async (_, files) => {
  const emulator = codeWorld()
  emulator.github.push(CODE, { files: [file('docs/notes.md', 'note')] })
  await happens(emulator, 'opened', PATHS)
  await pushes(emulator, { files }, { ...BY_BOT, ...PATHS })
  expect(saidOf(emulator)).toEqual(['success: No file changed that `paths` names'])
})

test.each(['triage', 'read', 'none'] as const)(
  '4.13 the label of a person with %s says who can decide',
  async (permission) => {
    const emulator = codeWorld()
    emulator.github.setPermission('tina', permission)
    expectOutcome(await happens(emulator, 'labeled', { by: 'tina' }), 'skipped', 'permission-denied')
    expect(saidOf(emulator)).toEqual([LABELLED.replace(BOT, 'tina')])
    await happens(emulator, 'labeled')
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  },
)

test('1.3 3.4 Dependabot has no secrets: nothing is read or set', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.clearRequests()
  const run = { by: 'dependabot[bot]', inputs: { 'api-key': '' } }
  expectOutcome(await pushes(emulator, { files: OTHER }, run), 'skipped', 'missing-secret')
  expect(emulator.calls()).toEqual([])
})
