import { expect, test } from 'vitest'
import { outcomeOf, reasonOf } from '../../../simulator/history.ts'
import { attempt, cancel, kill, story } from '../../helpers/story.ts'

const lost = attempt({ blows: [kill('sleep', 12)], post: 'lost' })

test('5.2 6.1 a re-run that is cancelled before its plan leaves the job that an earlier attempt knew', async () => {
  const { played, mains, jobs } = await story([lost, attempt({ blows: [cancel('request', 2)] })])
  expect(played.breaches).toEqual([])
  expect(mains.map(outcomeOf)).toEqual(['', 'cancelled', 'pull-request'])
  expect(mains[1]?.footprint.outputs.get('job-id')).toBe(mains[0]?.footprint.outputs.get('job-id'))
  expect(mains[2]?.footprint.outputs.get('job-action')).toBe('resumed')
  expect(jobs).toBe(1)
})

test('5.2 what was under way when the earlier attempt died is still uncertain after a cancelled one', async () => {
  const died = attempt({ blows: [kill('answer', 5)], post: 'lost' })
  const { played, mains, jobs } = await story([died, attempt({ blows: [cancel('request', 2)] })])
  expect(played.breaches).toEqual([])
  expect(mains.map(reasonOf)).toEqual(['', 'creation-uncertain', ''])
  expect(jobs).toBe(2)
})

test('5.3 6.2 a re-run that is cancelled changes nothing about a result that has been told', async () => {
  const blows = [cancel('request', 2), cancel('request', 4), cancel('any', 20)]
  for (const blow of blows) {
    const { played, mains, jobs } = await story([attempt(), attempt({ blows: [blow] })])
    expect(played.breaches).toEqual([])
    expect(outcomeOf(mains[1])).toBe('cancelled')
    expect(jobs).toBe(1)
  }
})
