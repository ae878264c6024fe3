import { describe, expect, test } from 'vitest'
import { TALES } from './helpers/tales.ts'
import { walk } from './helpers/walk.ts'
import { WAYS } from './helpers/ways.ts'

// One request that breaks once never changes how a run ends (contract 5.7).
describe.each(TALES)('$name', (tale) => {
  test.each(Object.entries(WAYS))('each request breaks once: %s', async (_, fault) => {
    const { broken, found } = await walk(tale, fault)
    expect(broken).toBeGreaterThan(2)
    expect(found, found.join('\n')).toEqual([])
  })
})
