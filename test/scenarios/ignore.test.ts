import { expect, test } from 'vitest'
import {
  CODE,
  closes,
  codeWorld,
  DELIVERED,
  FIRST,
  file,
  happens,
  headOf,
  pushes,
  queued,
  saidOf,
} from '../helpers/code-world.ts'
import { CREATE, expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.16: events of pull requests that `ignore` names ask nothing, and their status is green for those who may alone.

const GREEN = 'success: Needs no docs: `ignore` names its author or a label'
const AUTHOR = { ignore: 'author:alice' }
const LABEL = { ignore: 'label:no-docs' }
const OTHER = [file('src/retry.ts', 'another')]

/** The pull request has the label. */
function labelled(by: string | null = 'alice', label = 'no-docs'): World {
  const emulator = codeWorld()
  emulator.github.addLabels(CODE, [label], undefined, by)
  return emulator
}

/** Of another author than alice, who causes the events. */
function authored(user: string): World {
  const emulator = codeWorld()
  emulator.github.addPullRequest({ number: 31, title: 'Translate', user, files: FIRST })
  return emulator
}

const happensTo31 = (emulator: World, inputs: Record<string, string>, action = 'labeled', by = 'alice') => {
  const { shown } = emulator
  const payload = { action, number: 31, pull_request: shown.pull(31), sender: shown.user(by) }
  const event = { name: 'pull_request', payload: { ...payload, repository: shown.repository() } }
  return emulator.act(event, { inputs: { prompt: 'Document it.', 'commit-status': 'docs', ...inputs } })
}
const said31 = (emulator: World) => saidOf(emulator, headOf(emulator, 31))

test.each([
  ['opened', AUTHOR],
  ['synchronize', { ignore: 'label:x\n\n  Author: ALICE ' }],
  ['reopened', { ignore: 'author:bob\nauthor:Alice' }],
])('3.16 %s of a named author asks nothing, and is green', async (action, inputs) => {
  const emulator = codeWorld()
  expectOutcome(await happens(emulator, action, { inputs }), 'skipped', 'ignored')
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.bodies(CODE)).toEqual([])
  expect(saidOf(emulator)).toEqual([GREEN])
})

test.each(['No-Docs', 'no-docs', 'NO-DOCS'])(
  '3.16 a label %s, set before by who may, is green on each new head',
  async (label) => {
    const emulator = labelled('alice', label)
    for (const files of [FIRST, OTHER]) {
      expectOutcome(await pushes(emulator, { files }, { inputs: LABEL, by: 'bob' }), 'skipped', 'ignored')
      expect(saidOf(emulator)).toEqual([GREEN])
    }
    expect(emulator.calls('service')).toEqual([])
  },
)

