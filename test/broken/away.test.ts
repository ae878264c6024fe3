import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { attempt } from '../helpers/story.ts'
import { TALES } from './helpers/tales.ts'
import { isSweep, pointsOf, reRun, sweepLater, tell } from './helpers/walk.ts'

// The promises hold over an outage of two minutes, whenever it begins. Then a sweep comes, and a person with a re-run.

const OUTAGE_MS = 120_000

const HOSTS: readonly (readonly ['github' | 'service', Fault])[] = [
  ['github', { kind: 'html', status: 502 }],
  ['service', { kind: 'reset' }],
]

describe.each(TALES)('$name', (tale) => {
  test.each(HOSTS)('%s is away for two minutes, from each request on', async (host, fault) => {
    const { calls, plain } = await tell(tale)
    const points = pointsOf(calls).filter((nth) => calls[nth]?.host === host)
    const found: string[] = []
    for (const nth of points) {
      const after = async (stage: Parameters<typeof sweepLater>[0]) => {
        await sweepLater(stage)
        if (!isSweep(tale)) await reRun(stage)
      }
      const effect = { kind: 'away', host, ms: OUTAGE_MS, fault } as const
      const first = attempt({ blows: [{ place: 'request', nth: nth + 1, effect }] })
      const { broken } = await tell(tale, { first, after }, plain)
      const where = `from request ${nth + 1} (${calls[nth]?.method} ${calls[nth]?.path})`
      found.push(...broken.map((line) => `${where}: ${line}`))
    }
    expect(found, found.join('\n')).toEqual([])
  })
})
