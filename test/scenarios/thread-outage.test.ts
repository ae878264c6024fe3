import { expect, test } from 'vitest'
import { SAYS } from '../helpers/phrases.ts'
import {
  bundleWorld,
  expectOutcome,
  IN_BUNDLE,
  ISSUE,
  ownWorld,
  READ,
  type World,
  world,
} from '../helpers/world.ts'

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
  expect(emulator.records()).toMatchObject([{ state: 'reported', settled: true }])
})

test.skipIf(IN_BUNDLE)(
  '5.6 a thread that takes no edit either: the warning says what it shows, and a sweep makes up for it',
  async () => {
    const emulator = world()
    lockWhileWorking(emulator)
    const match = { host: 'github', method: 'PATCH' } as const
    emulator.faults.add({ match, skip: 1, fault: { kind: 'status', status: 403 } })
    const result = await emulator.ask('/docs explain')
    expectOutcome(result, 'pull-request')
    const message = expect.stringMatching(/^Could not .*lock.* still shows an earlier state of this request/)
    expect(result.annotations).toMatchObject([{ level: 'warning', message }])
    const issue = emulator.github.repo().issues.get(ISSUE)
    if (issue !== undefined) issue.locked = false
    // As long as the run may wait for the job, no sweep takes it.
    await emulator.pass(51 * 60_000)
    await emulator.collect()
    expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  },
)

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

test('5.4 5.6 a status comment that GitHub does not delete is one warning, and the result stands', async () => {
  const emulator = world()
  const match = { host: 'github', method: 'DELETE', path: /issues\/comments\/\d+$/ } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 403 } })
  const result = await emulator.ask('/docs explain')
  expectOutcome(result, 'pull-request')
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringContaining('delete the comment that a newer one replaced') },
  ])
  expect(emulator.lastWords()).toContain(SAYS.opened)
})

test.skipIf(IN_BUNDLE)(
  '5.4 5.7 a comment that GitHub takes long after its answer was lost goes, too',
  async () => {
    const emulator = world()
    const match = { host: 'github', method: 'POST', path: /issues\/12\/comments$/ } as const
    emulator.faults.add({ match, fault: { kind: 'reset', when: 'late', lateMs: 1500 } })
    expectOutcome(await emulator.ask('/docs explain'), 'pull-request')
    expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
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

test('5.4 5.5 a reply on the pull request is offered only where it leads back to the job', async () => {
  const emulator = ownWorld()
  const match = { method: 'POST', path: /issues\/77\/comments$/ }
  emulator.faults.add({ match, fault: { kind: 'status', status: 403 } })
  await emulator.ask('/docs explain')
  expect(emulator.lastWords()).toContain('To ask for changes, reply here with')
})

test('5.7 the token follows no link to another host', async () => {
  const [emulator, elsewhere] = [await bundleWorld(), await bundleWorld()]
  const headers = { link: `<${elsewhere.githubUrl}/steal>; rel="next"`, 'content-type': 'application/json' }
  emulator.faults.add({
    match: { host: 'github', method: 'GET', path: /comments$/ },
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'status', status: 200, headers, body: '[]' },
  })
  expectOutcome(await emulator.ask('/docs explain'), 'error', 'github-unavailable')
  expect([elsewhere.requests, emulator.calls('service')]).toEqual([[], []])
})
