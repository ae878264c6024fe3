import { describe, expect, test } from 'vitest'
import type { Stage } from '../../simulator/stage.ts'
import type { Place } from '../../simulator/story.ts'
import { TALES } from '../broken/helpers/tales.ts'
import { isSweep, isWrite, pointsOf, reRun, sweepLater, tell } from '../broken/helpers/walk.ts'
import { attempt, kill } from '../helpers/story.ts'

// The promises hold after a kill at any instant: whoever comes next, its post step, a sweep, or a person with a re-run.

type Next = (stage: Stage) => Promise<void>
const inOrder =
  (...all: readonly Next[]): Next =>
  async (stage) => {
    for (const next of all) await next(stage)
  }

const NEXT = [
  ['its post step, a sweep, and two re-runs', 'runs', inOrder(sweepLater, reRun, reRun)],
  ['a sweep, and two re-runs', 'lost', inOrder(sweepLater, reRun, reRun)],
  ['two re-runs, and a sweep', 'lost', inOrder(reRun, reRun, sweepLater)],
] as const

describe.each(TALES)('$name', (tale) => {
  test.each(NEXT)('killed at each instant, and then comes %s', async (_, post, next) => {
    const after = isSweep(tale) ? sweepLater : next
    const { calls, plain } = await tell(tale)
    const found: string[] = []
    for (const nth of pointsOf(calls)) {
      // What a reading brings is lost with its process: as if it was killed before.
      const places: readonly Place[] = isWrite(calls[nth]) ? ['request', 'answer'] : ['request']
      for (const place of places) {
        const first = attempt({ blows: [kill(place, nth + 1)], post })
        const { broken } = await tell(tale, { first, after }, plain)
        const where = `killed at ${place} ${nth + 1}, ${calls[nth]?.method} ${calls[nth]?.path}`
        found.push(...broken.map((line) => `${where}: ${line}`))
      }
    }
    expect(calls.length).toBeGreaterThan(1)
    expect(found, found.join('\n')).toEqual([])
  })
})
