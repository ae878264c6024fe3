import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tellStory } from '../../simulator/run.ts'
import { bodyText, wordsOnPage } from '../../simulator/texts.ts'

/** `npm run simulate` plays more of them, and others with `-- --seed N`. */
const SEEDS = [1, 2, 3, 4, 5, 6]

const told = new Map<number, ReturnType<typeof tellStory>>()

/** The story of that seed, which this file plays once. */
function toldOnce(seed: number): ReturnType<typeof tellStory> {
  const known = told.get(seed) ?? tellStory(seed, 0)
  told.set(seed, known)
  return known
}

test.each(SEEDS)('everything holds in story %i', async (seed) => {
  expect((await toldOnce(seed)).breaches).toEqual([])
})

test.each([1, 2, 3])('everything holds in story %i about checks that no run follows', async (seed) => {
  expect((await tellStory(seed, 0, 'checks')).breaches).toEqual([])
})

test('a seed gives the same story each time, to the last line', async () => {
  const [one, two] = [await toldOnce(2), await tellStory(2, 0)]
  expect(one.history.world.timeline.length).toBeGreaterThan(3)
  expect(two.history.world.timeline).toEqual(one.history.world.timeline)
})

test('bodies hold words that GitHub shows and words that it hides', () => {
  const bodies = fc.sample(bodyText, { numRuns: 50, seed: 1 }).map(wordsOnPage)
  expect(bodies.flatMap(({ shown }) => shown).length).toBeGreaterThan(50)
  expect(bodies.flatMap(({ hidden }) => hidden).length).toBeGreaterThan(20)
})
