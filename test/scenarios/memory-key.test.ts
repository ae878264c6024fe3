import { expect, test } from 'vitest'
import { digestOfProject } from '../../src/record/request-digest.ts'
import { SAYS } from '../helpers/phrases.ts'
import { BOT, CREATE, expectOutcome, ISSUE, ownWorld, type World, world } from '../helpers/world.ts'

/** Keys that `world` knows to look for in what a run shows. */
const [OLD, NEXT, MEMORY] = ['test-key', 'test-key-of-the-next-quarter', 'test-key-of-the-memory-alone']
const REMEMBERED = { inputs: { 'memory-key': MEMORY } }
const RENEWED = { inputs: { 'api-key': NEXT, 'memory-key': MEMORY } }

const renew = ({ service }: World) => {
  service.apiKey = NEXT
}

test('5.1 with a memory-key, a thread survives a new api-key', { tags: 'bundle' }, async () => {
  const emulator = ownWorld()
  const first = await emulator.ask('/docs explain', REMEMBERED)
  renew(emulator)
  const second = await emulator.ask('/docs more', RENEWED)
  expectOutcome(second, 'pull-request')
  const job = { 'job-id': first.outputs['job-id'], 'job-action': 'continued' }
  expect(second.outputs).toMatchObject(job)
  // So does the way back from its pull request.
  const there = await emulator.ask('/docs on the pull request', { on: 77, ...RENEWED })
  expect(there.outputs).toMatchObject(job)
})

test('5.1 an earlier api-key as memory-key keeps the threads that it signed', async () => {
  const apiKey = 'test-key-of-the-first-quarter'
  const emulator = ownWorld({ apiKey })
  await emulator.ask('/docs explain', { inputs: { 'api-key': apiKey } })
  renew(emulator)
  await emulator.ask('/docs more', { inputs: { 'api-key': NEXT, 'memory-key': apiKey } })
  await emulator.ask('/docs forgets', { inputs: { 'api-key': NEXT } })
  expect(emulator.promptCounts()).toEqual([2, 1])
})

test('8.1 collect reports what was started with the api-key before', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ reads: 0 })
  const started = await emulator.ask('/docs explain', { inputs: { ...REMEMBERED.inputs, wait: 'false' } })
  expectOutcome(started, 'started')
  renew(emulator)
  expect((await emulator.collect({ 'api-key': NEXT })).outputs).toMatchObject({ finished: '0' })
  expect((await emulator.collect(RENEWED.inputs)).outputs).toMatchObject({ finished: '1' })
  expect(emulator.lastWords()).toContain(SAYS.opened)
  expect((await emulator.collect(RENEWED.inputs)).outputs).toMatchObject({ finished: '0' })
})

test('1.1 2.3 a memory-key that is echoed reaches nobody', async () => {
  const emulator = world()
  emulator.service.everyTurn = { fields: { model: MEMORY, source: { repository: MEMORY, ref: MEMORY } } }
  const { summary, outputs, masks } = await emulator.ask(`/docs explain ${MEMORY}`, REMEMBERED)
  expect(masks).toContain(MEMORY)
  expect(summary).toContain('explain ***')
  expect(emulator.lastWords()).toContain(' · `***` · ')
  expect(outputs.model).toBe('***')
  const [, payload = ''] = /docs-agent:2:([^:]+)/.exec(emulator.lastWords()) ?? []
  expect(Buffer.from(payload, 'base64url').toString()).not.toContain(MEMORY)
  emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 400, body: { error: MEMORY } } })
  const refused = await emulator.ask('/docs new explain', REMEMBERED)
  expect(refused.log).toContain('***')
  // What `world` checks of each run, it checks of this key as well.
  expect(MEMORY).toContain(OLD)
})

const WAY_BACK = '[Bring it back]('
const OF_NEXT = { inputs: { 'api-key': NEXT } }

/** A thread whose job the key of the next quarter does not know. */
async function forgotten(): Promise<World> {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  renew(emulator)
  return emulator
}

test('5.1 after a key was replaced, the answers and the comment of a new job say so', async () => {
  const emulator = await forgotten()
  await emulator.ask('/docs status', OF_NEXT)
  expect(emulator.lastWords()).toMatch(
    /This thread has no job that this key knows\*\*, @alice\.\nOne comment here was signed with another key\. \[Bring it back\]\(https:\/\/\S+#when-you-replace-the-api-key\)/,
  )
  await emulator.ask('/docs help', OF_NEXT)
  expect(emulator.lastWords()).toContain(WAY_BACK)
  const { log, summary } = await emulator.ask('/docs more', OF_NEXT)
  expect(emulator.promptCounts()).toEqual([1, 1])
  for (const told of [emulator.lastWords(), log, summary]) expect(told).toContain('signed with another key')
  await emulator.ask('/docs status', OF_NEXT)
  expect(emulator.lastWords()).toMatch(/The job `j_\w+` is [\s\S]*\[Bring it back\]/)
  await emulator.ask('/docs and more', OF_NEXT)
  expect(emulator.lastWords(), 'no new job').not.toContain(WAY_BACK)
  await emulator.ask('/docs status', { inputs: { 'api-key': NEXT, 'memory-key': OLD } })
  expect(emulator.lastWords(), 'the two lines').not.toContain(WAY_BACK)
})

/** A comment that ends in a record with this payload, under a key that nobody here has. */
function forged(payload: unknown): string {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const record = `<!-- docs-agent:2:${Buffer.from(text).toString('base64url')}:${'A'.repeat(43)} -->`
  return `words\n\n${record}`
}

const EVIL = {
  state: 'running',
  job: { id: 'EVIL', prLink: 'https://evil.example/EVIL' },
  requestedBy: 'EVIL',
}
const PROJECT = digestOfProject('docs')

test('5.1 of a record of another key nothing but the count is shown', async () => {
  const emulator = ownWorld()
  emulator.github.addComment(ISSUE, { login: BOT, body: forged({ ...EVIL, project: PROJECT }) })
  const { log, summary } = await emulator.ask('/docs status')
  expect(emulator.lastWords()).toContain('One comment here was signed with another key. ')
  for (const shown of [emulator.lastWords(), log, summary]) expect(shown).not.toContain('EVIL')
})

test.each<[string, unknown, string?]>([
  ['of another project', { ...EVIL, project: digestOfProject('api') }],
  ['that is no JSON', '['.repeat(9000)],
  ['of a person', { ...EVIL, project: PROJECT }, 'alice'],
])('5.1 a comment %s does not count', async (_, payload, login = BOT) => {
  const emulator = ownWorld()
  emulator.github.addComment(ISSUE, { login, body: forged(payload) })
  await emulator.ask('/docs status')
  expect(emulator.lastWords()).toMatch(/^\*\*ℹ️ This thread has no job\*\*, @alice\.\n`\/docs …` starts one\./)
})
