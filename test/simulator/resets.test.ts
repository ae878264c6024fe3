import { expect, test } from 'vitest'
import { TALES } from '../broken/helpers/tales.ts'
import { walk } from '../broken/helpers/walk.ts'
import { RESETS } from '../broken/helpers/ways.ts'

// The other ways in which a request can break: `npm run test:broken`.
test.each(TALES.flatMap((tale) => Object.entries(RESETS).map(([way, fault]) => ({ tale, way, fault }))))(
  '5.7 one request that breaks once changes nothing: $tale.name, $way',
  async ({ tale, fault }) => {
    const { broken, found } = await walk(tale, fault)
    expect(broken).toBeGreaterThan(2)
    expect(found, found.join('\n')).toEqual([])
  },
)
