import { expect, test } from 'vitest'
import { outcomeOf } from '../../../simulator/history.ts'
import { attempt, jump, story } from '../../helpers/story.ts'

const HOUR = 3_600_000

test('2 a clock that is set back leaves the duration a number from 0', async () => {
  const { played, mains } = await story([attempt({ blows: [jump('answer', 3, -HOUR)] })])
  expect(played.breaches).toEqual([])
  expect(mains[0]?.footprint.outputs.get('duration-seconds')).toMatch(/^\d+$/)
})

test('4.6 a clock that is set back while the run waits does not make it ask without a pause', async () => {
  const { played, mains } = await story([attempt({ blows: [jump('answer', 8, -HOUR)] })])
  expect(played.breaches).toEqual([])
  expect(
    mains[0]?.calls.filter(({ host, method }) => host === 'service' && method === 'GET').length,
  ).toBeLessThan(100)
})

test.each(['command', 'status'] as const)(
  '4.4 %s: nothing is sent once GitHub has used up the time',
  async (event) => {
    const inputs = { 'timeout-minutes': '1' }
    const first = attempt({ blows: [jump('answer', 3, 2 * 60_000)] })
    const { played, mains } = await story([first], { event, inputs })
    expect(played.breaches).toEqual([])
    expect(mains[0]?.calls.filter(({ host }) => host === 'service')).toEqual([])
    if (event === 'command') expect(outcomeOf(mains[0])).toBe('timed-out')
  },
)
