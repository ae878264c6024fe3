import { describe, expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import { CODE, codeWorld, FIRST, happens, headOf, pulled, SECOND_PUSH } from '../helpers/code-world.ts'
import { CREATE, expectOutcome, type World } from '../helpers/world.ts'

// Contract 4.13: what asks beside another one has a status, and records, of its own.

/** What the head says by now, by the name of the status. */
const shown = (emulator: World): Record<string, string> =>
  Object.fromEntries(
    emulator.github
      .statuses(headOf(emulator))
      .map(({ context, state, description }) => [context, `${state}: ${description}`]),
  )

const RED = 'failure: The docs agent failed'
const WORKS = 'pending: The docs agent is working'
const FAILS: Turn = { ending: 'failed' }

describe('a matrix of two projects, with a name each', () => {
  const PROJECTS = ['docs', 'guides']
  let run = 500

  async function matrix(emulator: World, action: string) {
    run += 1
    const event = pulled(emulator, action)
    for (const [index, project] of PROJECTS.entries())
      await emulator.act(event, {
        runId: run,
        inputs: {
          ...{ prompt: 'Document this.', 'project-id': project, 'matrix-index': String(index) },
          'commit-status': project,
        },
      })
  }

  test.each<[string, readonly Turn[], string, string]>([
    ['both are done', [{}, {}], 'success: octo/docs#77', 'success: octo/docs#78'],
    ['the second one fails', [{}, FAILS], 'success: octo/docs#77', RED],
    ['the first one fails', [FAILS, {}], RED, 'success: octo/docs#77'],
    ['both fail', [FAILS, FAILS], RED, RED],
  ])('4.13 %s: each says its own, also after a label and a rebase', async (_, turns, docs, guides) => {
    const emulator = codeWorld({ otherProjects: ['guides'] })
    emulator.service.script.push(...turns)
    await matrix(emulator, 'opened')
    expect(shown(emulator)).toEqual({ docs, guides })
    await matrix(emulator, 'synchronize')
    emulator.github.push(CODE, { isForced: true, files: FIRST })
    await matrix(emulator, 'synchronize')
    expect(shown(emulator)).toEqual({ docs, guides })
    expect(emulator.promptCounts()).toEqual([1, 1])
  })

  test('3.2 4.13 a skip in the workflow of one project leaves the other to its own', async () => {
    const emulator = codeWorld({ otherProjects: ['guides'] })
    emulator.service.script.push(FAILS, FAILS)
    await matrix(emulator, 'opened')
    await emulator.ask('/docs skip', { on: CODE, inputs: { 'commit-status': 'docs' } })
    expect(shown(emulator)).toEqual({ docs: 'success: Skipped by alice', guides: RED })
  })
})

describe('one reusable workflow, called twice in a workflow: two steps of jobs with one name', () => {
  const CALLS = [
    ['Document this.', 'docs'],
    ['Write its changelog.', 'changelog'],
  ] as const

  async function both(emulator: World, action: string, runId: number, calls: readonly (readonly string[])[]) {
    const event = pulled(emulator, action)
    for (const [prompt = '', name = ''] of calls)
      await emulator.act(event, { runId, inputs: { prompt, 'commit-status': name } })
  }

  test.each<[string, readonly Turn[], object]>([
    ['is done', [{}, {}], { docs: 'success: octo/docs#77', changelog: 'success: octo/docs#77' }],
    ['fails', [{}, FAILS], { docs: 'success: octo/docs#77', changelog: RED }],
    ['has no end yet', [{}, { reads: 1e9 }], { docs: 'success: octo/docs#77', changelog: WORKS }],
  ])('4.13 the second call %s: each has its record and its status', async (_, turns, says) => {
    const emulator = codeWorld()
    emulator.service.script.push(...turns)
    const ends = turns.every(({ reads }) => reads === undefined)
    const calls = async (action: string, runId: number) => {
      const event = pulled(emulator, action)
      for (const [prompt, name] of CALLS)
        await emulator.act(event, {
          runId,
          inputs: { prompt, 'commit-status': name, wait: String(ends || name === 'docs') },
        })
    }
    await calls('opened', 700)
    expect(shown(emulator)).toEqual(says)
    emulator.github.push(CODE, { isForced: true, files: FIRST })
    await calls('synchronize', 701)
    expect(shown(emulator)).toEqual(says)
    expect(emulator.records(CODE).map(({ commitStatus }) => commitStatus.name)).toEqual(['docs', 'changelog'])
    expect(emulator.prompts().map((prompt) => /Document|changelog/.exec(prompt)?.[0])).toEqual([
      'Document',
      'changelog',
    ])
  })

  test('3.13 4.13 two calls that ask the same are asked once, for one status', async () => {
    const emulator = codeWorld()
    await both(emulator, 'opened', 701, [CALLS[0], CALLS[0]])
    expect(shown(emulator)).toEqual({ docs: 'success: octo/docs#77' })
    expect(emulator.promptCounts()).toEqual([1])
    expect(emulator.bodies(CODE)).toHaveLength(1)
  })

  test('4.13 the call that could not ask is asked by the next event, and the other one is not', async () => {
    const emulator = codeWorld()
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
    await both(emulator, 'opened', 702, CALLS)
    expect(shown(emulator).docs).toMatch(/^error: No credits are left/)
    await both(emulator, 'labeled', 703, CALLS)
    expect(shown(emulator)).toEqual({ docs: 'success: octo/docs#77', changelog: 'success: octo/docs#77' })
    expect(emulator.promptCounts()).toEqual([2])
  })

  test('3.13 5.4 after a push, the comments of both calls about it stay in sight', async () => {
    const emulator = codeWorld()
    await both(emulator, 'opened', 704, CALLS)
    emulator.github.push(CODE, SECOND_PUSH)
    await both(emulator, 'synchronize', 705, CALLS)
    expect(emulator.bodies(CODE)).toHaveLength(2)
    expect(Object.keys(shown(emulator)).sort()).toEqual(['changelog', 'docs'])
    expectOutcome(await happens(emulator, 'labeled', { inputs: { prompt: 'Another.' } }), 'pull-request')
  })
})
