import { describe, expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { DAY_MS, expectOutcome, type World, world } from '../helpers/world.ts'

// 3.9, 3.10: people and stale bots close the tracking issue, and what was merged since then is not lost.

const TITLE = 'Docs refresh'
const TRACKED = { 'issue-title': TITLE, 'changes-since': 'last-run' }

/** A merge that is so many days old at the time of the emulator; its title names it. */
const merge = (emulator: World, title: string, days = 0) => emulator.merge({ title, days })

const close = (emulator: World, number: string | undefined) =>
  emulator.github.editIssue(Number(number), { state: 'closed' })

async function refreshed(options: EmulatorOptions = {}) {
  const emulator = world(options)
  merge(emulator, 'Merge one', 1)
  const first = await emulator.refresh(1, TRACKED)
  expectOutcome(first, 'pull-request')
  return { emulator, first: first.outputs }
}

const refresh = async (emulator: World, runId: number, inputs: Readonly<Record<string, string>> = {}) => {
  const result = await emulator.refresh(runId, { ...TRACKED, ...inputs })
  return { result, prompt: emulator.prompts().at(-1) ?? '' }
}

describe('3.9 a new issue in the place of a closed one goes on from its point, with a new job', () => {
  test('after ten days', async () => {
    const { emulator, first } = await refreshed()
    await emulator.pass(DAY_MS)
    merge(emulator, 'Merge two')
    await emulator.pass(10 * DAY_MS)
    close(emulator, first['issue-number'])
    const { result, prompt } = await refresh(emulator, 2)
    expectOutcome(result, 'pull-request')
    expect(prompt).toContain('Merge two')
    expect(prompt).not.toContain('Merge one')
    expect(result.outputs['job-action']).toBe('created')
    expect(result.outputs['issue-number']).not.toBe(first['issue-number'])
    expect(result.annotations).toEqual([])
  })

  test('that its last comment says, not its body', async () => {
    const { emulator, first } = await refreshed()
    for (const runId of [2, 3]) {
      await emulator.pass(DAY_MS)
      merge(emulator, `Merge ${runId}`)
      await emulator.refresh(runId, TRACKED)
    }
    await emulator.pass(DAY_MS)
    merge(emulator, 'Merge four')
    await emulator.pass(20 * DAY_MS)
    close(emulator, first['issue-number'])
    const { prompt } = await refresh(emulator, 4)
    expect(prompt).toContain('Merge four')
    expect(prompt).not.toMatch(/Merge (one|2|3)/)
  })

  test('that was closed twice, with no request between', async () => {
    const { emulator, first } = await refreshed()
    await emulator.pass(10 * DAY_MS)
    close(emulator, first['issue-number'])
    const { result } = await refresh(emulator, 2)
    expectOutcome(result, 'skipped', 'no-changes')
    merge(emulator, 'Merge two')
    await emulator.pass(10 * DAY_MS)
    close(emulator, result.outputs['issue-number'])
    const { prompt } = await refresh(emulator, 3)
    expect(prompt).toContain('Merge two')
    expect(prompt).not.toContain('Merge one')
  })

  test.each(['docs-app[bot]', 'alice'])('of the token of %s', async (tokenLogin) => {
    const { emulator, first } = await refreshed({ tokenLogin })
    merge(emulator, 'Merge two')
    await emulator.pass(10 * DAY_MS)
    close(emulator, first['issue-number'])
    expect((await refresh(emulator, 2)).prompt).toContain('Merge two')
  })

  test('and the next run continues there', async () => {
    const { emulator, first } = await refreshed()
    merge(emulator, 'Merge two')
    close(emulator, first['issue-number'])
    const { result } = await refresh(emulator, 2)
    await emulator.pass(DAY_MS)
    merge(emulator, 'Merge three')
    const { result: third, prompt } = await refresh(emulator, 3)
    expect(third.outputs['job-id']).toBe(result.outputs['job-id'])
    expect(prompt).toContain('Merge three')
    expect(prompt).not.toContain('Merge two')
  })
})

describe('3.9 a closed issue that does not verify: seven days, and the answer says so', () => {
  const KEYS = ['a-memory-of-our-own', 'another-memory-key', 'one-more-memory-key']
  const NOTE =
    /may lack earlier pull requests: what the closed issue #\d+ remembers does not verify, so `last-run` goes back seven days/

  test.each(KEYS)('signed with %s', async (key) => {
    const emulator = world()
    merge(emulator, 'Merge one', 1)
    const first = await refresh(emulator, 1, { 'memory-key': key })
    merge(emulator, 'Merge two')
    await emulator.pass(10 * DAY_MS)
    merge(emulator, 'Merge three', 1)
    close(emulator, first.result.outputs['issue-number'])
    const { result, prompt } = await refresh(emulator, 2)
    expectOutcome(result, 'pull-request')
    expect(prompt).toContain('Merge three')
    expect(prompt).not.toMatch(/Merge (one|two)/)
    expect(emulator.lastWords(Number(result.outputs['issue-number']))).toMatch(NOTE)
    expect(result.annotations).toMatchObject([{ level: 'warning' }])
  })

  test.each([
    ['of another title', 'Other', 'github-actions[bot]', 'same'],
    ['of a stranger', TITLE, 'mallory', 'same'],
    ['without a record', TITLE, 'github-actions[bot]', 'none'],
  ])('nothing is said of one %s', async (_, title, user, body) => {
    const { emulator, first } = await refreshed()
    const old = Number(first['issue-number'])
    const text = emulator.github.repo().issues.get(old)?.body ?? ''
    const elsewhere = world()
    merge(elsewhere, 'Merge two', 1)
    const { number } = elsewhere.github.addIssue({ title, user, body: body === 'same' ? text : 'Hello' })
    elsewhere.github.editIssue(number, { state: 'closed' })
    const { result } = await refresh(elsewhere, 2, { 'memory-key': 'a-memory-of-our-own' })
    expectOutcome(result, 'pull-request')
    expect(result.annotations).toEqual([])
  })
})

test('3.9 closed issues are read only for `last-run`, and only while the open one has no point', async () => {
  const reads = (emulator: World) =>
    emulator.requests.filter(({ path, query }) => /\/issues$/.test(path) && query.state === 'closed').length
  const { emulator } = await refreshed()
  expect(reads(emulator)).toBeGreaterThan(0)
  emulator.clearRequests()
  await emulator.refresh(2, TRACKED)
  await emulator.refresh(3, { 'issue-title': 'Another' })
  expect(reads(emulator)).toBe(0)
})

test('3.9 GitHub away at the closed issues: nothing is sent, and a re-run goes on from the point', async () => {
  const { emulator, first } = await refreshed()
  merge(emulator, 'Merge two')
  await emulator.pass(10 * DAY_MS)
  close(emulator, first['issue-number'])
  const path = new RegExp(`/issues/${first['issue-number']}/comments$`)
  const fault = { kind: 'status', status: 502 } as const
  const rule = emulator.faults.add({ match: { method: 'GET', path }, times: Number.POSITIVE_INFINITY, fault })
  expectOutcome((await refresh(emulator, 2)).result, 'error', 'github-unavailable')
  expect(emulator.prompts()).toHaveLength(1)
  rule.remove()
  const again = await emulator.refresh(2, TRACKED, { attempt: 2 })
  expectOutcome(again, 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('Merge two')
})
