import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { attemptAt, HOUR, type Stage } from '../../simulator/stage.ts'
import { attempt } from '../helpers/story.ts'
import { differences } from './helpers/observe.ts'
import { FIRST_COMMAND, PUSH, SCHEDULE, sweeps, TALES } from './helpers/tales.ts'
import { type Break, tell } from './helpers/walk.ts'

const SECOND = 1000
const WAYS: readonly (readonly [string, Fault])[] = [
  ['every connection is reset', { kind: 'reset' }],
  ['every answer is 502', { kind: 'html', status: 502 }],
]

/** GitHub serves no one for this long, from the first request on that comes when it is `time`. */
function away(ms: number, fault: Fault, time: (stage: Stage) => boolean = () => true): Break {
  let since: number | undefined
  return ({ at, stage }) => {
    if (since === undefined && time(stage)) since = at
    return since !== undefined && at < since + ms ? fault : undefined
  }
}

const jobIsOver = ({ world }: Stage): boolean => {
  const [, ...own] = world.emulator.service.jobs()
  return own.at(-1)?.status === 'completed'
}

/** These have no job before the run that is looked at. */
const WITH_NEW_JOB = TALES.filter(({ before, name }) => before === undefined && name !== 'refusal').concat(
  SCHEDULE,
)

describe.each(WAYS)('%s', (_, fault) => {
  // 5.6, 5.7: what reports the end is tried for two minutes.
  describe.each(WITH_NEW_JOB)('$name', (tale) => {
    test.each([12, 45])(
      'GitHub is away for %i s when the job ends, and the thread has its result',
      async (s) => {
        const whole = await tell(tale)
        const { seen } = await tell(tale, { breaks: away(s * SECOND, fault, jobIsOver) })
        const found = differences(whole.seen, seen)
        expect(found, found.join('\n')).toEqual([])
      },
    )

    test('GitHub is away for an hour when the job ends: the run is green and says so, and one sweep reports it', async () => {
      const whole = await tell(tale)
      const { seen, stage } = await tell(tale, {
        breaks: away(HOUR, fault, jobIsOver),
        after: async (stage) => {
          await stage.world.clock.sleep(2 * HOUR)
          await sweeps(stage)
        },
      })
      const [main] = stage.world.lives
      expect(main?.red).toBe(false)
      expect(main?.footprint.outputs.get('outcome')).toBe('pull-request')
      expect(main?.meant.filter(({ name }) => name === 'warning')).toHaveLength(1)
      expect(main?.log.text).not.toMatch(/does not remember this request/)
      const found = differences([whole.seen.github, whole.seen.jobs], [seen.github, seen.jobs])
      expect(found, found.join('\n')).toEqual([])
    })
  })

  // 5.7: before the agent is asked, GitHub is tried for half a minute.
  describe.each([FIRST_COMMAND, PUSH, SCHEDULE])('$name', (tale) => {
    test('GitHub is away for 12 s when the run starts, and nothing is different', async () => {
      const whole = await tell(tale)
      const { seen } = await tell(tale, { breaks: away(12 * SECOND, fault) })
      const found = differences(whole.seen, seen)
      expect(found, found.join('\n')).toEqual([])
    })

    test('GitHub is away for an hour when the run starts: nothing is sent, and a re-run asks', async () => {
      const whole = await tell(tale)
      let jobsBefore = 0
      const { seen, stage } = await tell(tale, {
        breaks: away(HOUR, fault),
        after: async (stage) => {
          const request = stage.history.requests.at(-1)
          jobsBefore = stage.world.emulator.service.jobs().length - 1
          if (request !== undefined) await attemptAt(stage, request, attempt({ gapMs: 2 * HOUR }))
        },
      })
      const [main] = stage.world.lives
      const { outputs } = main?.footprint ?? { outputs: new Map<string, string>() }
      expect([outputs.get('outcome'), outputs.get('reason')]).toEqual(['error', 'github-unavailable'])
      expect(jobsBefore).toBe(0)
      const found = differences([whole.seen.github, whole.seen.jobs], [seen.github, seen.jobs])
      expect(found, found.join('\n')).toEqual([])
    })
  })
})
