import { expect, test } from 'vitest'
import { runAction, startAction } from '../../emulator/runner.ts'
import { askedTimes, type World, world } from '../helpers/world.ts'

// H1 and 3.2: two people write at once, without concurrency, and one of the runs is killed.

const MINUTE = 60_000

/** One job has both, unless the thread says that it is not known whether an earlier request got one. */
function expectedJobs(emulator: World): boolean {
  const says = emulator.bodies().join('\n')
  return emulator.promptCounts().length <= 1 || /not answered|not known whether/.test(says)
}

test.each([
  ['first', 'and its post step runs', true],
  ['first', 'with its runner', false],
  ['second', 'and its post step runs', true],
  ['second', 'with its runner', false],
])(
  'the %s one is killed at each request in turn, %s: none is asked twice, each end is said',
  async (which, _, post) => {
    for (let at = 0; ; at += 1) {
      const emulator = world()
      const [first, second] = (['alice', 'bob'] as const).map((by, n) =>
        emulator.given(emulator.say(n === 0 ? '/docs explain (first)' : '/docs shorten (second)', { by }), {
          ...{ runId: n + 1, post },
        }),
      )
      if (first === undefined || second === undefined) throw new Error('two runs')
      const [killed, other] = which === 'first' ? [first, second] : [second, first]
      const alive = runAction(other)
      const running = startAction(killed)
      let seen = 0
      emulator.faults.source = () => {
        seen += 1
        if (seen === at + 1) void running.kill('SIGKILL')
        return undefined
      }
      await Promise.all([running.done, alive])
      emulator.faults.source = () => undefined
      await emulator.pass(60 * MINUTE)
      await emulator.collect()
      await emulator.pass(5 * MINUTE)
      await emulator.collect({}, { runId: 9_100_002 })
      const where = `killed at request ${at}`
      expect(Math.max(...askedTimes(emulator, '(first)', '(second)')), where).toBeLessThanOrEqual(1)
      expect(expectedJobs(emulator), where).toBe(true)
      expect(emulator.bodies().join('\n'), where).not.toContain('is working')
      if (seen <= at) break
    }
  },
)
