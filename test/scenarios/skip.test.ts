import { expect, test } from 'vitest'
import {
  CODE,
  closes,
  codeWorld,
  FIRST,
  file,
  happens,
  headOf,
  pushes,
  saidOf,
} from '../helpers/code-world.ts'
import { CREATE, expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.2: `/docs skip` says that the changes of a pull request need no documentation.

const STATUS = { 'commit-status': 'docs' }
const SKIPPED = 'success: Skipped by alice: only the tests change'
const OTHER = [file('src/retry.ts', 'another')]

const skip = (emulator: World, reason = ' because only the tests change', more: object = {}) =>
  emulator.ask(`/docs skip${reason}`, { on: CODE, inputs: STATUS, ...more })

const skips = (emulator: World): string[] =>
  emulator.bodies(CODE).filter((body) => body.includes('No documentation needed'))

test.each([
  ['alone', '', '.', ''],
  ['with a reason', ' because only the tests change', ': only the tests change.', ': only the tests change'],
  ['with a reason after a colon', ': Typos!', ': Typos!', ': Typos!'],
  ['with a reason after a comma', ', because only typos', ': only typos.', ': only typos'],
  ['with a reason on the next line', '\nsince only typos.', ': only typos.', ': only typos.'],
  ['with words that ask nothing', ' this PR, please', '.', ''],
  ['with a reason after a colon behind `because`', ' because: typos', ': typos.', ': typos'],
  ['with a reason in brackets', ' (because only typos)', ': only typos.', ': only typos'],
  ['with a full stop', '.', '.', ''],
  ['until something is there', ' until 2.0 is out', ': until 2.0 is out.', ': until 2.0 is out'],
  ['with a polite word and a reason', ' please, since only typos', ': only typos.', ': only typos'],
  [
    'above the footer of a tool',
    '\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)',
    '.',
    '',
  ],
])(
  '3.2 `/docs skip` %s: one comment and the status say who said so, and why',
  { tags: 'bundle' },
  async (_, given, why, short) => {
    const emulator = codeWorld()
    const { said, ...result } = await skip(emulator, given)
    expectOutcome(result, 'skipped', 'docs-skipped')
    const [body = '', ...more] = emulator.bodies(CODE)
    expect(more).toEqual([])
    expect(body).toMatch(`**👍 No documentation needed**, says @alice${why} \`/docs …\` asks for it.`)
    expect(result.outputs['comment-url']).toMatch(`/pull/30#issuecomment-${emulator.written(CODE)[0]?.id}`)
    expect(emulator.reactions(said.id)).toEqual(['+1'])
    const [status, ...others] = emulator.github.statuses(headOf(emulator))
    expect(others).toEqual([])
    expect(status).toMatchObject({ state: 'success', description: `Skipped by alice${short}` })
    expect(status?.targetUrl).toBe(result.outputs['comment-url'])
    expect(emulator.calls('service')).toEqual([])
  },
)

test.each(['skip the intro', 'skip becausewhy', 'skip-level headings', 'skip docs except for the CLI'])(
  '3.2 `/docs %s` is a request',
  async (words) => {
    const emulator = codeWorld()
    const { said: _, ...result } = await emulator.ask(`/docs ${words}`, { on: CODE, inputs: STATUS })
    expectOutcome(result, 'pull-request')
    expect(emulator.prompts()[0]).toContain(words)
  },
)

test.each([
  [' docs, except for the CLI'],
  [', only document the flag'],
  [' this - document the flag'],
  ['\n\nDocument the flag.'],
  [' because of tests\nDocument the flag.'],
  ['?'],
  [' this PR. Document retries instead.'],
])(
  'H7 3.2 `/docs skip%s` could be either: nothing changes, and the answer says both forms',
  async (words) => {
    const emulator = codeWorld()
    expectOutcome(await skip(emulator, words), 'skipped', 'help')
    const [body = '', ...more] = emulator.bodies(CODE)
    expect(more).toEqual([])
    expect(body).toContain('**ℹ️ Nothing was started**, @alice.')
    expect(body).toContain('write `/docs skip because …` with one clause, and nothing else')
    expect(body).toContain('to ask, write `/docs …` without `skip`')
    expect(saidOf(emulator)).toEqual([])
    expect(emulator.calls('service')).toEqual([])
    // Nor does it end a skip, or stand in its way.
    expectOutcome(await skip(emulator), 'skipped', 'docs-skipped')
    expectOutcome(await skip(emulator, words), 'skipped', 'help')
    expectOutcome(await pushes(emulator, { files: OTHER }), 'skipped', 'docs-skipped')
    expect(saidOf(emulator)).toEqual([SKIPPED])
  },
)

test('3.2 3.13 pushes ask nothing until somebody asks again, and the status goes along', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  await skip(emulator)
  for (const files of [FIRST, OTHER]) {
    expectOutcome(await pushes(emulator, { isForced: true, files }), 'skipped', 'docs-skipped')
    expect(saidOf(emulator)).toEqual([SKIPPED])
  }
  expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'docs-skipped')
  expect(emulator.prompts()).toHaveLength(1)
  const { said: _, ...asked } = await emulator.ask('/docs explain', { on: CODE, inputs: STATUS })
  expectOutcome(asked, 'pull-request')
  expect(saidOf(emulator)).toEqual([SKIPPED, 'pending: The docs agent is working', 'success: octo/docs#77'])
  const third = [...OTHER, file('src/log.ts', 'third')]
  expectOutcome(await pushes(emulator, { files: third }), 'pull-request')
  expect(emulator.prompts()).toHaveLength(3)
})

