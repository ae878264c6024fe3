import { expect, test } from 'vitest'
import { ask, bodies, calls, expectOutcome, ISSUE, ownWorld, world } from './conversation-helpers.ts'

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

test.each([
  [403, 'Resource not accessible by integration'],
  [401, 'Bad credentials'],
])(
  '5.6 GitHub answers %i from the permission on: the job runs and ends as it should, with one warning',
  async (status, message) => {
    const emulator = await world()
    const fault = { kind: 'status', status, body: { message } } as const
    emulator.faults.add({ match: { host: 'github' }, skip: 1, times: Number.POSITIVE_INFINITY, fault })
    const { result } = await ask(emulator, '/docs explain')
    expectOutcome(result, 'pull-request')
    expect(result.exitCode).toBe(0)
    expect(result.annotations, result.log).toMatchObject([{ level: 'warning' }])
    expect(result.outputs).toMatchObject({ 'job-action': 'created', 'comment-url': '' })
  },
)

test.each([
  [429, { 'retry-after': '0' }],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000000000' }],
] as const)('5.7 a limit (%i %j) is waited for, and the thread is told', async (status, headers) => {
  const emulator = await ownWorld()
  const fault = { kind: 'status', status, headers } as const
  for (let at = 0; at < 10; at++) emulator.faults.add({ match: { host: 'github' }, skip: 6 * at, fault })
  const { result } = await ask(emulator, '/docs explain')
  expectOutcome(result, 'pull-request')
  expect(result.annotations).toEqual([])
  expect(bodies(emulator)).toHaveLength(1)
})

test('5.7 the token follows no link to another host', async () => {
  const [emulator, elsewhere] = [await world(), await world()]
  const headers = { link: `<${elsewhere.githubUrl}/steal>; rel="next"`, 'content-type': 'application/json' }
  emulator.faults.add({
    match: { host: 'github', method: 'GET', path: /comments$/ },
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'status', status: 200, headers, body: '[]' },
  })
  expectOutcome((await ask(emulator, '/docs explain')).result, 'error', 'github-unavailable')
  expect([elsewhere.requests, calls(emulator, 'service')]).toEqual([[], []])
})
