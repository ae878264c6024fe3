import fc from 'fast-check'
import { type Played, play } from './play.ts'
import { ABOUT, type About } from './plots.ts'

/** What has become of the story of a seed; where a rule broke, of the shortest story found that breaks it. */
export interface Told extends Played {
  readonly seed: number
  readonly about: About
}

/**
 * Plays the story of a seed.
 * @param shrinkMs for how long one that breaks a rule is made shorter
 * @param about a seed has a story of its own for each
 */
export async function tellStory(seed: number, shrinkMs: number, about: About = 'any'): Promise<Told> {
  let told: Played | undefined
  let until = 0
  const property = fc.asyncProperty(ABOUT[about], fc.scheduler(), async (plot, scheduler) => {
    if (told !== undefined && performance.now() > until) return
    const played = await play(plot, scheduler)
    const [breach] = played.breaches
    if (told === undefined) until = performance.now() + shrinkMs
    // A story that breaks another rule is another story.
    else if (breach?.rule !== told.breaches[0]?.rule) return
    told = played
    if (breach !== undefined) throw new Error(breach.complaint)
  })
  const { errorInstance } = await fc.check(property, { seed, numRuns: 1, unbiased: true })
  if (told === undefined) throw errorInstance
  return { ...(told as Played), seed, about }
}