test.each([
  ['at once', async () => undefined],
  ['after a push', (emulator: World) => pushes(emulator, { files: OTHER })],
])('3.2 3.13 a merge %s asks nothing, since it was skipped', async (_, meanwhile) => {
  const emulator = codeWorld()
  await skip(emulator)
  await meanwhile(emulator)
  const result = await closes(emulator, true)
  expectOutcome(result, 'skipped', 'docs-skipped')
  expect(result.summary).toContain('alice says so: only the tests change.')
  expect(emulator.calls('service')).toEqual([])
})

test('3.2 3.13 a push after it brings to the agent, once somebody asked again, all that it lacks', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  await skip(emulator)
  const [second, third] = [file('src/limit.ts', 'second'), file('src/log.ts', 'third')]
  await pushes(emulator, { files: [...FIRST, second], commit: [second] })
  await emulator.ask('/docs explain', { on: CODE, inputs: STATUS })
  await pushes(emulator, { files: [...FIRST, second, third], commit: [third] })
  expect(emulator.prompts().at(-1)).toContain('+second')
  expect(emulator.prompts().at(-1)).toContain('+third')
})

test('3.2 a workflow that has just got a commit status takes over what was said before', async () => {
  const emulator = codeWorld()
  const { said: _, ...result } = await skip(emulator, undefined, { inputs: {} })
  expectOutcome(result, 'skipped', 'docs-skipped')
  expect(skips(emulator)[0]).toContain('This workflow sets no commit status')
  expect(skips(emulator)[0]).toMatch(/`commit-status`.*`statuses: write`/)
  expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'docs-skipped')
  expect(saidOf(emulator)).toEqual([SKIPPED])
})

test('3.2 a job that works goes on, and its end changes nothing of the status', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 2, ending: 'failed' })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  await skip(emulator)
  const decided = ['pending: The docs agent is working', SKIPPED]
  expect(saidOf(emulator)).toEqual(decided)
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await emulator.collect()
  expect(emulator.records(CODE).map(({ state }) => state)).toContain('ended')
  expect(saidOf(emulator)).toEqual(decided)
})

test('3.2 4.13 a command that finds the job at work, and leaves it alone, changes nothing of the status', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ ending: 'active-forever' })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  await skip(emulator)
  const inputs = { ...STATUS, conversation: 'skip' }
  expectOutcome(await emulator.ask('/docs more', { on: CODE, inputs }), 'skipped', 'job-active')
  expect(saidOf(emulator)).toEqual(['pending: The docs agent is working', SKIPPED])
})

