import { describe, expect, test } from 'vitest'
import type { RequestEntry } from '../../emulator/requests.ts'
import { codeWorld, INPUTS, pulled, SECOND } from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { DAY_MS, expectOutcome, ISSUE, type World, world } from '../helpers/world.ts'

// Contract 3.8, 3.10: `base=` finds only the lowest layer of a stack; what was merged with it counts as well.

const SINCE = { 'issue-number': String(ISSUE), 'changes-since': 'last-run' }

function stacked(size: number, base = 'main') {
  const emulator = world()
  const layers = Array.from({ length: size }, (_, at) => ({ title: `Layer ${at + 1}`, user: 'alice' }))
  const pulls = emulator.github.addStack(layers, base)
  return { emulator, pulls, top: pulls.at(-1) ?? 0 }
}

const mergeOf = ({ github }: World, number = 0): string => github.pull(number).mergeCommitSha ?? ''
const yesterday = ({ settings }: World) => ({ at: settings.now() - DAY_MS })
const asked = (emulator: World): string => emulator.prompts().at(-1) ?? ''
const titlesIn = (emulator: World): readonly string[] => [
  ...new Set(asked(emulator).match(/(?<=: )Layer \d$/gm) ?? []),
]
const titles = (...layers: readonly number[]): string[] => layers.map((layer) => `Layer ${layer}`)

/** The push of a stack, up to this layer. */
const pushOf = (emulator: World, pulls: readonly number[], branch = 'main') => {
  const shas = pulls.map((number) => mergeOf(emulator, number))
  return pushTo(emulator, shas.at(-1) ?? '', { commits: shas.slice(0, -1), branch })
}

describe('a push', () => {
  test.each([1, 2, 5])('3.8 of a whole stack of %i is for all of its layers', async (size) => {
    const { emulator, pulls, top } = stacked(size)
    emulator.github.mergeStack(top, yesterday(emulator))
    const result = await pushOf(emulator, pulls)
    expectOutcome(result, 'pull-request')
    expect(result.outputs['issue-number']).toBe(String(top))
    expect(asked(emulator)).toContain(`Layer ${size}`)
    if (size > 1) expect(asked(emulator)).toContain(`Pull requests that this push merged into main: ${size}`)
  })

  test('3.8 of three layers of five leaves the others', async () => {
    const { emulator, pulls } = stacked(5)
    emulator.github.mergeStack(pulls[2] ?? 0, yesterday(emulator))
    await pushOf(emulator, pulls.slice(0, 3))
    expect(titlesIn(emulator).toSorted()).toEqual(titles(1, 2, 3))
  })

  test('3.8 of the lowest alone does not take what an earlier push brought', async () => {
    const { emulator, pulls } = stacked(3)
    for (const number of pulls) emulator.github.closePullRequest(number, { merged: true })
    await pushOf(emulator, pulls.slice(1, 2))
    expect(asked(emulator)).toContain('Layer 2')
    expect(asked(emulator)).not.toMatch(/Layer [13]/)
  })

  test('3.8 of another branch: a layer is for the branch of its stack', async () => {
    const { emulator, pulls, top } = stacked(2)
    emulator.github.mergeStack(top, yesterday(emulator))
    await pushOf(emulator, pulls, 'release')
    expect(asked(emulator)).not.toContain('Pull requests that this push merged')
  })

  test('3.8 while the upper layers are still open, it is for the lowest', async () => {
    const { emulator, pulls } = stacked(3)
    const [lowest = 0] = pulls
    emulator.github.mergeLayer(lowest, yesterday(emulator))
    const result = await pushTo(emulator, 'c'.repeat(40), { commits: [mergeOf(emulator, lowest)] })
    expectOutcome(result, 'pull-request')
    expect(result.outputs['issue-number']).toBe(String(lowest))
  })

  test.each([2, 3, 5])('3.8 of %i layers that are marked as merged while the run looks', async (size) => {
    const twin = stacked(size)
    twin.emulator.github.mergeStack(twin.top)
    const shas = twin.pulls.map((number) => mergeOf(twin.emulator, number))
    const { emulator, pulls, top } = stacked(size)
    emulator.github.mergeLayer(pulls[0] ?? 0, yesterday(emulator))
    const call = () => emulator.github.mergeStack(top, yesterday(emulator))
    const match = { method: 'GET', path: /\/pulls$/ }
    emulator.faults.add({ match, skip: 3, fault: { kind: 'call', when: 'before', call } })
    const result = await pushTo(emulator, shas.at(-1) ?? '', { commits: shas.slice(0, -1) })
    expectOutcome(result, 'pull-request')
    expect(result.outputs['issue-number']).toBe(String(top))
  })

  test('3.8 of a stack that is dissolved: the merged layers keep it', async () => {
    const { emulator, pulls } = stacked(3)
    emulator.github.mergeStack(pulls[1] ?? 0, yesterday(emulator))
    emulator.github.unstack(pulls[0] ?? 0)
    await pushOf(emulator, pulls.slice(0, 2))
    expect(titlesIn(emulator).toSorted()).toEqual(titles(1, 2))
  })
})

