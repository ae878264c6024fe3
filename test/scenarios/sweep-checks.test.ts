import { describe, expect, test } from 'vitest'
import { fixes } from '../helpers/checked-world.ts'
import { green, MINUTE, PULL, red, steppedWorld, sweep } from '../helpers/stepped-world.ts'
import type { World } from '../helpers/world.ts'

// Contract 8.5: no runner waits, and sweeps follow the checks by single steps.

/** Sweeps, each some minutes after the last one, and what the thread says after each. */
async function sweeps(emulator: World, many: number, more: Parameters<typeof sweep>[1] = {}) {
  const said: string[] = []
  for (let at = 0; at < many; at += 1) {
    const { exitCode, log } = await sweep(emulator, more)
    expect(exitCode, log).toBe(0)
    said.push(emulator.lastWords().split('\n')[0] ?? '')
  }
  return said
}

const NEXT_LOOK = 'Its checks are looked at when CI ends, or at the next sweep.'

/** How long a sweep of a green head takes that says that its checks pass, in ms. */
async function passesWithin(mergeableAfterMs: number): Promise<number> {
  const emulator = await steppedWorld({ heads: [green()], mergeableAfterMs })
  await emulator.pass(20 * MINUTE)
  const from = emulator.settings.now()
  const [said] = await sweeps(emulator, 1, { afterMs: 0 })
  expect(said).toContain('Its 2 checks pass.')
  return emulator.settings.now() - from
}

describe('8.5 a sweep does one step', () => {
  test('a red head goes back once, and the green one that comes of it ends the request', async () => {
    const emulator = await steppedWorld()
    const said = await sweeps(emulator, 5)
    expect(fixes(emulator)).toHaveLength(1)
    expect(said[0]).toContain(`\`build\`](`)
    expect(said[0]).toContain(`fails; failures went back to the agent once. ${NEXT_LOOK}`)
    expect(said.at(-1)).toMatch(/^\*\*✅ .*Its 2 checks pass; failures went back to the agent once\.$/)
    expect(emulator.bodies()).toHaveLength(1)
  })

  test('two rounds, and then it ends red', async () => {
    const other = [{ name: 'links', conclusion: 'failure' as const }, { name: 'build' }]
    const emulator = await steppedWorld({ heads: [red(), other, red()] })
    const said = await sweeps(emulator, 8)
    expect(fixes(emulator)).toHaveLength(2)
    expect(said.at(-1)).toMatch(/^\*\*⚠️ .*fails; failures went back to the agent twice\.$/)
  })

  test('a head whose checks go on is left as it is, and nothing is written', async () => {
    const emulator = await steppedWorld({ heads: [green(60 * MINUTE)] })
    const [first] = await sweeps(emulator, 1)
    expect(first).toContain(NEXT_LOOK)
    const before = emulator.written().map(({ updatedAt }) => updatedAt)
    emulator.clearRequests()
    await sweeps(emulator, 3)
    expect(emulator.written().map(({ updatedAt }) => updatedAt)).toEqual(before)
    expect(emulator.requests.filter(({ method, path }) => method !== 'GET' && path !== '/graphql')).toEqual(
      [],
    )
    const [last] = await sweeps(emulator, 1, { afterMs: 60 * MINUTE })
    expect(last).toContain('Its 2 checks pass.')
  })

  test.each([2, 9])('a head that came %i minutes ago is not yet without checks', async (minutes) => {
    const emulator = await steppedWorld({ heads: [[]], turnMs: MINUTE })
    const [said] = await sweeps(emulator, 1, { afterMs: (minutes - 1) * MINUTE })
    expect(said).toContain(NEXT_LOOK)
  })

  test('a head without checks ends as such ten minutes after it came', async () => {
    const emulator = await steppedWorld({ heads: [[]] })
    const said = await sweeps(emulator, 2, { afterMs: 11 * MINUTE })
    expect(said.at(-1)).toContain('It has no checks.')
  })

  test.each([3, 40])('CI that is queued for %i minutes does not end the request', async (minutes) => {
    const queued = [{ name: 'build', takesMs: 120 * MINUTE, startsAfterMs: 100 * MINUTE }]
    const emulator = await steppedWorld({ heads: [queued] })
    const said = await sweeps(emulator, 2, { afterMs: minutes * MINUTE })
    expect(said.at(-1)).toContain(NEXT_LOOK)
    const end = await sweeps(emulator, 1, { afterMs: 180 * MINUTE })
    expect(end.at(-1)).toContain('Its check passes.')
  })

  test.each([
    [30_000, NEXT_LOOK],
    [62_000, 'Its 2 checks pass.'],
    [89_000, 'Its 2 checks pass.'],
  ])(
    'of checks of a minute, after %i ms: it waits for what settles within 75 seconds',
    async (afterMs, says) => {
      const emulator = await steppedWorld({ heads: [green(MINUTE)] })
      const [said] = await sweeps(emulator, 1, { afterMs })
      expect(said).toContain(says)
    },
  )

  /** Its base branch moves, and conflicts with it. */
  const baseMoves = ({ github }: World) =>
    Object.assign(github.pull(PULL), { isConflicting: true, examinedAt: undefined })

  describe.each([3000, 20_000, 40_000])(
    'H5 GitHub takes %i ms to say that an old head conflicts',
    (mergeableAfterMs) => {
      async function conflicts(emulator: World) {
        baseMoves(emulator)
        const [said] = await sweeps(emulator, 1, { afterMs: 20 * MINUTE })
        expect(said).toContain('`merge into main` fails')
        expect(said).not.toMatch(/✅|pass\.|no checks/)
        expect(fixes(emulator)).toHaveLength(1)
      }

      test('whose checks pass', async () => {
        await conflicts(await steppedWorld({ heads: [green()], mergeableAfterMs }))
      })

      test('without checks', async () => {
        const emulator = await steppedWorld({ heads: [[]], mergeableAfterMs })
        const [first] = await sweeps(emulator, 1)
        expect(first).toContain(NEXT_LOOK)
        await conflicts(emulator)
      })
    },
  )

  test.each([3000, 20_000, 40_000])(
    'a head without a conflict ends as soon as GitHub says so, after %i ms',
    async (mergeableAfterMs) => {
      expect(await passesWithin(mergeableAfterMs)).toBeLessThan(mergeableAfterMs + 20_000)
    },
  )

  test.each([70_000, 10 * MINUTE, Number.POSITIVE_INFINITY])(
    'where GitHub does not say within a minute whether a head conflicts, but after %i ms, its checks end the request',
    async (mergeableAfterMs) => {
      expect(await passesWithin(mergeableAfterMs)).toBeLessThan(75_000)
    },
  )

  test('a day after its comment changed last, nobody follows them', async () => {
    const never = [{ name: 'build', takesMs: Number.POSITIVE_INFINITY, startsAfterMs: 1000 }]
    const emulator = await steppedWorld({ heads: [never] })
    await sweeps(emulator, 2)
    const [said] = await sweeps(emulator, 1, { afterMs: 25 * 60 * MINUTE })
    expect(said).toMatch(/Its check \[`build`\]\(.*\) had not ended\.$/)
    emulator.clearRequests()
    await sweeps(emulator, 1)
    expect(emulator.calls()).toEqual(['GET /repos/octo/app/issues/comments'])
  })
})
