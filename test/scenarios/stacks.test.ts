import { describe, expect, test } from 'vitest'
import { codeWorld, file, INPUTS, pulled } from '../helpers/code-world.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.8, 3.10, 3.13: each layer of a stack but the lowest has the branch of the one below as its base.

function stacked(size: number, base = 'main') {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  const layers = Array.from({ length: size }, (_, at) => ({
    title: `Layer ${at + 1}`,
    user: 'alice',
    files: [file(`src/layer-${at + 1}.ts`, `layer ${at + 1}`)],
  }))
  const pulls = emulator.github.addStack(layers, base)
  return { emulator, pulls, top: pulls.at(-1) ?? 0 }
}

let lastRun = 800
function comes(emulator: World, action: string, number: number, stack?: unknown) {
  lastRun += 1
  const { name, payload } = pulled(emulator, action, 'alice', number)
  const pull_request = { ...payload.pull_request, ...(stack !== undefined && { stack }) }
  return emulator.act({ name, payload: { ...payload, pull_request } }, { runId: lastRun, inputs: INPUTS })
}

const asked = (emulator: World): string => emulator.prompts().join('\n')
const end = (emulator: World, pull: string): string =>
  emulator.github
    .comments(Number(/\d+$/.exec(pull)?.[0]))
    .map(({ body }) => body)
    .find((body) => body.includes('is merged')) ?? ''

describe('a layer that is merged is asked about once its merge is on the branch of its stack', () => {
  test.each([2, 3, 5])('3.13 the top of %i that are merged together', async (size) => {
    const { emulator, top } = stacked(size)
    emulator.github.mergeStack(top)
    expectOutcome(await comes(emulator, 'closed', top), 'pull-request')
    expect(asked(emulator)).toContain(`layer ${size}`)
  })

  test.each([
    ['a stack of one', 1],
    ['the lowest of five', 5],
  ])('3.13 %s is asked about as every other', async (_, size) => {
    const { emulator, pulls } = stacked(size)
    const [lowest = 0] = pulls
    emulator.github.closePullRequest(lowest, { merged: true })
    expectOutcome(await comes(emulator, 'closed', lowest), 'pull-request')
  })

  test('3.13 what the docs agent has is said to be merged into the branch of the stack', async () => {
    const { emulator, top } = stacked(3)
    const { outputs } = await comes(emulator, 'opened', top)
    emulator.github.mergeStack(top)
    expectOutcome(await comes(emulator, 'closed', top), 'skipped', 'pull-request-closed')
    expect(end(emulator, outputs['pr-link'] ?? '')).toContain(
      `octo/app#${top} is merged into \`main\`. This pull request documents it: you can merge this one now.`,
    )
  })

  test('3.13 what the docs agent has, merged into the layer below: readers do not get it yet', async () => {
    const { emulator, pulls, top } = stacked(2)
    const { outputs } = await comes(emulator, 'opened', top)
    emulator.github.closePullRequest(top, { merged: true })
    await comes(emulator, 'closed', top)
    expect(end(emulator, outputs['pr-link'] ?? '')).toContain(
      `octo/app#${top} is merged into \`change-${pulls[0]}\`. This pull request documents it: merge this one when readers get that branch.`,
    )
  })

  test.each([2, 3, 5])('3.13 the top of %i, merged into the layer below: it waits', async (size) => {
    const { emulator, pulls, top } = stacked(size)
    emulator.github.closePullRequest(top, { merged: true })
    const result = await comes(emulator, 'closed', top)
    expectOutcome(result, 'skipped', 'pull-request-closed')
    expect(result.log).toContain(
      `a layer of a stack for main. Its merge into change-${pulls.at(-2)} has not come there yet`,
    )
    expect(emulator.calls('service')).toEqual([])
  })

  test('3.13 where GitHub does not show whether it is there, nothing is asked, and that is said', async () => {
    const { emulator, top } = stacked(2)
    emulator.github.mergeStack(top)
    emulator.faults.add({ match: { path: /\/compare\// }, fault: { kind: 'status', status: 403 } })
    const result = await comes(emulator, 'closed', top)
    expectOutcome(result, 'skipped', 'pull-request-closed')
    expect(result.log).toContain('GitHub does not show whether its merge is on that branch')
    expect(result.annotations[0]?.message).toContain('contents: read')
  })

  test.each(['release/2', 'develop'])('3.13 a stack for %s is not for readers', async (base) => {
    const { emulator, top } = stacked(3, base)
    emulator.github.mergeStack(top)
    const result = await comes(emulator, 'closed', top)
    expectOutcome(result, 'skipped', 'pull-request-closed')
    expect(result.log).toContain(`It was merged into ${base}, which is not the default branch`)
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'main'],
    ['a list', [{ base: { ref: 'main' } }]],
    ['without a base', { id: 1, number: 1, size: 2, position: 2 }],
    ['with a base that is a text', { base: 'main' }],
    ['with a number for a branch', { base: { ref: 7 } }],
    ['with an empty branch', { base: { ref: '' } }],
  ])('3.13 `stack` is %s: its base counts', async (_, stack) => {
    const { emulator, pulls, top } = stacked(2)
    emulator.github.mergeStack(top)
    const result = await comes(emulator, 'closed', top, stack)
    expectOutcome(result, 'skipped', 'pull-request-closed')
    expect(result.log).toContain(`It was merged into change-${pulls[0]}, which is not the default branch`)
  })

  test.each(['before', 'after'] as const)(
    '3.13 a stack that is dissolved right %s the look at its branch keeps what was merged',
    async (when) => {
      for (const size of [2, 3, 5]) {
        const { emulator, pulls } = stacked(size)
        const second = pulls[1] ?? 0
        emulator.github.mergeStack(second)
        const call = () => emulator.github.unstack(second)
        emulator.faults.add({ match: { path: /\/compare\// }, fault: { kind: 'call', when, call } })
        expectOutcome(await comes(emulator, 'closed', second), 'pull-request')
        expect(asked(emulator)).toContain('layer 2')
      }
    },
  )

  test('3.13 a layer that left its stack is for its own base', async () => {
    const { emulator, pulls, top } = stacked(3)
    emulator.github.unstack(top, [top])
    emulator.github.closePullRequest(top, { merged: true })
    const result = await comes(emulator, 'closed', top)
    expect(result.log).toContain(`It was merged into change-${pulls[1]}, which is not the default branch`)
  })
})

test.each([1, 2, 5])('4.2 the prompt names what a layer of %i is compared with', async (size) => {
  const { emulator, pulls, top } = stacked(size)
  await comes(emulator, 'opened', top)
  const base = size === 1 ? 'main' : `change-${pulls.at(-2)}`
  expect(asked(emulator)).toContain(`Base: ${base}, head: change-${top}`)
})
