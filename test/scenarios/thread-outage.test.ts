import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { ask, bodies, expectOutcome, ISSUE, ownWorld, world } from './conversation-helpers.ts'

test('5.6 a locked thread: the job runs, and one warning says what to do', async () => {
  const emulator = await world()
  emulator.github.lock(ISSUE)
  const { result } = await ask(emulator, '/docs explain')
  expectOutcome(result, 'pull-request')
  expect(result.exitCode).toBe(0)
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(/lock/i) }])
})

test.each([
  ['issues: read', { issues: 'read', pull_requests: 'none' }],
  ['nothing', { issues: 'none', pull_requests: 'none' }],
] as const)(
  '5.6 a token with %s: the job runs, and one warning names the permission to add',
  async (_, permissions) => {
    const emulator = await world({ permissions })
    const { result } = await ask(emulator, '/docs explain')
    expectOutcome(result, 'pull-request')
    expect(result.exitCode).toBe(0)
    expect(result.annotations).toHaveLength(1)
    expect(result.annotations[0]).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/Add the line issues: (read|write) under permissions: of the job/),
    })
    expect(bodies(emulator)).toEqual([])
    expect(result.outputs['pr-link']).not.toBe('')
  },
)

test.each<[string, Fault]>([
  ['does not answer', { kind: 'reset' }],
  [
    'answers 403',
    { kind: 'status', status: 403, body: { message: 'Resource not accessible by integration' } },
  ],
  ['answers 401', { kind: 'status', status: 401, body: { message: 'Bad credentials' } }],
  ['is down', { kind: 'status', status: 503, headers: { 'retry-after': '0' } }],
  ['talks nonsense', { kind: 'html', status: 200 }],
])(
  '5.6 GitHub %s from the permission on: the job runs and ends as it should, with one warning',
  async (_, fault) => {
    const emulator = await world()
    emulator.faults.add({ match: { host: 'github' }, skip: 1, times: Number.POSITIVE_INFINITY, fault })
    const { result } = await ask(emulator, '/docs explain')
    expectOutcome(result, 'pull-request')
    expect(result.exitCode).toBe(0)
    expect(result.annotations, result.log).toHaveLength(1)
    expect(result.annotations[0]?.level).toBe('warning')
    expect(emulator.service.jobs()).toHaveLength(1)
    expect(result.outputs).toMatchObject({ 'job-action': 'created', 'comment-url': '' })
  },
  60_000,
)

test('5.6 a failure of the job stays red, whatever GitHub says', async () => {
  const emulator = await ownWorld()
  emulator.service.script.push({ ending: 'failed' })
  emulator.faults.add({
    match: { host: 'github' },
    skip: 1,
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'reset' },
  })
  const { result } = await ask(emulator, '/docs explain')
  expectOutcome(result, 'failed')
  expect(result.exitCode).toBe(1)
})

test.each([
  ['500 once', { kind: 'status', status: 500, headers: { 'retry-after': '0' } }],
  ['a rate limit', { kind: 'status', status: 403, headers: { 'retry-after': '0' } }],
  ['429', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
  [
    'a spent budget',
    {
      kind: 'status',
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000000000' },
    },
  ],
] as const)('5.7 %s is retried, and the thread is told', async (_, fault) => {
  const emulator = await ownWorld()
  for (let at = 0; at < 10; at++) emulator.faults.add({ match: { host: 'github' }, skip: 6 * at, fault })
  const { result } = await ask(emulator, '/docs explain')
  expectOutcome(result, 'pull-request')
  expect(result.annotations).toEqual([])
  expect(bodies(emulator)).toHaveLength(1)
})

test('5.7 no more than three times', async () => {
  const emulator = await ownWorld()
  const fault = { kind: 'status', status: 500, headers: { 'retry-after': '0' } } as const
  emulator.faults.add({ match: { path: /permission$/ }, times: Number.POSITIVE_INFINITY, fault })
  await ask(emulator, '/docs explain')
  expect(emulator.requests.filter(({ path }) => path.endsWith('/permission'))).toHaveLength(4)
})
