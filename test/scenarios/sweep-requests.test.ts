import { describe, expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import { checkedWorld, FIX } from '../helpers/checked-world.ts'
import { green, MINUTE, sweep, workflowRun } from '../helpers/stepped-world.ts'
import { start } from '../helpers/sweeps.ts'
import type { World } from '../helpers/world.ts'

// What sweeps cost: GitHub gives a repository 1,000 requests an hour.

const LONG = 300 * MINUTE
const github = ({ requests }: World): number => requests.filter(({ host }) => host === 'github').length

/** Requests, each in a thread of its own, whose jobs work. @param last the checks of the last pull request */
async function manyAtWork(many: number, last: readonly Check[] = green(LONG)) {
  const emulator = checkedWorld([])
  const { checks } = emulator.github
  checks.everyHead = () => (emulator.service.jobs().length < many ? green(LONG) : last)
  emulator.service.everyTurn = { durationMs: 60 * MINUTE }
  for (let at = 0; at < many; at += 1) {
    emulator.github.addIssue({ number: 100 + at })
    await start(emulator, { on: 100 + at, runId: 1000 + at, inputs: FIX })
  }
  return emulator
}

/** Their pull requests are open, and a sweep has reported them. */
async function manyUnderWay(many: number) {
  const emulator = await manyAtWork(many)
  await sweep(emulator, { afterMs: 70 * MINUTE })
  return emulator
}

async function cost(emulator: World, more: Parameters<typeof sweep>[1] = {}): Promise<number> {
  emulator.clearRequests()
  const { exitCode, log } = await sweep(emulator, more)
  expect(exitCode, log).toBe(0)
  return github(emulator)
}

describe('8.1 8.5 a full sweep takes few requests', () => {
  test('for sixty jobs at work, what the list takes', { tags: 'matrix' }, async () => {
    expect(await cost(await manyAtWork(60))).toBeLessThanOrEqual(4)
  })

  test('for sixty heads whose checks are under way', { tags: 'matrix' }, async () => {
    const emulator = await manyUnderWay(60)
    expect(await cost(emulator)).toBeLessThanOrEqual(10)
    expect(await cost(emulator)).toBeLessThanOrEqual(10)
  })

  test('for five heads whose checks are under way', async () => {
    expect(await cost(await manyUnderWay(5))).toBeLessThanOrEqual(3)
  })

  test('where GitHub does not answer the query, each head is read', async () => {
    const emulator = await manyUnderWay(2)
    const match = { host: 'github', path: /\/graphql$/ } as const
    emulator.faults.add({ match, fault: { kind: 'status', status: 403 }, times: Infinity })
    const many = await cost(emulator)
    emulator.faults.clear()
    expect(many).toBeGreaterThan(8)
    expect(emulator.bodies(100)[0]).toContain('at the next sweep')
  })

  test('an event about checks reads the list and the one that it names', async () => {
    const emulator = await manyUnderWay(5)
    const number = Number(/pull\/(\d+)/.exec(emulator.bodies(102)[0] ?? '')?.[1])
    expect(await cost(emulator, { event: workflowRun({ number }) })).toBeLessThanOrEqual(7)
    const read = emulator.calls('github').filter((call) => /\/pulls\//.test(call))
    expect(read).toEqual([`GET /repos/octo/app/pulls/${number}`])
  })
})
