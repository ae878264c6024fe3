import { describe, expect, test } from 'vitest'
import { CREATE, READ } from '../helpers/world.ts'
import { firstCommand, type Kill, runKilled, STATUS_COMMENT } from './helpers.ts'

const MOMENTS = [
  ['before it asked', { match: STATUS_COMMENT, at: 0, when: 'after', post: true }],
  ['with its request under way', { match: CREATE, at: 0, when: 'before', post: true }],
  ['with its request processed', { match: CREATE, at: 0, when: 'after', post: true }],
  ['while it waited', { match: READ, at: 0, when: 'after', post: true }],
] as const satisfies readonly (readonly [string, Kill])[]

/** The requests that the post step makes after this kill, each to be its last. */
async function postKills(kill: Kill): Promise<Kill[]> {
  let requests = 0
  await firstCommand(async (witness) => {
    const { emulator } = witness
    requests = (await runKilled(emulator, witness.next(), kill)).postRequests
  })
  expect(requests).toBeGreaterThan(2)
  return Array.from({ length: requests }, (_, postAt) => ({ ...kill, postAt }))
}

const table = await Promise.all(MOMENTS.map(async ([what, kill]) => [what, await postKills(kill)] as const))

describe.each(table)('a first command that was killed %s', (_, kills) => {
  test.each(kills)(
    '6.2 the post step killed as well, at its request $postAt: a re-run brings the one result',
    (kill) =>
      firstCommand(async (witness) => {
        await witness.killed(kill)
        witness.expectTold(await witness.toTheEnd(), 1)
        expect(witness.emulator.bodies(77)).toHaveLength(1)
      }),
  )
})
