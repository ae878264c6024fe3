import { expect, test } from 'vitest'
import { expectOutcome, ISSUE, ownWorld, world } from '../helpers/world.ts'

test.each([
  ['hello', {}, 'not-a-command'],
  ['/docs explain', { action: 'edited' }, 'not-a-new-comment'],
  ['/docs explain', { action: 'deleted' }, 'not-a-new-comment'],
  ['/docs explain', { by: 'other[bot]' }, 'bot'],
])('3.1 3.4 %j %j: no request to anyone, green, nothing said', async (body, saying, reason) => {
  const emulator = world()
  const { said, ...result } = await emulator.ask(body, saying)
  expectOutcome(result, 'skipped', reason)
  expect(result.exitCode).toBe(0)
  expect(emulator.requests).toEqual([])
  expect(result.annotations).toEqual([])
  expect(emulator.reactions(said.id)).toEqual([])
})

test.each(['/docs', '/docs help', '/docs new'])(
  '3.2 %s answers with the usage, and starts nothing',
  async (body) => {
    const emulator = world()
    const { said, ...result } = await emulator.ask(body)
    expectOutcome(result, 'skipped', 'help')
    expect(emulator.calls('service')).toEqual([])
    expect(emulator.bodies()).toHaveLength(1)
    expect(emulator.lastWords()).toContain('`/docs new …`')
    expect(emulator.reactions(said.id)).toEqual(['+1'])
  },
)

test('3.2 status reads the thread’s job once, and answers with its state', async () => {
  const emulator = ownWorld()
  const none = await emulator.ask('/docs status')
  expectOutcome(none, 'skipped', 'status')
  expect(emulator.lastWords()).toContain('This thread has no job')
  expect(emulator.calls('service')).toEqual([])

  await emulator.ask('/docs explain')
  emulator.clearRequests()
  const { said, ...result } = await emulator.ask('/docs status')
  expectOutcome(result, 'skipped', 'status')
  const [job] = emulator.service.jobs()
  expect(emulator.calls('service')).toEqual([`GET /v2/agent/docs/job/${job?.id}`])
  expect(emulator.lastWords()).toMatch(new RegExp(`${job?.id}.*completed[\\s\\S]*octo/app#77`))
  expect(result.outputs).toMatchObject({ 'job-id': job?.id, status: 'completed', 'job-action': 'none' })
  expect(emulator.reactions(said.id)).toEqual(['+1'])
})

test('3.2 new starts a new job, and the thread goes on with that one', async () => {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  const result = await emulator.ask('/docs new begin again')
  expectOutcome(result, 'pull-request')
  expect(result.outputs['job-action']).toBe('created')
  await emulator.ask('/docs more')
  expect(emulator.promptCounts()).toEqual([1, 2])
})

test('3.7 what is edited after the trigger changes nothing', async () => {
  const emulator = world()
  const said = emulator.say('/docs explain')
  emulator.github.editComment(said.id, '/docs delete everything')
  const issue = emulator.github.repository('octo/app')?.issues.get(ISSUE)
  if (issue) Object.assign(issue, { title: 'EVIL', body: 'EVIL' })
  expectOutcome(await emulator.act(said), 'pull-request')
  expect(emulator.prompts()).toHaveLength(1)
  expect(emulator.prompts()[0]).toContain('explain')
  expect(emulator.prompts()[0]).toContain('edited after the event, and are left out')
  expect(emulator.prompts()[0]).not.toMatch(/delete everything|EVIL/)
})

test('3.6 the event’s own thread comes before issue-number', async () => {
  const emulator = ownWorld()
  emulator.github.addIssue({ number: 20 })
  await emulator.ask('/docs explain', { inputs: { 'issue-number': '20' } })
  expect(emulator.bodies()).toHaveLength(1)
  expect(emulator.bodies(20)).toEqual([])
})
