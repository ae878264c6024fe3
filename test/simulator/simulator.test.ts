import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { Dice } from '../../simulator/dice.ts'
import { invent } from '../../simulator/invent.ts'
import type { Life } from '../../simulator/life.ts'
import { play } from '../../simulator/play.ts'
import { RULES } from '../../simulator/rules.ts'
import { SABOTAGES } from '../../simulator/sabotages.ts'
import { bodyText, wordsOnPage } from '../../simulator/texts.ts'
import { attempt, story } from '../helpers/story.ts'

/** In CI other stories each time; `npm run simulate -- --runs 1 --seed N` plays one of them again. */
const FIRST = process.env.CI === 'true' ? randomInt(1, 1_000_000_000) : 1
const SEEDS = Array.from({ length: 14 }, (_, n) => FIRST + n)

/** Sabotages that one request reveals. */
const AT_ONCE =
  /goes out twice|does not say|line breaks|has created|eyes stay|stands in the summary|is not masked|another name|never ends|hundredth|somebody else/

test(`everything holds in the stories ${FIRST} to ${SEEDS.at(-1)}`, async () => {
  console.info(`Seeds ${SEEDS.join(', ')}`)
  for (const seed of SEEDS) {
    const { breaches } = await play(invent(seed))
    expect(breaches, `seed ${seed}`).toEqual([])
  }
}, 60_000)

test('a seed gives the same story each time, to the last line', async () => {
  for (const seed of SEEDS.slice(0, 3)) {
    const [one, two] = [await play(invent(seed)), await play(invent(seed))]
    expect(one.history.world.timeline.length).toBeGreaterThan(3)
    expect(two.history.world.timeline).toEqual(one.history.world.timeline)
  }
}, 60_000)

test('each rule has a sabotage that shows it at work', () => {
  const shown = new Set(SABOTAGES.map(({ rule }) => rule))
  expect([...shown].toSorted()).toEqual(RULES.map(({ name }) => name).toSorted())
})

test('bodies hold words that GitHub shows and words that it hides', () => {
  const bodies = Array.from({ length: 50 }, (_, n) => wordsOnPage(bodyText(new Dice(n))))
  expect(bodies.flatMap(({ shown }) => shown).length).toBeGreaterThan(50)
  expect(bodies.flatMap(({ hidden }) => hidden).length).toBeGreaterThan(20)
})

// The others need more than one request: `npm run sabotage` runs all.
test.each(SABOTAGES.filter(({ name }) => AT_ONCE.test(name)))('$rule notices: $name', async (sabotage) => {
  const { played } = await story([attempt()], {}, sabotage)
  expect(played.breaches.map(({ rule }) => rule)).toContain(sabotage.rule)
})

/** Rules that complain about a story after somebody has tampered with its record. */
async function complaints(tamper: (result: Awaited<ReturnType<typeof story>>) => void): Promise<string[]> {
  const result = await story([attempt()])
  const { history } = result.played
  tamper(result)
  return RULES.filter(({ afterLife, afterSweep, atEnd }) => {
    const found = [
      ...history.world.lives.flatMap((life) => afterLife?.(history, life) ?? []),
      ...(afterSweep?.(history) ?? []),
      ...(atEnd?.(history) ?? []),
    ]
    return found.length > 0
  }).map(({ name }) => name)
}

test('nothing to complain about, where nobody has tampered', async () => {
  expect(await complaints(() => {})).toEqual([])
})

test.each<readonly [string, Parameters<typeof complaints>[0]]>([
  ['agreed-outcome', ({ mains }) => overwrite(mains[0], 'outcome', 'fine')],
  ['results-agree', ({ mains }) => overwrite(mains[0], 'status', 'x')],
  ['commands-meant', ({ mains }) => mains[0]?.log.line('::error::from somebody else')],
  ['secrets-kept', ({ mains }) => overwrite(mains[0], 'model', 'test-key')],
  [
    'result-arrives',
    ({ played }) => void played.history.world.emulator.github.deleteComment(resultId(played)),
  ],
])('%s notices a record that is not right', async (name, tamper) => {
  expect(await complaints(tamper)).toContain(name)
})

function overwrite(life: Life | undefined, output: string, value: string): void {
  life?.footprint.outputs.set(output, value)
}

function resultId({ history }: Awaited<ReturnType<typeof play>>): number {
  const comments = history.world.emulator.github.comments(12)
  return comments.find(({ user }) => user.login === 'github-actions[bot]')?.id ?? 0
}
