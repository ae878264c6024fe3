import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { TALES } from './helpers/tales.ts'
import { type Break, isSweep, pointsOf, reRun, sweepLater, tell } from './helpers/walk.ts'

// The promises hold over an outage of two minutes, whenever it begins. Then a sweep comes, and a person with a re-run.

const OUTAGE_MS = 120_000

const HOSTS: readonly (readonly ['github' | 'service', Fault])[] = [
  ['github', { kind: 'html', status: 502 }],
  ['service', { kind: 'reset' }],
]

/** The host serves no one for two minutes, from this request on. */
function away(host: 'github' | 'service', from: number, fault: Fault): Break {
  let since: number | undefined
  return (one) => {
    if (one.nth === from) since = one.at
    return one.host === host && since !== undefined && one.at < since + OUTAGE_MS ? fault : undefined
  }
}

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
      const { broken } = await tell(tale, { breaks: away(host, nth, fault), after }, plain)
      const where = `from request ${nth + 1} (${calls[nth]?.method} ${calls[nth]?.path})`
      found.push(...broken.map((line) => `${where}: ${line}`))
    }
    expect(found, found.join('\n')).toEqual([])
  })
})
