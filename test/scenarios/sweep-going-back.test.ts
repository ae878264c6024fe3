import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import { runAction } from '../../emulator/runner.ts'
import { FIX, fixes, MESSAGE } from '../helpers/checked-world.ts'
import { green, MINUTE, PULL, red, steppedWorld, sweep, workflowRun } from '../helpers/stepped-world.ts'
import { rootRun } from '../helpers/sweeps.ts'
import { BOT, ISSUE, SCHEDULE, type World } from '../helpers/world.ts'

// Contract 8.6: who lets failures go back to the agent, and that they go once, whatever happens beside a sweep.

const CLAIM: FaultMatch = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ }
const firstLine = (emulator: World): string => emulator.lastWords().split('\n')[0] ?? ''

/** Its head has failed, and a sweep has reported the job. */
async function redWorld(inputs: Readonly<Record<string, string>> = {}) {
  const emulator = await steppedWorld({ heads: [red(10 * MINUTE)], inputs })
  await sweep(emulator, { afterMs: 0 })
  await emulator.pass(15 * MINUTE)
  emulator.clearRequests()
  return emulator
}

async function ends(emulator: World, many = 4, inputs: Readonly<Record<string, string>> = {}): Promise<void> {
  for (let at = 0; at < many; at += 1) {
    const { exitCode, log } = await sweep(emulator, { inputs })
    expect(exitCode, log).toBe(0)
  }
  for (const record of emulator.records())
    expect(record.state === 'ended' ? record.checks?.isWatched : record.state).not.toBe(true)
}

describe('8.6 what the workflow that asked allows, and what the one that collects allows', () => {
  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, number, RegExp]>([
    ['both', {}, {}, 1, /Its 2 checks pass; failures went back to the agent once\.$/],
    ['the asking one no round', { 'fix-attempts': '0' }, {}, 0, /\*\* for @alice\.$/],
    ['the collecting one no round', {}, { 'fix-attempts': '0' }, 0, /collects allows no more\.$/],
    ['the asking one a request a day', { 'daily-limit': '1' }, {}, 0, /`daily-limit`.*1/],
    ['the collecting one a request a day', {}, { 'daily-limit': '1' }, 0, /`daily-limit`.*1/],
    ['both two a day', { 'daily-limit': '2' }, { 'daily-limit': '2' }, 1, /checks pass/],
    [
      'the collecting one admins',
      {},
      { 'min-permission': 'admin' },
      0,
      /`alice`, who asked, has write permission now, and admin is needed/,
    ],
    ['the collecting one anybody', {}, { 'min-permission': 'none' }, 1, /checks pass/],
  ])('%s', async (_, asking, collecting, sent, says) => {
    const emulator = await redWorld(asking)
    await ends(emulator, 4, collecting)
    expect(fixes(emulator)).toHaveLength(sent)
    expect(firstLine(emulator)).toMatch(says)
  })
})

