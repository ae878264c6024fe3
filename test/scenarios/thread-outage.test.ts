import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { CODE, codeWorld, happens } from '../helpers/code-world.ts'
import { SAYS } from '../helpers/phrases.ts'
import { expectOutcome, IN_BUNDLE, ISSUE, ownWorld, READ, type World, world } from '../helpers/world.ts'

/** Locks the thread as soon as the agent has the request. */
const lockWhileWorking = ({ faults, github }: World) =>
  faults.add({ match: READ, fault: { kind: 'call', call: () => github.lock(ISSUE) } })

test('5.4 5.6 a thread that is locked while the job works shows the result in the comment that it has', async () => {
  const emulator = world()
  lockWhileWorking(emulator)
  const result = await emulator.ask('/docs explain')
  expectOutcome(result, 'pull-request')
  const message = expect.stringMatching(/^Could not write the result as a new comment .*locked.*Unlock/)
  expect(result.annotations).toMatchObject([{ level: 'warning', message }])
  expect(result.annotations[0]?.message).not.toContain('earlier state')
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expect(emulator.records()).toMatchObject([{ state: 'ended', effectsDone: true }])
})

test.each([
  [403, 'Resource not accessible by integration'],
  [401, 'Bad credentials'],
])(
  '5.6 GitHub answers %i from the permission on: the job runs and ends as it should, with one warning',
  async (status, message) => {
    const emulator = world()
    const fault = { kind: 'status', status, body: { message } } as const
    emulator.faults.add({ match: { host: 'github' }, skip: 1, times: Number.POSITIVE_INFINITY, fault })
    const result = await emulator.ask('/docs explain')
    expectOutcome(result, 'pull-request')
    expect(result.exitCode).toBe(0)
    expect(result.annotations, result.log).toMatchObject([{ level: 'warning' }])
    expect(result.outputs).toMatchObject({ 'job-action': 'created', 'comment-url': '' })
  },
)

test.each([403, 404, 401])(
  '5.4 a thread that GitHub shows, and then no more (%i), still takes replies: the result says so',
  async (status) => {
    const emulator = world()
    const match = { method: 'GET', path: /\/issues\/12\/comments$/ }
    emulator.faults.add({ match, skip: 1, times: 9, fault: { kind: 'status', status } })
    await emulator.ask('/docs explain')
    expect(emulator.lastWords()).toContain('To ask for changes, reply here')
  },
)

test('5.7 a write whose answer cannot be read is looked for before it is tried again', async () => {
  const emulator = ownWorld()
  const match = { host: 'github', method: 'POST', path: /issues\/(12|77)\/comments$/ } as const
  emulator.faults.add({ match, times: 3, fault: { kind: 'truncated' } })
  const { annotations } = await emulator.ask('/docs explain')
  expect(annotations).toEqual([])
  const posts = emulator.requests.filter(({ method, path }) => method === 'POST' && match.path.test(path))
  expect(posts.map(({ path }) => path.replace(/^.*issues/, ''))).toEqual([
    ...['/12/comments', '/77/comments', '/12/comments'],
  ])
})

test.runIf(IN_BUNDLE)('5.7 the token follows no link to another host', { tags: 'bundle' }, async () => {
  const [emulator, elsewhere] = [world(), world()]
  const headers = { link: `<${elsewhere.githubUrl}/steal>; rel="next"`, 'content-type': 'application/json' }
  emulator.faults.add({
    match: { host: 'github', method: 'GET', path: /comments$/ },
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'status', status: 200, headers, body: '[]' },
  })
  expectOutcome(await emulator.ask('/docs explain'), 'error', 'github-unavailable')
  expect([elsewhere.requests, emulator.calls('service')]).toEqual([[], []])
})

describe('5.2 a comment that GitHub takes counts, also where it refuses to show the thread', () => {
  const refused: FaultMatch = { host: 'github', method: 'GET', path: /\/issues\/\d+\/comments$/ }
  const fault = {
    kind: 'status',
    status: 403,
    body: { message: 'Resource not accessible by integration' },
  } as const
  test.each<[string, (emulator: World) => Promise<RunResult>]>([
    ['a command', (emulator) => emulator.ask('/docs explain', { on: CODE })],
    ['a push', (emulator) => happens(emulator, 'opened')],
    ['a skip', (emulator) => emulator.ask('/docs skip because tests', { on: CODE })],
  ])('%s', async (_, comes) => {
    const emulator = codeWorld()
    emulator.faults.add({ match: refused, times: 99, fault })
    const { outputs, log } = await comes(emulator)
    expect(outputs['comment-url']).toContain('#issuecomment-')
    expect(emulator.bodies(CODE)).toHaveLength(1)
    expect(log).not.toContain('does not remember this skip')
  })
})