/** The stack of its two merged layers and a third one is dissolved right before or after such a read. */
function dissolvedAt(skip: number, when: 'before' | 'after', path = /\/pulls$/) {
  const { emulator, pulls } = stacked(3)
  const [lowest = 0, second = 0] = pulls
  emulator.github.mergeStack(second, yesterday(emulator))
  const call = () => emulator.github.unstack(lowest)
  emulator.faults.add({ match: { method: 'GET', path }, skip, fault: { kind: 'call', when, call } })
  return { emulator, pulls: [lowest, second] }
}

test.each([
  [0, 'before'],
  [0, 'after'],
  [1, 'before'],
  [1, 'after'],
] as const)(
  '3.8 3.10 a stack that is dissolved between two reads (%i, %s) loses no layer',
  async (skip, when) => {
    const pushed = dissolvedAt(skip, when)
    await pushOf(pushed.emulator, pushed.pulls)
    expect(titlesIn(pushed.emulator).toSorted()).toEqual(titles(1, 2))
    const { emulator } = dissolvedAt(skip, when)
    await emulator.refresh(1, SINCE)
    expect(titlesIn(emulator).toSorted()).toEqual(titles(1, 2))
    expectOutcome(await emulator.refresh(2, SINCE), 'skipped', 'no-changes')
  },
)

test.each([1, 2, 3])(
  '3.8 3.13 what layer %i of three lacks is left to the workflow of its events',
  async (layer) => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    const pulls = emulator.github.addStack([{ user: 'alice' }, { user: 'alice' }, { user: 'alice' }])
    const [number = 0, top = 0] = [pulls[layer - 1], pulls.at(-1)]
    const comes = (action: string, of: number, runId: number) =>
      emulator.act(pulled(emulator, action, 'alice', of), { runId, inputs: INPUTS })
    for (const [at, pull] of pulls.entries()) {
      emulator.github.push(pull, { files: [{ ...SECOND, filename: `src/${at}.ts` }] })
      await comes('opened', pull, 900 + at)
    }
    emulator.github.push(number, { files: [SECOND] })
    emulator.github.mergeStack(top)
    const before = emulator.prompts().length
    const more = { workflow: 'Merged', inputs: { 'issue-title': 'Merges' } }
    const shas = pulls.map((pull) => mergeOf(emulator, pull))
    const pushed = await pushTo(emulator, shas[2] ?? '', { commits: shas.slice(0, 2) }, more)
    expectOutcome(pushed, 'skipped', 'no-changes')
    expectOutcome(await comes('closed', number, 910), 'pull-request')
    expect(emulator.prompts()).toHaveLength(before + 1)
  },
)

describe('`changes-since`', () => {
  test.each([2, 3, 5])('3.10 has all layers of %i that were merged together', async (size) => {
    const { emulator, top } = stacked(size)
    emulator.github.mergeStack(top, yesterday(emulator))
    expectOutcome(await emulator.refresh(1, SINCE), 'pull-request')
    const all = Array.from({ length: size }, (_, at) => at + 1)
    expect(titlesIn(emulator).toSorted()).toEqual(titles(...all))
  })

  test('3.10 asks about none of them twice', async () => {
    const { emulator, top } = stacked(3)
    emulator.github.mergeStack(top, yesterday(emulator))
    await emulator.refresh(1, SINCE)
    expectOutcome(await emulator.refresh(2, SINCE), 'skipped', 'no-changes')
  })

  test('3.10 leaves out a layer that is merged into the one below, until both are on the branch', async () => {
    const { emulator, pulls } = stacked(3)
    const [lowest = 0, second = 0, top = 0] = pulls
    emulator.github.closePullRequest(top, { merged: true, ...yesterday(emulator) })
    emulator.github.mergeLayer(lowest, yesterday(emulator))
    await emulator.refresh(1, SINCE)
    expect(asked(emulator)).toContain('Layer 1')
    expect(asked(emulator)).not.toContain('Layer 3')
    expect(emulator.github.pull(second).mergedAt).toBeNull()
  })

  test('3.10 of another branch has none of them', async () => {
    const { emulator, top } = stacked(3, 'develop')
    emulator.github.mergeStack(top, yesterday(emulator))
    expectOutcome(await emulator.refresh(1, SINCE), 'skipped', 'no-changes')
  })

  test.each([2, 3, 5])(
    '3.10 where GitHub does not show whether a layer of %i is there, it counts',
    async (size) => {
      const { emulator, top } = stacked(size)
      emulator.github.mergeStack(top, yesterday(emulator))
      const fault = { kind: 'status', status: 403 } as const
      emulator.faults.add({ match: { path: /\/compare\// }, times: size, fault })
      const { annotations } = await emulator.refresh(1, SINCE)
      const all = Array.from({ length: size }, (_, at) => at + 1)
      expect(titlesIn(emulator).toSorted()).toEqual(titles(...all))
      expect(annotations[0]?.message).toContain('whether the branch of its stack holds the merge of')
    },
  )

  test('3.10 without a stack, no list of every branch is read', async () => {
    const emulator = world()
    emulator.merge({ title: 'Alone' })
    await emulator.refresh(1, SINCE)
    const isOfAll = ({ path, query }: RequestEntry) =>
      path.endsWith('/pulls') && query.state === 'closed' && query.base === undefined
    expect(emulator.requests.filter(isOfAll)).toEqual([])
  })
})