test.each([
  ['that is refused', 402, /^error: No credits are left/, 'pull-request', ''],
  ['that may have reached the agent', 500, /^error: It is not known/, 'skipped', 'no-changes'],
])(
  'H5 3.2 4.13 a request after it %s: no event makes the status green again without the agent',
  async (_, status, says, outcome, reason) => {
    const emulator = codeWorld()
    await skip(emulator)
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status } })
    await emulator.ask('/docs explain', { on: CODE, runId: 2, inputs: STATUS })
    expect(saidOf(emulator).at(-1)).toMatch(says)
    expectOutcome(await happens(emulator, 'labeled'), outcome, reason)
    expect(saidOf(emulator).filter((said) => said === SKIPPED)).toHaveLength(1)
  },
)

test.each([
  ['has it', undefined],
  ['may have it, as its answer is lost', { kind: 'reset', when: 'after' }],
  ['may have it, by a 500', { kind: 'status', status: 500 }],
] as const)(
  'H5 3.2 a request after it, of a workflow without `commit-status`, where the agent %s: no push is green again',
  async (_, fault) => {
    const emulator = codeWorld()
    await skip(emulator)
    if (fault !== undefined) emulator.faults.add({ match: CREATE, fault })
    await emulator.ask('/docs explain', { on: CODE, runId: 2, inputs: {} })
    await pushes(emulator, { files: OTHER })
    expect(saidOf(emulator)).not.toContain(SKIPPED)
  },
)

test('H5 3.2 `status`, said while a request after it goes out, does not bring it back: the status is the job’s', async () => {
  const emulator = codeWorld()
  await skip(emulator)
  emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
  const asked = emulator.ask('/docs explain', { on: CODE, runId: 2, inputs: STATUS })
  await emulator.pass(5000)
  await emulator.ask('/docs status', { on: CODE, runId: 3, inputs: STATUS })
  expectOutcome(await asked, 'pull-request')
  expect(saidOf(emulator).at(-1)).toBe('success: octo/docs#77')
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
})

test('3.2 said while the run of a job waits, it stands when the job ends', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 3 })
  const call = async () => {
    await emulator.pass(1000)
    await skip(emulator)
  }
  emulator.faults.add({ match: READ, fault: { kind: 'call', when: 'before', call } })
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
  expect(saidOf(emulator)).toEqual(['pending: The docs agent is working', SKIPPED])
})

test('3.2 3.3 a stranger changes nothing', async () => {
  const emulator = codeWorld()
  const { said: _, ...result } = await skip(emulator, undefined, { by: 'mallory' })
  expectOutcome(result, 'skipped', 'permission-denied')
  expect(saidOf(emulator)).toEqual([])
  expect(skips(emulator)).toEqual([])
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
})

const MENTION = 'see @octo/everyone and #1'
const ESCAPES = 'a `` ` ``` fence **bold** <b>x</b> [link](https://evil.example)'

