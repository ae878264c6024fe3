import { expect, test } from 'vitest'
import { INVARIANTS } from '../../simulator/invariants.ts'
import { invent } from '../../simulator/invent.ts'
import type { Life } from '../../simulator/life.ts'
import { play } from '../../simulator/play.ts'
import { attempt, story } from '../helpers/story.ts'

const SEEDS = Array.from({ length: 14 }, (_, n) => n + 1)

test('a few dozen stories, and everything holds in each', async () => {
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

/** Invariants that complain about a story after somebody has tampered with its record. */
async function complaints(tamper: (told: Awaited<ReturnType<typeof story>>) => void): Promise<string[]> {
  const told = await story([attempt()])
  const { history } = told.played
  tamper(told)
  return INVARIANTS.filter(({ afterLife, atEnd }) => {
    const found = [
      ...history.world.lives.flatMap((life) => afterLife?.(history, life) ?? []),
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
  ['one-result', ({ played }) => void played.history.world.emulator.github.deleteComment(resultId(played))],
])('%s notices a record that is not right', async (name, tamper) => {
  expect(await complaints(tamper)).toContain(name)
})

function overwrite(life: Life | undefined, output: string, value: string): void {
  if (life !== undefined)
    life.footprint = { ...life.footprint, outputs: new Map([...life.footprint.outputs, [output, value]]) }
}

function resultId({ history }: Awaited<ReturnType<typeof play>>): number {
  const comments = history.world.emulator.github.comments(12)
  return comments.find(({ user }) => user.login === 'github-actions[bot]')?.id ?? 0
}
