import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { attempt } from '../helpers/story.ts'
import { FIRST_COMMAND, TALES } from './helpers/tales.ts'
import { isSweep, pointsOf, reRun, sweepLater, tell } from './helpers/walk.ts'
import { waysFor } from './helpers/ways.ts'

// The promises hold after any one broken request, to GitHub or to the service.

const breaks = (fault: Fault) => ({ kind: 'break', faults: { github: fault, service: fault } }) as const

describe.each(TALES)('$name', (tale) => {
  test('each request breaks once', async () => {
    const { calls, plain } = await tell(tale)
    const points = pointsOf(calls)
    const found: string[] = []
    for (const [n, nth] of points.entries()) {
      const call = calls[nth]
      for (const { name, fault } of call === undefined ? [] : waysFor(call, n, tale === FIRST_COMMAND)) {
        const isService = call?.host === 'service'
        const told = await tell(
          tale,
          {
            first: attempt({ blows: [{ place: 'request', nth: nth + 1, effect: breaks(fault) }] }),
            after: async (stage) => {
              await sweepLater(stage)
              // What the service does not answer may end the run, and a person runs it again.
              if (isService && !isSweep(tale)) await reRun(stage)
            },
          },
          plain,
        )
        // What GitHub breaks once is tried again, and decides nothing.
        const ends = [told.plain.outcome, told.plain.reason].join(' ')
        const isSame = ends === [plain.outcome, plain.reason].join(' ')
        const where = `request ${nth + 1} (${call?.method} ${call?.path}), ${name}`
        const lines = [...(isService || isSame ? [] : [`it ends as ${ends}`]), ...told.broken]
        found.push(...lines.map((line) => `${where}: ${line}`))
      }
    }
    expect(points.length).toBeGreaterThan(1)
    expect(found, found.join('\n')).toEqual([])
  })
})