describe('8.6 the permission of the person is read before each message', () => {
  test.each(['read', 'none'] as const)(
    'one who has %s now: nothing goes back, and the thread says so',
    async (permission) => {
      const emulator = await redWorld()
      emulator.github.setPermission('alice', permission)
      await ends(emulator)
      expect(fixes(emulator)).toEqual([])
      expect(firstLine(emulator)).toContain(
        `No further failures go back: \`alice\`, who asked, has ${permission} permission now`,
      )
      expect(firstLine(emulator)).toMatch(/^\*\*⚠️/)
    },
  )

  test('between two rounds', async () => {
    const other = [{ name: 'links', conclusion: 'failure' as const }, { name: 'build' }]
    const emulator = await steppedWorld({ heads: [red(), other] })
    await sweep(emulator)
    expect(fixes(emulator)).toHaveLength(1)
    emulator.github.setPermission('alice', 'read')
    await ends(emulator)
    expect(fixes(emulator)).toHaveLength(1)
    expect(firstLine(emulator)).toContain('failures went back to the agent once. No further failures go back')
  })

  test('one that cannot be read counts as none', async () => {
    const emulator = await redWorld()
    const match = { host: 'github', path: /\/permission$/ } as const
    emulator.faults.add({ match, fault: { kind: 'status', status: 403 } })
    await ends(emulator)
    expect(fixes(emulator)).toEqual([])
    expect(firstLine(emulator)).toContain('The permission of `alice`, who asked, cannot be read.')
  })

  test('where GitHub is away, the next sweep asks again', async () => {
    const emulator = await redWorld()
    const match = { host: 'github', path: /\/permission$/ } as const
    emulator.faults.add({ match, fault: { kind: 'status', status: 502 }, times: Infinity })
    await sweep(emulator)
    emulator.faults.clear()
    expect(fixes(emulator)).toEqual([])
    expect(firstLine(emulator)).toContain('at the next sweep')
    await ends(emulator)
    expect(fixes(emulator)).toHaveLength(1)
  })

  test.each([
    ['a schedule', SCHEDULE],
    [
      'a push of the button',
      { name: 'workflow_dispatch', payload: { sender: { login: 'mallory', type: 'User' } } },
    ],
  ])('what %s asked goes on as its workflow was allowed to', async (_, event) => {
    const emulator = await steppedWorld()
    for (let at = 0; at < 4; at += 1) await sweep(emulator)
    emulator.clearRequests()
    emulator.github.checks.script.push(red())
    const inputs = { ...FIX, prompt: 'Refresh the docs.', 'issue-title': 'Refresh', 'job-id': '' }
    const result = await runAction(rootRun(emulator, event, { runId: 33, inputs }))
    expect(result.outputs.outcome, result.log).toBe('started')
    for (let at = 0; at < 6; at += 1) await sweep(emulator)
    expect(emulator.calls().filter((call) => call.endsWith('/permission'))).toEqual([])
    expect(fixes(emulator).length).toBeGreaterThan(0)
  })
})