test.each([
  ['of 10,000 characters', 'x'.repeat(10_000), /says @alice: `x{119}…`\. /],
  ['with mentions', MENTION, /: `see @octo\/everyone and #1`\./],
  ['that would end a code span', ESCAPES, /: `a '' ' ''' fence \*\*bold\*\* <b>x<\/b> \[link\]/],
  ['with a secret', 'the key test-key is old', /: `the key \*\*\* is old`\./],
])('3.2 2.3 5.4 a reason %s', async (_, reason, shown) => {
  const emulator = codeWorld()
  const { said: _said, ...result } = await skip(emulator, `: ${reason}`)
  expectOutcome(result, 'skipped', 'docs-skipped')
  expect(skips(emulator)[0]).toMatch(shown)
  const [record] = emulator.records(CODE)
  expect(JSON.stringify(record)).not.toContain('test-key')
  expect(JSON.stringify(record).length).toBeLessThan(2000)
  const [status] = emulator.github.statuses(headOf(emulator))
  expect(status?.description).not.toMatch(/test-key|\n|[\u200b\u202e]/)
  expect([...(status?.description ?? '')].length).toBeLessThanOrEqual(140)
})

test.each(['頁', '👍', '"', '\\'])(
  'H5 3.2 a record has room for the longest reason, in %j: it holds after a push',
  async (sign) => {
    const emulator = codeWorld()
    await skip(emulator, `: x${sign.repeat(119)}`)
    for (const files of [OTHER, FIRST]) {
      expectOutcome(await pushes(emulator, { isForced: true, files }), 'skipped', 'docs-skipped')
      expect(saidOf(emulator).at(-1)).toContain(`success: Skipped by alice: x${sign}`)
    }
  },
)

test('3.2 5.2 a re-run of an earlier one changes nothing of what was asked since', async () => {
  const emulator = codeWorld()
  const { said } = await skip(emulator)
  await emulator.ask('/docs explain', { on: CODE, inputs: STATUS })
  await emulator.act(said, { attempt: 2, inputs: STATUS })
  expect(saidOf(emulator).at(-1)).toBe('success: octo/docs#77')
  expectOutcome(await pushes(emulator, { files: OTHER }), 'pull-request')
})

const COMMENTS = { method: 'POST', path: /\/issues\/30\/comments$/ } as const

test.each([
  ['a locked thread refuses the comment', {}],
  ['the workflow writes no comments', { comment: 'off' }],
] as const)(
  '3.2 5.6 %s: the status is set, and the summary says that it is not remembered',
  async (_, inputs) => {
    const emulator = codeWorld()
    if (!('comment' in inputs))
      emulator.faults.add({ match: COMMENTS, fault: { kind: 'status', status: 403 } })
    const { said, summary, log, ...result } = await skip(emulator, undefined, {
      inputs: { ...STATUS, ...inputs },
    })
    expectOutcome({ summary, log, ...result }, 'skipped', 'docs-skipped')
    expect(saidOf(emulator)).toEqual([SKIPPED])
    for (const text of [summary, log])
      expect(text).toContain('The thread does not remember this skip, so the next push asks the docs agent.')
    expectOutcome(await pushes(emulator, { files: OTHER }), 'pull-request')
    expect(said.id).toBeGreaterThan(0)
  },
)

test('3.2 4.13 a skip from a workflow without `commit-status` holds for the re-run of an earlier command', async () => {
  const emulator = codeWorld()
  emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
  const { said } = await emulator.ask('/docs explain', { on: CODE })
  await emulator.pass(1000)
  await skip(emulator, '', { inputs: {} })
  expectOutcome(await emulator.act(said, { attempt: 2, inputs: STATUS }), 'pull-request')
  expect(saidOf(emulator)).toEqual(['success: Skipped by alice'])
})

test('H5 3.2 4.13 a re-run of a skip does not turn green what a later request left red, also after a rebase', async () => {
  const emulator = codeWorld()
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
  const { said } = await skip(emulator)
  await emulator.pass(1000)
  emulator.service.script.push({ ending: 'failed' })
  expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs: STATUS }), 'failed')
  await pushes(emulator, { isForced: true, files: FIRST })
  const red = saidOf(emulator).at(-1)
  expect(red).toMatch(/^failure/)
  await emulator.act(said, { attempt: 2, inputs: STATUS })
  expect(saidOf(emulator).at(-1)).toBe(red)
})

test('3.2 4.13 a skip whose head GitHub does not show holds for the status, too', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 2, ending: 'failed' })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  const head = { host: 'github', method: 'GET', path: /\/pulls\/30$/ } as const
  emulator.faults.add({ match: head, fault: { kind: 'status', status: 403 } })
  await skip(emulator)
  for (let sweeps = 0; sweeps < 4; sweeps++) await emulator.collect()
  expect(saidOf(emulator).join()).not.toContain('failure')
})

test.each([
  ['of a workflow without a status', {}, 'success'],
  ['of a workflow with another status', { 'commit-status': 'guides' }, 'success'],
  ['of a run that does not wait', { wait: 'false' }, 'started'],
])('3.2 4.13 a command %s ends a skip, and the next push asks', async (_, inputs, outcome) => {
  const emulator = codeWorld()
  await skip(emulator)
  const result = await emulator.ask('/docs do it after all', { on: CODE, inputs })
  expectOutcome(result, outcome === 'started' ? 'started' : 'pull-request')
  const pushed = await pushes(emulator, { files: [...FIRST, ...OTHER] })
  expect(pushed.outputs.reason).not.toBe('docs-skipped')
  expect(saidOf(emulator)).not.toContain(SKIPPED)
  expect(emulator.promptCounts()).toEqual([2])
})
