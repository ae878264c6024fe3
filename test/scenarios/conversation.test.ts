import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import {
  ask,
  bodies,
  calls,
  expectOutcome,
  ISSUE,
  lastWords,
  ownWorld,
  promptCounts,
  prompts,
  reactions,
  records,
  world,
} from './conversation-helpers.ts'
import { refresh } from './refresh-helpers.ts'

const PR = 77
const skipping = { inputs: { conversation: 'skip' } }

test('4.9 5.5 the conversation goes on in the thread and on the agent’s pull request, with one job', async () => {
  const emulator = await ownWorld()
  const first = await ask(emulator, '/docs explain')
  expect(bodies(emulator, PR)).toHaveLength(1)
  expect(bodies(emulator, PR)[0]).toMatch(/^This pull request answers octo\/app#12\./)

  const second = await ask(emulator, '/docs shorten it')
  const third = await ask(emulator, '/docs and a table', { by: 'bob', on: PR })
  for (const { result } of [second, third]) {
    expectOutcome(result, 'pull-request')
    expect(result.outputs).toMatchObject({
      'job-action': 'continued',
      'job-id': first.result.outputs['job-id'],
    })
  }
  expect(promptCounts(emulator)).toEqual([3])
  expect(prompts(emulator).slice(1)).toEqual(['shorten it', 'and a table'])
  expect(bodies(emulator, PR).filter((body) => body.includes('answers'))).toHaveLength(1)
  expect(lastWords(emulator, PR)).toMatch(/^\*\*✅ The docs agent finished its work on .* for @bob\./)
  expect(bodies(emulator)).toHaveLength(2)
  expect(reactions(emulator, third.said.id)).toEqual(['rocket'])
})

test('5.5 a pull request elsewhere gets no comment, and no warning', async () => {
  const emulator = await world()
  const { result } = await ask(emulator, '/docs explain')
  expectOutcome(result, 'pull-request')
  expect(bodies(emulator, PR)).toEqual([])
  expect(calls(emulator).filter((call) => call.includes('/issues/77'))).toEqual([])
  expect(result.annotations).toEqual([])
})

test('4.9 skip, while the pull request is open; new always starts one', async () => {
  const emulator = await ownWorld()
  const first = await ask(emulator, '/docs explain', {}, skipping)
  expectOutcome(first.result, 'pull-request')
  const second = await ask(emulator, '/docs more', {}, skipping)
  expectOutcome(second.result, 'skipped', 'pull-request-open')
  expect(second.result.exitCode).toBe(0)
  expect(lastWords(emulator)).toMatch(/Nothing new was started: \[octo\/app#77\]/)
  expect(second.result.outputs['pr-link']).toBe('https://github.com/octo/app/pull/77')
  await ask(emulator, '/docs explain more', {}, { inputs: { conversation: 'new' } })
  expect(promptCounts(emulator)).toEqual([1, 1])
})

test('4.9 skip, while the job is active', async () => {
  const emulator = await ownWorld()
  emulator.service.script.push({ ending: 'active-forever' })
  await ask(emulator, '/docs explain', {}, { inputs: { wait: 'false' } })
  const { result } = await ask(emulator, '/docs more', {}, skipping)
  expectOutcome(result, 'skipped', 'job-active')
  expect(lastWords(emulator)).toContain('is still working')
  expect(promptCounts(emulator)).toEqual([1])
})

test('4.9 skip, when the job has ended without a pull request, starts a new one', async () => {
  const emulator = await ownWorld()
  emulator.service.script.push({ pr: 'none' })
  await ask(emulator, '/docs explain', {}, skipping)
  expectOutcome((await ask(emulator, '/docs more', {}, skipping)).result, 'pull-request')
  expect(promptCounts(emulator)).toEqual([1, 1])
})

const id = (emulator: Emulator) => emulator.service.jobs()[0]?.id ?? ''
test.each<[string, (emulator: Emulator) => void, string, number[]]>([
  ['merged', ({ github }) => github.closePullRequest(PR, { merged: true }), 'is merged', [1, 1]],
  ['closed', ({ github }) => github.closePullRequest(PR), 'is closed', [1, 1]],
  ['archived', (emulator) => emulator.service.archive(id(emulator)), 'is archived', [1, 1]],
  ['gone', (emulator) => emulator.service.forget(id(emulator)), 'no longer exists', [1]],
])('4.9 when it is %s, a new job is made, and the comment says why', async (_, change, note, expected) => {
  const emulator = await ownWorld()
  await ask(emulator, '/docs explain')
  change(emulator)
  const { result } = await ask(emulator, '/docs more')
  expectOutcome(result, 'pull-request')
  expect(result.outputs['job-action']).toBe('created')
  expect(lastWords(emulator)).toContain(note)
  expect(promptCounts(emulator)).toEqual(expected)
  expect(prompts(emulator).at(-1)).toContain('Nobody explains them.')
})

test('4.9 gone between the look and the message, a new job is made all the same', async () => {
  const emulator = await ownWorld()
  await ask(emulator, '/docs explain')
  const call = () => emulator.service.forget(id(emulator))
  emulator.faults.add({ match: { path: /message$/ }, fault: { kind: 'call', call } })
  const { result } = await ask(emulator, '/docs more')
  expectOutcome(result, 'pull-request')
  expect(lastWords(emulator)).toContain('no longer exists')
  expect(records(emulator)).toHaveLength(2)
})

test.each([
  ['a private repository', {}],
  ['a token that may not', { docsRepository: 'octo/app', permissions: { pull_requests: 'none' } as const }],
])(
  '4.9 a pull request that the token cannot read counts as open, and the comment says so: %s',
  async (_, options) => {
    const emulator = await world(options)
    await ask(emulator, '/docs explain')
    const { result } = await ask(emulator, '/docs more')
    expectOutcome(result, 'pull-request')
    expect(result.outputs['job-action']).toBe('continued')
    expect(lastWords(emulator)).toContain('could not be read, so it counts as open')
    expectOutcome((await ask(emulator, '/docs more', {}, skipping)).result, 'skipped', 'pull-request-open')
  },
)

test('4.9 an explicit job-id is continued, whatever the thread remembers', async () => {
  const emulator = await ownWorld()
  const { result } = await ask(emulator, '/docs explain')
  const first = result.outputs['job-id'] ?? ''
  await ask(emulator, '/docs new other')
  const third = await ask(emulator, '/docs more', {}, { inputs: { 'job-id': first } })
  expect(third.result.outputs).toMatchObject({ 'job-id': first, 'job-action': 'continued' })
  expect(promptCounts(emulator)).toEqual([2, 1])
})

test('4.9 an explicit job-id that answers 404 is job-not-found, and nothing is created', async () => {
  const emulator = await world()
  const { result, said } = await ask(emulator, '/docs explain', {}, { inputs: { 'job-id': 'j_none' } })
  expectOutcome(result, 'error', 'job-not-found')
  expect(promptCounts(emulator)).toEqual([])
  expect(bodies(emulator, ISSUE)).toHaveLength(1)
  expect(reactions(emulator, said.id)).toEqual(['confused'])
})

test('5.2 a thread’s memory is kept per project', async () => {
  const emulator = await ownWorld()
  await ask(emulator, '/docs explain')
  emulator.clearRequests()
  await ask(emulator, '/docs more', {}, { inputs: { 'project-id': 'other' } })
  expect(calls(emulator, 'service')).toEqual(['POST /v2/agent/other/job'])
})

test('4.9 skip starts nothing in a thread that is not there, and needs one', async () => {
  const emulator = await world()
  const inputs = { conversation: 'skip', 'issue-number': '999' }
  const result = await refresh(emulator, 1, inputs)
  expectOutcome(result, 'error', 'bad-input')
  expect(result.annotations[0]?.message).toContain('check issue-number')
  expect(calls(emulator, 'service')).toEqual([])
  const without = await refresh(emulator, 2, { conversation: 'skip' })
  expectOutcome(without, 'pull-request')
  expect(without.annotations[0]?.message).toContain('has no thread')
})