describe('8.6 failures of a head go back once', () => {
  test('a head that moves between the record and the message', async () => {
    const emulator = await redWorld()
    const call = () => emulator.github.push(PULL)
    emulator.faults.add({ match: MESSAGE, fault: { kind: 'call', call } })
    await sweep(emulator)
    await ends(emulator)
    expect(fixes(emulator)).toHaveLength(1)
    expect(firstLine(emulator)).toContain('checks pass')
  })

  test.each([
    ['before the thread is read', 'after', CLAIM, 0],
    ['before the message', 'before', MESSAGE, 1],
    ['after the message', 'after', MESSAGE, 1],
  ] as const)('a person deletes the comment with the record %s', async (_, when, match, sent) => {
    const emulator = await redWorld()
    const call = () => {
      const last = emulator.github.comments(ISSUE).findLast(({ user }) => user.login === BOT)
      if (last !== undefined) emulator.github.deleteComment(last.id)
    }
    emulator.faults.add({ match, fault: { kind: 'call', when, call } })
    await sweep(emulator)
    for (let at = 0; at < 4; at += 1) await sweep(emulator)
    expect(fixes(emulator).length).toBeLessThanOrEqual(1)
    expect(fixes(emulator).length).toBeGreaterThanOrEqual(sent)
  })

  test('a locked thread: nothing goes back, and the comment says so', async () => {
    const emulator = await redWorld()
    emulator.github.lock(ISSUE)
    await ends(emulator, 2)
    expect(fixes(emulator)).toEqual([])
    expect(firstLine(emulator)).toContain('No further failures go back: the thread takes no new comment')
  })

  test('`comment: update`: nothing goes back, and the comment says so', async () => {
    const emulator = await redWorld()
    await ends(emulator, 2, { comment: 'update' })
    expect(fixes(emulator)).toEqual([])
    expect(firstLine(emulator)).toContain(
      'No further failures go back: `collect` sends failures back only with `comment: recreate`',
    )
  })

  test.each([-60, 60])('a runner whose clock is %i minutes off', async (minutes) => {
    const emulator = await redWorld()
    emulator.setRunnerClock(minutes * MINUTE)
    await ends(emulator)
    expect(fixes(emulator)).toHaveLength(1)
    expect(firstLine(emulator)).toContain('Its 2 checks pass; failures went back to the agent once.')
  })

  test.each<[string, FaultMatch, number]>([
    ['GitHub, as it reads the head', { host: 'github', path: /\/check-runs$/ }, 12],
    ['GitHub, as it writes the record', CLAIM, 12],
    [
      'GitHub, as it reads the thread',
      { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ },
      12,
    ],
    ['the service, as it takes the message', MESSAGE, 12],
    ['the service, as the job is read', { host: 'service', method: 'GET' }, 2],
  ])('%s, is away for two minutes', async (_, match, times) => {
    const emulator = await redWorld()
    emulator.faults.add({ match, fault: { kind: 'status', status: 503 }, times })
    await sweep(emulator)
    await ends(emulator, 6)
    expect(fixes(emulator).filter((prompt) => prompt.startsWith('Checks of')).length).toBeLessThanOrEqual(1)
    expect(firstLine(emulator)).not.toContain('at the next sweep')
  })

  test('a message whose answer is lost may have gone out: it goes no more, and the thread says so', async () => {
    const emulator = await redWorld()
    emulator.faults.add({ match: MESSAGE, fault: { kind: 'reset', when: 'before' } })
    await ends(emulator)
    expect(fixes(emulator)).toHaveLength(1)
    expect(firstLine(emulator)).toMatch(
      /failures may have gone back to the agent, and it is not known whether the agent got them/,
    )
  })

  test('checks that flicker count once they are at rest', async () => {
    const emulator = await steppedWorld({
      heads: [
        [
          { name: 'build', conclusion: 'cancelled', suite: 'one', workflow: 'ci', takesMs: 30_000 },
          { name: 'build', suite: 'two', workflow: 'ci', appearsAfterMs: 40_000, takesMs: 30_000 },
        ],
      ],
    })
    for (const afterMs of [20_000, 15_000, 10_000, 20_000, MINUTE]) await sweep(emulator, { afterMs })
    expect(fixes(emulator)).toEqual([])
    expect(firstLine(emulator)).toContain('Its check passes.')
  })

  test('a run that waits holds its request, and sweeps beside it do nothing', async () => {
    const emulator = await steppedWorld({ heads: [green(), red(5 * MINUTE)] })
    for (let at = 0; at < 3; at += 1) await sweep(emulator)
    const said = emulator.say('/docs shorten it', { by: 'bob' })
    const waiting = runAction(emulator.given(said, { runId: 44, inputs: FIX }))
    for (let at = 0; at < 10; at += 1) await sweep(emulator, { afterMs: MINUTE, event: workflowRun() })
    const { outputs, log } = await waiting
    expect(outputs, log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(fixes(emulator).filter((prompt) => prompt.startsWith('Checks of'))).toHaveLength(1)
  })

  test('a person’s command between two rounds takes over', async () => {
    const other = [{ name: 'links', conclusion: 'failure' as const }, { name: 'build' }]
    const emulator = await steppedWorld({ heads: [red(), other, other] })
    await sweep(emulator)
    expect(fixes(emulator)).toHaveLength(1)
    const said = emulator.say('/docs shorten it', { by: 'bob' })
    await runAction(rootRun(emulator, said, { runId: 44, inputs: FIX }))
    await ends(emulator, 8)
    const rounds = fixes(emulator).filter((prompt) => prompt.startsWith('Checks of'))
    expect(new Set(rounds).size).toBe(rounds.length)
    expect(emulator.bodies().join('\n')).toContain('The later request of bob follows its checks.')
  })
})

test('3.2 `/docs status` says when the next look comes', async () => {
  const emulator = await redWorld()
  await emulator.ask('/docs status', { runId: 66 })
  expect(emulator.lastWords()).toContain('Its checks are looked at when CI ends, or at the next sweep.')
  await ends(emulator)
  await emulator.ask('/docs status', { runId: 67 })
  expect(emulator.lastWords()).not.toContain('next sweep')
})