test.each([
  ['an author that is not named', { ignore: 'author:bob' }],
  ['a bot of that name', { ignore: 'author:alice[bot]' }],
  ['a bot of that name, in another letter case', { ignore: 'author:ALICE[BOT]' }],
  ['a login that begins alike', { ignore: 'author:alic\nauthor:alice-2\nauthor:alice[bot]' }],
  ['a label that is not there', LABEL],
  ['a title', { ignore: 'label:Add retries' }],
])('3.16 %s: asks', async (_, inputs) => {
  const emulator = codeWorld()
  expectOutcome(await happens(emulator, 'opened', { inputs }), 'pull-request')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

test.each(['mallory', 'labeler[bot]', 'github-actions[bot]', null])(
  '3.16 a label that %s set asks nothing, and turns nothing green',
  async (by) => {
    const emulator = labelled(by)
    const result = await pushes(emulator, { files: OTHER }, { inputs: LABEL })
    expectOutcome(result, 'skipped', 'ignored')
    expect(result.summary).toContain('`/docs skip` decides it')
    expect(saidOf(emulator)).toEqual([])
    expect(emulator.calls('service')).toEqual([])
  },
)

test.each(['triage', 'read', 'none'])('3.16 nor one that a person with %s set', async (permission) => {
  const emulator = labelled('tom')
  emulator.github.setPermission('tom', permission)
  expectOutcome(await happens(emulator, 'synchronize', { inputs: LABEL }), 'skipped', 'ignored')
  expect(saidOf(emulator)).toEqual([])
  emulator.github.setPermission('tom', 'write')
  await happens(emulator, 'synchronize', { inputs: LABEL })
  expect(saidOf(emulator)).toEqual([GREEN])
})

test('3.16 who set the label last counts', async () => {
  const emulator = labelled('alice')
  emulator.github.removeLabel(CODE, 'no-docs')
  emulator.github.addLabels(CODE, ['no-docs'], undefined, 'mallory')
  expectOutcome(await happens(emulator, 'synchronize', { inputs: LABEL }), 'skipped', 'ignored')
  expect(saidOf(emulator)).toEqual([])
})

test('3.16 a label that got the name by a change of its own counts as set by no account', async () => {
  const emulator = labelled('alice')
  emulator.github.removeLabel(CODE, 'no-docs')
  emulator.github.addLabels(CODE, ['later'], undefined, 'mallory')
  emulator.github.issue(CODE).labels = ['no-docs']
  expectOutcome(await happens(emulator, 'synchronize', { inputs: LABEL }), 'skipped', 'ignored')
  expect(saidOf(emulator)).toEqual([])
})

test('3.16 an old event counts with the labels of now', async () => {
  const emulator = labelled('alice')
  const { shown } = emulator
  const payload = {
    action: 'labeled',
    number: CODE,
    pull_request: shown.pull(CODE),
    sender: shown.user('alice'),
  }
  emulator.github.removeLabel(CODE, 'no-docs')
  const event = { name: 'pull_request', payload: { ...payload, repository: shown.repository() } }
  const inputs = { prompt: 'Document it.', 'commit-status': 'docs', ...LABEL }
  expectOutcome(await emulator.act(event, { inputs }), 'pull-request')
})

test('3.16 where GitHub does not show who set the label, nothing is green', async () => {
  const emulator = labelled()
  const match = { method: 'GET', path: /\/events$/ }
  emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 403 } })
  expectOutcome(await happens(emulator, 'synchronize', { inputs: LABEL }), 'skipped', 'ignored')
  expect(saidOf(emulator)).toEqual([])
})

test.each(['mallory', 'opened', 'synchronize', 'labeled'])(
  '3.16 the permission comes first: %s of a named author without it is no green',
  async (action) => {
    const emulator = authored('mallory')
    const result = await happensTo31(emulator, { ignore: 'author:mallory' }, action, 'mallory')
    expectOutcome(result, 'skipped', 'permission-denied')
    expect(said31(emulator).filter((said) => said.startsWith('success'))).toEqual([])
  },
)

test.each(['Translations', 'translations', 'TRANSLATIONS'])(
  '3.16 a login %s that a stranger has taken is not green by the event of another person',
  async (user) => {
    const emulator = authored(user)
    expectOutcome(await happensTo31(emulator, { ignore: 'author:translations' }), 'skipped', 'ignored')
    expect(said31(emulator)).toEqual([])
    emulator.github.setPermission(user, 'write')
    await happensTo31(emulator, { ignore: 'author:translations' })
    expect(said31(emulator)).toEqual([GREEN])
  },
)

test.each([
  ['ignore names it with `[bot]`', 'author:octo[bot]', 'octo[bot]', 'ignored'],
  ['in another letter case', 'author:Octo[BOT]', 'octo', 'ignored'],
  ['without `[bot]`', 'author:octo', 'octo[bot]', 'ignored'],
  ['a bot that may not', 'author:octo[bot]', '', 'agent-pull-request'],
])('3.16 a listed bot: %s', async (_, ignore, bots, reason) => {
  const emulator = authored('octo[bot]')
  const inputs = { ignore, ...(bots && { 'allowed-bots': bots }) }
  expectOutcome(await happensTo31(emulator, inputs), 'skipped', reason)
  expect(said31(emulator)).toEqual(reason === 'ignored' ? [GREEN] : [])
})

