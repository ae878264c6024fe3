import { describe, expect, test } from 'vitest'
import { expectOutcome, ownWorld, READ, type World, world } from '../helpers/world.ts'

const PR = 77
const skipping = { inputs: { conversation: 'skip' } }

test('4.9 5.5 the conversation goes on in the thread and on the agent’s pull request, with one job', {
  tags: 'bundle',
}, async () => {
  const emulator = ownWorld()
  const first = await emulator.ask('/docs explain')
  expect(emulator.bodies(PR)).toHaveLength(1)
  expect(emulator.bodies(PR)[0]).toMatch(/^This pull request answers octo\/app#12\./)
  // Its first words could not say so yet.
  expect(emulator.lastWords()).toContain('To ask for changes, reply here or there with')

  const second = await emulator.ask('/docs shorten it')
  const third = await emulator.ask('/docs and a table', { by: 'bob', on: PR })
  for (const result of [second, third]) {
    expectOutcome(result, 'pull-request')
    expect(result.outputs).toMatchObject({
      'job-action': 'continued',
      'job-id': first.outputs['job-id'],
    })
  }
  expect(emulator.promptCounts()).toEqual([3])
  expect(emulator.prompts().slice(1)).toEqual(['shorten it', 'and a table'])
  expect(emulator.bodies(PR).filter((body) => body.includes('answers'))).toHaveLength(1)
  expect(emulator.lastWords(PR)).toMatch(/^\*\*✅ The docs agent finished its work on .* for @bob\./)
  expect(emulator.bodies()).toHaveLength(2)
  expect(emulator.reactions(third.said.id)).toEqual(['rocket'])
})

const LEADS_BACK =
  'This pull request answers octo/app#12. To ask for changes, comment `/docs …` there, not here.'
const elsewhere = ({ github }: World): string[] => github.comments(PR, 'octo/docs').map(({ body }) => body)
const callsElsewhere = (emulator: World): string[] =>
  emulator.calls().filter((call) => call.includes('/octo/docs/') && !call.endsWith('/files'))

test('5.5 a pull request elsewhere leads to the thread, once', async () => {
  const emulator = world({ tokenCoversDocs: true })
  const { said } = await emulator.ask('/docs explain')
  expect(elsewhere(emulator)).toEqual([LEADS_BACK])
  expect(callsElsewhere(emulator)).toContain('POST /repos/octo/docs/issues/77/comments')
  expect(emulator.lastWords()).toContain('reply here with')
  await emulator.act(said, { attempt: 2 })
  await emulator.ask('/docs shorten it')
  await emulator.collect()
  expect(elsewhere(emulator)).toEqual([LEADS_BACK])
})

test.each([
  ['private', [LEADS_BACK]],
  ['public', []],
] as const)('5.5 of a private thread, a %s pull request elsewhere gets %j', async (visibility, expected) => {
  const emulator = world({ tokenCoversDocs: true, docsRepositoryVisibility: visibility })
  emulator.github.repo().isPrivate = true
  const result = await emulator.ask('/docs explain')
  expect(elsewhere(emulator)).toEqual(expected)
  expect(callsElsewhere(emulator)[0]).toBe('GET /repos/octo/docs/pulls/77')
  expect(result.annotations).toEqual([])
})

test('4.9 4.10 skip, while the pull request is open; new always starts one', async () => {
  const emulator = ownWorld()
  const first = await emulator.ask('/docs explain', skipping)
  expectOutcome(first, 'pull-request')
  const second = await emulator.ask('/docs more', skipping)
  expectOutcome(second, 'skipped', 'pull-request-open')
  expect(second.exitCode).toBe(0)
  expect(emulator.lastWords()).toMatch(/Nothing new was started: \[octo\/app#77\]/)
  expect(second.outputs['pr-link']).toBe('https://github.com/octo/app/pull/77')
  // It names the pull request also where only the thread knows it.
  const body = JSON.stringify({ id: first.outputs['job-id'], status: 'completed' })
  emulator.faults.add({ match: READ, fault: { kind: 'wrongType', body } })
  const third = await emulator.ask('/docs more', skipping)
  expect(third.outputs['pr-link']).toBe(second.outputs['pr-link'])
  await emulator.ask('/docs explain more', { inputs: { conversation: 'new' } })
  expect(emulator.promptCounts()).toEqual([1, 1])
})

const id = (emulator: World) => emulator.service.jobs()[0]?.id ?? ''

describe('4.9 a turn that names no pull request', () => {
  const FORGETS = { pr: null }
  const SAYS =
    /^\*\*ℹ️ The docs agent finished without changing \[octo\/app#77\]\(\S+\)\*\* for @alice\.\nIt found nothing/

  test('changed nothing of the job’s own, and the next request still sees that it was merged', async () => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    emulator.service.script.push(FORGETS, FORGETS)
    const second = await emulator.ask('/docs shorten it', { runId: 2 })
    expectOutcome(second, 'no-pull-request')
    expect(second.outputs['pr-link']).toBe('')
    expect(emulator.lastWords()).toMatch(SAYS)
    const third = await emulator.ask('/docs and a table', { runId: 3 })
    expect(third.outputs).toMatchObject({ outcome: 'no-pull-request', 'job-action': 'continued' })
    expect(emulator.lastWords()).toMatch(SAYS)
    emulator.github.closePullRequest(PR, { merged: true })
    const fourth = await emulator.ask('/docs more', { runId: 4 })
    expect(fourth.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'created' })
    expect(emulator.lastWords()).toContain('is merged')
  })
})

test('4.9 gone between the look and the message, a new job is made all the same', async () => {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  const call = () => emulator.service.forget(id(emulator))
  emulator.faults.add({ match: { path: /message$/ }, fault: { kind: 'call', call } })
  const result = await emulator.ask('/docs more')
  expectOutcome(result, 'pull-request')
  expect(emulator.lastWords()).toContain('no longer exists')
  expect(emulator.records()).toHaveLength(2)
})

test.each([
  ['a private repository', {}],
  ['a token that may not', { docsRepository: 'octo/app', permissions: { pull_requests: 'none' } as const }],
])(
  '4.9 a pull request that the token cannot read counts as open, and the comment says so: %s',
  async (_, options) => {
    const emulator = world(options)
    await emulator.ask('/docs explain')
    const result = await emulator.ask('/docs more')
    expectOutcome(result, 'pull-request')
    expect(result.outputs['job-action']).toBe('continued')
    expect(emulator.lastWords()).toContain('could not be read, so it counts as open')
    expectOutcome(await emulator.ask('/docs more', skipping), 'skipped', 'pull-request-open')
  },
)

test('4.9 an explicit job-id is continued, whatever the thread remembers', async () => {
  const emulator = ownWorld()
  const result = await emulator.ask('/docs explain')
  const first = result.outputs['job-id'] ?? ''
  await emulator.ask('/docs new other')
  const third = await emulator.ask('/docs more', { inputs: { 'job-id': first } })
  expect(third.outputs).toMatchObject({ 'job-id': first, 'job-action': 'continued' })
  expect(emulator.promptCounts()).toEqual([2, 1])
})
