import { expect, test } from 'vitest'
import { type SigningScope, signingKey, signRecord } from '../../src/record/signed-record.ts'
import { BOT, CREATE, expectOutcome, ISSUE, ownWorld, READ, signingOf } from '../helpers/world.ts'

test.each<[string, Partial<SigningScope>]>([
  ['made with another key', { key: signingKey('test-key-2') }],
  ['made without a key', { key: signingKey('') }],
  ['made with the API key', { key: signingKey('test-key') }],
])('5.1 a record %s is ignored: a new job is made', async (_, over) => {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  const [record] = emulator.records()
  if (record === undefined) throw new Error('no record')
  for (const { id } of emulator.written()) emulator.github.deleteComment(id)
  const body = `x\n\n${signRecord({ ...record, writtenAt: Date.now() + 1e6 }, { ...signingOf(), ...over })}`
  emulator.github.addComment(ISSUE, { login: BOT, body })
  emulator.clearRequests()
  const result = await emulator.ask('/docs more')
  expectOutcome(result, 'pull-request')
  expect(result.outputs['job-action']).toBe('created')
  expect(emulator.calls('service')[0]).toBe('POST /v2/agent/docs/job')
})

test('5.1 an old record, posted once more by a bot, does not lead back to the old job', async () => {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  const old = emulator.lastWords()
  await emulator.ask('/docs new other')
  emulator.github.addComment(ISSUE, { login: 'helper[bot]', body: old })
  await emulator.ask('/docs more')
  expect(emulator.promptCounts()).toEqual([1, 2])
})

test('5.1 a result that a stranger copies into an older comment stands after a re-run', async () => {
  const emulator = ownWorld()
  const older = emulator.github.addComment(ISSUE, { login: 'mallory', body: 'hello' })
  const said = emulator.say('/docs explain')
  await emulator.act(said)
  const told = emulator.lastWords()
  emulator.github.editComment(older.id, told.replace('opened', 'never opened'))
  await emulator.act(said, { attempt: 2 })
  expect(emulator.bodies()).toContain(told)
  expect(emulator.promptCounts(), 'the record of the action still counts').toEqual([1])
})

test.each([
  ['a person', 'carol', 'created'],
  ['the action itself', 'github-actions[bot]', 'continued'],
])('5.1 a valid record in a comment of %s, on the second page of the thread', async (_, login, action) => {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  const [comment] = emulator.written()
  for (const { id } of emulator.written()) emulator.github.deleteComment(id)
  for (let at = 0; at < 230; at++) {
    const isRecord = at === 120
    const body = isRecord ? (comment?.body ?? '') : `note ${at}`
    emulator.github.addComment(ISSUE, { login: isRecord ? login : 'carol', body })
  }
  const result = await emulator.ask('/docs more')
  expect(result.outputs['job-action']).toBe(action)
})

test('5.2 a re-run finds its own record and creates nothing', { tags: 'bundle' }, async () => {
  const emulator = ownWorld()
  const { said } = await emulator.ask('/docs explain')
  const again = await emulator.act(said, { attempt: 2, runId: 9_000_002 })
  expectOutcome(again, 'pull-request')
  expect(again.outputs['job-action']).toBe('resumed')
  expect(emulator.promptCounts()).toEqual([1])
  const [result, ...others] = emulator.bodies()
  expect(others).toEqual([])
  expect(emulator.bodies(77)).toHaveLength(1)
  const unwaited = await emulator.act(said, { attempt: 3, inputs: { wait: 'false' } })
  expectOutcome(unwaited, 'pull-request')
  expect(emulator.bodies()).toEqual([result])
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
})

test('5.2 the record is written ahead: key before the job, its id before the first read', async () => {
  const emulator = ownWorld()
  const seen: unknown[] = []
  const look = () => void seen.push(emulator.records().map((record) => [record.state, 'job' in record]))
  emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault: { kind: 'call', call: look } })
  emulator.faults.add({ match: { host: 'service', method: 'GET' }, fault: { kind: 'call', call: look } })
  await emulator.ask('/docs explain')
  expect(seen).toEqual([[['sending', false]], [['running', true]]])
})

test.each([
  ['400', { kind: 'status', status: 400 }, 'rejected'],
  ['401', { kind: 'status', status: 401 }, 'unauthorized'],
  ['402', { kind: 'status', status: 402 }, 'payment-required'],
] as const)(
  '5.2 a creation that surely failed (%s) is written down, and a re-run creates at once',
  { tags: 'bundle' },
  async (_, fault, reason) => {
    const emulator = ownWorld()
    emulator.faults.add({ match: { host: 'service' }, fault })
    const { said, ...result } = await emulator.ask('/docs explain')
    expectOutcome(result, 'error', reason)
    expect(emulator.records()).toMatchObject([{ state: 'closed' }])
    // It is a new comment, so that people are notified (5.4).
    expect(emulator.calls('github').filter((call) => /^POST .*\/comments$/.test(call))).toHaveLength(2)
    expect(emulator.reactions(said.id)).toEqual(['confused'])
    expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
    expect(emulator.promptCounts()).toEqual([1])
    expect(emulator.bodies()).toHaveLength(1)
    expect(emulator.reactions(said.id)).toEqual(['rocket'])
  },
)