test.each([
  [
    'a command',
    (emulator: World) => emulator.ask('/docs explain', { on: CODE, inputs: { 'commit-status': 'docs' } }),
  ],
  ['an event', (emulator: World) => happens(emulator, 'opened')],
  [
    'a request in doubt',
    async (emulator: World) => {
      const match = { method: 'POST', path: /\/agent\// }
      const fault = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 502 } })
      await happens(emulator, 'opened')
      fault.remove()
    },
  ],
  [
    'a failed job',
    (emulator: World) => {
      emulator.service.script.push({ ending: 'failed' })
      return happens(emulator, 'opened')
    },
  ],
  [
    'a command that asks for no status',
    (emulator: World) => emulator.ask('/docs explain', { on: CODE, inputs: {} }),
  ],
  [
    'an event that asks for no status',
    (emulator: World) => happens(emulator, 'opened', { inputs: { 'commit-status': '' } }),
  ],
  [
    'a request in doubt that asks for no status',
    async (emulator: World) => {
      emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
      await emulator.ask('/docs explain', { on: CODE, inputs: {} })
    },
  ],
])('3.16 H5 what %s left on the head stays', async (_, before) => {
  const emulator = codeWorld()
  await before(emulator)
  const left = saidOf(emulator)
  const prompts = emulator.prompts().length
  for (const inputs of [AUTHOR, { ignore: 'author:alice\nlabel:no-docs' }]) {
    expectOutcome(await happens(emulator, 'labeled', { inputs }), 'skipped', 'ignored')
    expect(saidOf(emulator)).toEqual(left)
  }
  expect(emulator.prompts()).toHaveLength(prompts)
  // A rebase goes along with the verdict of its changes.
  await pushes(emulator, { isForced: true, files: FIRST }, { inputs: AUTHOR })
  expect(saidOf(emulator)).not.toContain(GREEN)
  expect(saidOf(emulator).at(-1)).toBe(left.at(-1))
})

test.each(['failure', 'error', 'success', 'pending'] as const)(
  '3.16 H5 a status %s of which no record tells stays',
  async (state) => {
    const emulator = codeWorld()
    const ends = state === 'pending' ? { takesMs: Number.POSITIVE_INFINITY } : { conclusion: state }
    const status = { name: 'docs', kind: 'status', summary: 'Set by hand', ...ends } as const
    emulator.github.addChecks(headOf(emulator), [status])
    const result = await happens(emulator, 'opened', { inputs: AUTHOR })
    expectOutcome(result, 'skipped', 'ignored')
    expect(result.summary).toContain('The commit status stays as it is')
    expect(saidOf(emulator)).toEqual([`${state}: Set by hand`])
  },
)

test.each([403, 404, 422])(
  '3.16 H5 where GitHub answers %i for the statuses of a head, none is set',
  async (status) => {
    const emulator = codeWorld()
    const match = { method: 'GET', path: /\/status$/ }
    emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status } })
    expectOutcome(await happens(emulator, 'opened', { inputs: AUTHOR }), 'skipped', 'ignored')
    expect(saidOf(emulator)).toEqual([])
  },
)

test('3.16 a skip stays, and its words', async () => {
  const emulator = codeWorld()
  await emulator.ask('/docs skip because of typos', { on: CODE, inputs: { 'commit-status': 'docs' } })
  expectOutcome(await pushes(emulator, { files: OTHER }, { inputs: AUTHOR }), 'skipped', 'ignored')
  expect(saidOf(emulator)).toEqual(['success: Skipped by alice: typos'])
})

test.each(['a bot pushed', 'GitHub showed no comments', 'a label of a person who may not'])(
  '3.16 where nothing had decided, since %s, it decides',
  async (what) => {
    const emulator = codeWorld()
    if (what === 'a bot pushed') await pushes(emulator, { files: OTHER }, { by: 'renovate[bot]' })
    else if (what === 'GitHub showed no comments') {
      const fault = { kind: 'status', status: 403 } as const
      const match = { path: /\/issues\/30\/comments$/ }
      const away = emulator.faults.add({ match, times: Infinity, fault })
      await happens(emulator, 'synchronize')
      away.remove()
    } else await happens(emulator, 'labeled', { by: 'mallory' })
    expect(saidOf(emulator)).toHaveLength(1)
    expectOutcome(await happens(emulator, 'labeled', { inputs: AUTHOR }), 'skipped', 'ignored')
    expect(saidOf(emulator).at(-1)).toBe(GREEN)
  },
)