test('5.2 a lost answer to a message speaks of the message, and only the next re-run sends it again', async () => {
  const emulator = ownWorld()
  const first = await emulator.ask('/docs explain')
  const match = { host: 'service', method: 'POST' } as const
  emulator.faults.add({ match, fault: { kind: 'reset', when: 'after' } })
  const { said, ...result } = await emulator.ask('/docs shorten')
  expectOutcome(result, 'error', 'creation-uncertain')
  const id = first.outputs['job-id']
  const told = `It is not known whether the job ${id} got the request`
  expect(result.log).toContain(told)
  expect(result.log).toContain(
    "Look at the job in Mintlify's dashboard. If it has the request, wait for its pull request; if not, re-run the workflow.",
  )
  expect(emulator.lastWords()).toContain(told.replace(id ?? '', `\`${id}\``))
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
  expect(emulator.service.jobs()).toHaveLength(1)
})

test.each(['before', 'after'] as const)(
  '5.2 a lost answer (reset %s) is told, and only the next re-run creates',
  { tags: 'bundle' },
  async (when) => {
    const emulator = ownWorld()
    emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'reset', when } })
    const { said, ...result } = await emulator.ask('/docs explain')
    expectOutcome(result, 'error', 'creation-uncertain')
    expect(emulator.lastWords()).toMatch(/not known whether a job was started[\s\S]*dashboard/)
    expect(emulator.prompts()).toHaveLength(1)
    expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
    expect(emulator.prompts()).toHaveLength(2)
    expect(emulator.bodies()).toHaveLength(1)
    expect(emulator.reactions(said.id)).toEqual(['rocket'])
  },
)

test('5.2 a status comment that somebody deletes is made up for', async () => {
  const emulator = ownWorld()
  const call = () => emulator.written().forEach(({ id }) => void emulator.github.deleteComment(id))
  emulator.faults.add({ match: { host: 'service', method: 'GET' }, fault: { kind: 'call', call } })
  const { said, ...result } = await emulator.ask('/docs explain')
  expectOutcome(result, 'pull-request')
  expect(emulator.bodies()).toHaveLength(1)
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
  expect(emulator.promptCounts()).toEqual([1])
})

test('5.4 update: the status comment becomes the result', async () => {
  const emulator = ownWorld()
  const result = await emulator.ask('/docs explain', { inputs: { comment: 'update' } })
  expectOutcome(result, 'pull-request')
  const all = emulator.calls('github')
  expect(all.filter((call) => /^POST .*issues\/12\/comments$/.test(call))).toHaveLength(1)
  expect(all.filter((call) => /^DELETE .*comments\/\d+$/.test(call))).toEqual([])
  expect(emulator.bodies()).toHaveLength(1)
})

test('5.4 off: no comment anywhere', async () => {
  const emulator = ownWorld()
  const result = await emulator.ask('/docs explain', { inputs: { comment: 'off' } })
  expectOutcome(result, 'pull-request')
  expect([...emulator.bodies(), ...emulator.bodies(77)]).toEqual([])
})

test.each([
  ['was being sent', CREATE, 'creation-uncertain'],
  ['works', READ, ''],
])(
  '5.2 4.3 a dry run in between tells nothing of a request that %s when its run was lost',
  async (_, at, reason) => {
    const emulator = ownWorld()
    const said = emulator.say('/docs explain')
    await emulator.interrupted(emulator.given(said, { post: false }), at, { when: 'after' })
    const before = [emulator.bodies(), emulator.reactions(said.id), emulator.records()]
    const dry = await emulator.act(said, { attempt: 2, inputs: { 'dry-run': 'true' } })
    expectOutcome(dry, 'skipped', 'dry-run')
    expect([emulator.bodies(), emulator.reactions(said.id), emulator.records()]).toEqual(before)
    expect((await emulator.act(said, { attempt: 3 })).outputs.reason).toBe(reason)
    expect(emulator.promptCounts()).toEqual([1])
  },
)

test('H2 5.1 the thread knows a job that ends at once before anything follows its end', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ answerStatus: 'completed' })
  const said = emulator.say('/docs explain')
  const reaction = { host: 'github', path: /\/reactions/ } as const
  await emulator.interrupted(emulator.given(said, { post: false }), reaction, { skip: 2 })
  emulator.faults.clear()
  const [id] = emulator.service.jobs().map((job) => job.id)
  expect(emulator.records()).toMatchObject([{ job: { id } }])
  const { outputs } = await emulator.act(said, { attempt: 2 })
  expect(outputs).toMatchObject({ 'job-id': id, 'job-action': 'resumed' })
  expect(emulator.promptCounts()).toEqual([1])
})