test.each([
  ['renovate[bot]', '/documentation-agent', 'synchronize'],
  [`${'a'.repeat(34)}[bot]`, '/docs-agent-please', 'synchronize'],
  ['m'.repeat(39), '/documentation', 'labeled'],
])('3.16 so does it where the names of %s and %s are long', async (by, command, action) => {
  const emulator = codeWorld()
  if (action === 'synchronize') emulator.github.push(CODE, { files: OTHER, by })
  await happens(emulator, action, { by, inputs: { command } })
  expect(saidOf(emulator).at(-1)).toMatch(/^pending: .* decides it$/)
  const result = await happens(emulator, 'labeled', { inputs: { ...AUTHOR, command } })
  expectOutcome(result, 'skipped', 'ignored')
  expect(saidOf(emulator).at(-1)).toBe(GREEN)
})

test.each([true, false])('3.16 its end asks nothing (merged: %s)', async (merged) => {
  const emulator = codeWorld()
  expectOutcome(await closes(emulator, merged, { inputs: AUTHOR }), 'skipped', 'ignored')
  expect(emulator.calls('service')).toEqual([])
})

test('3.16 a merge queue is green with it, and red where it set none', async () => {
  const green = codeWorld()
  await happens(green, 'opened', { inputs: AUTHOR })
  await green.act(queued(green), { inputs: { 'commit-status': 'docs' } })
  expect(saidOf(green, 'e'.repeat(40))[0]).toContain('success: ')
  const red = labelled('mallory')
  await happens(red, 'synchronize', { inputs: LABEL })
  await red.act(queued(red), { inputs: { 'commit-status': 'docs' } })
  expect(saidOf(red, 'e'.repeat(40))[0]).toContain('error: ')
})

test.each(['help', 'status'])('3.16 an answer to `/docs %s` is no request about the head', async (word) => {
  const emulator = codeWorld()
  await emulator.ask(`/docs ${word}`, { on: CODE, inputs: { 'commit-status': 'docs' } })
  await happens(emulator, 'labeled', { inputs: AUTHOR })
  expect(saidOf(emulator)).toEqual([GREEN])
})

test.each([
  [
    'of a push',
    (emulator: World, inputs: object) => pushes(emulator, { files: OTHER }, { inputs: { ...inputs } }),
  ],
  [
    'of a label',
    (emulator: World, inputs: object) => happens(emulator, 'labeled', { inputs: { ...inputs } }),
  ],
  [
    'of a rebase',
    (emulator: World, inputs: object) =>
      pushes(emulator, { isForced: true, files: FIRST }, { inputs: { ...inputs } }),
  ],
])('3.16 a comment of the action that does not verify leaves the head %s to a command', async (_, comes) => {
  const emulator = codeWorld()
  await happens(emulator, 'opened', { inputs: { 'commit-status': '' } })
  const { summary } = await comes(emulator, { ...AUTHOR, 'memory-key': 'another-key-of-sixteen' })
  expect(summary).toContain('does not verify')
  expect(saidOf(emulator).at(-1)).toContain('pending: Not known')
  expect(saidOf(emulator)).not.toContain(GREEN)
})

test('3.16 H5 with `comment: off`, a red head stays red', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ ending: 'failed' })
  await happens(emulator, 'opened', { inputs: { comment: 'off' } })
  expectOutcome(
    await happens(emulator, 'labeled', { inputs: { ...AUTHOR, comment: 'off' } }),
    'skipped',
    'ignored',
  )
  expect(saidOf(emulator).at(-1)).toContain('failure: ')
})

test('3.16 a re-run goes on with what an earlier attempt asked', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 1 })
  await happens(emulator, 'opened', { runId: 9, inputs: { wait: 'false' } })
  const again = await happens(emulator, 'opened', { runId: 9, attempt: 2, inputs: AUTHOR })
  expectOutcome(again, 'pull-request')
  expect(emulator.prompts()).toHaveLength(1)
})

test('3.16 a command asks all the same', async () => {
  const emulator = codeWorld()
  const { said: _, ...result } = await emulator.ask('/docs explain', {
    on: CODE,
    inputs: { ...AUTHOR, 'commit-status': 'docs' },
  })
  expectOutcome(result, 'pull-request')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

test('3.16 a comment that is none asks nothing, where `prompt` would ask', async () => {
  const emulator = codeWorld()
  const { said: _, ...result } = await emulator.ask('Nice work.', {
    on: CODE,
    inputs: { ...AUTHOR, prompt: 'Look.' },
  })
  expectOutcome(result, 'skipped', 'ignored')
  expect(emulator.calls('service')).toEqual([])
})
