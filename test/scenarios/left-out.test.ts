import { describe, expect, test } from 'vitest'
import type { ChangedFile } from '../../emulator/github/model.ts'
import { CODE, codeWorld, happens } from '../helpers/code-world.ts'
import { promptPartsIn } from '../helpers/prompt-parts.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 4.1: changed lines that had no room go with the next command of the thread.

const PLAIN = { guidelines: 'none' }

/** Each line brings a name of its own, of 40 characters or so. */
const long = (lines: number, at = 1): ChangedFile => ({
  filename: 'src/limits.ts',
  additions: lines,
  patch: `@@ -0,0 +${at},${lines} @@\n${Array.from({ length: lines }, (_, n) => `+export const limitNumber${n} = ${n} // seconds`).join('\n')}`,
})

/** More than the changes have room for, and less than they and the rest have. */
const SOME = 600
/** More than both. */
const MANY = 2000

function changedWorld(lines = SOME): World {
  const emulator = codeWorld()
  emulator.github.push(CODE, { files: [long(lines)], isForced: true })
  return emulator
}

const ask = (emulator: World, body: string, inputs: Readonly<Record<string, string>> = {}) =>
  emulator.ask(body, { on: CODE, inputs: { ...PLAIN, ...inputs } })

/** The numbers of the lines that a prompt holds. */
const linesIn = (prompt = ''): number[] =>
  [...prompt.matchAll(/^\+export const limitNumber(\d+) = /gm)].map(([, n]) => Number(n))
const sentLines = (emulator: World): number[][] => emulator.prompts().map(linesIn)
const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)
const all = (lines: number): number[] => Array.from({ length: lines }, (_, n) => n)

const MORE_COMES =
  /did not get \d+ changed lines: changes have room for 20,000 characters\. The next command in the thread can send more of these lines, if the pull request is unchanged by then\./

test('4.1 the next command sends the lines that had no room, each once, and says what they are', async () => {
  const emulator = changedWorld()
  expectOutcome(await ask(emulator, '/docs explain'), 'pull-request')
  expect(emulator.bodies(CODE)[0]).toMatch(MORE_COMES)
  expectOutcome(await ask(emulator, '/docs go on'), 'pull-request')
  const [first = [], second = []] = sentLines(emulator)
  expect(first.length).toBeGreaterThan(300)
  expect(sorted([...first, ...second])).toEqual(all(SOME))
  const [part, ...others] = promptPartsIn(emulator.prompts()[1] ?? '')
  expect(others).toEqual([])
  expect(part?.whose).toBe(
    'the patches of pull request #30, by @alice. Changed lines that an earlier message left out.',
  )
  expect(emulator.lastWords(CODE)).not.toMatch(/did not get|room for/)
  expect(emulator.promptCounts()).toEqual([2])
})

test('4.1 they do not go a third time', async () => {
  const emulator = changedWorld()
  for (const words of ['explain', 'go on', 'shorten it']) await ask(emulator, `/docs ${words}`)
  expect(emulator.prompts()[2]).toBe('shorten it')
})

test('4.1 what still has no room is named, and never goes', async () => {
  const emulator = changedWorld(MANY)
  for (const words of ['explain', 'go on', 'more']) await ask(emulator, `/docs ${words}`)
  const [first = [], second = [], third] = sentLines(emulator)
  const left = MANY - first.length - second.length
  expect(left).toBeGreaterThan(500)
  const grouped = left.toLocaleString('en-US')
  expect(new Set([...first, ...second]).size).toBe(first.length + second.length)
  expect(promptPartsIn(emulator.prompts()[1] ?? '')[0]?.text.length).toBeLessThanOrEqual(10_000)
  expect(emulator.prompts()[1]).toContain(
    `Changed lines that an earlier message left out. Left out again: ${grouped} changed lines.`,
  )
  expect(emulator.bodies(CODE).join('\n')).toContain(
    `The docs agent still did not get ${grouped} changed lines: what an earlier request left out has room for 10,000 characters. Write what matters of the rest in a new request.`,
  )
  expect(third).toEqual([])
})

describe('4.1 nothing of them goes', () => {
  const push = (files: ChangedFile[]) => (emulator: World) =>
    void emulator.github.push(CODE, { files, isForced: true })
  test.each<[string, (emulator: World) => void, Readonly<Record<string, string>>]>([
    ['after a push of other lines', push([long(SOME + 1)]), {}],
    ['after a push of fewer lines', push([long(SOME - 1)]), {}],
    ['where they fit by then', push([long(20)]), {}],
    ['without `context`', () => {}, { context: 'false' }],
    ['where `paths` names other files', () => {}, { paths: 'docs/**' }],
  ])('%s', async (_, happens, inputs) => {
    const emulator = changedWorld()
    await ask(emulator, '/docs explain')
    happens(emulator)
    expectOutcome(await ask(emulator, '/docs go on', inputs), 'pull-request')
    expect(emulator.prompts()[1]).toBe('go on')
  })

  test('to a new job, which gets the changes anew', async () => {
    const emulator = changedWorld()
    await ask(emulator, '/docs explain')
    await ask(emulator, '/docs new explain')
    await ask(emulator, '/docs go on')
    const [first = [], anew = [], rest = []] = sentLines(emulator)
    expect(anew).toEqual(first)
    expect(sorted([...anew, ...rest])).toEqual(all(SOME))
    expect(emulator.promptCounts()).toEqual([1, 2])
  })
})

test.each([
  ['a rebase', long(SOME, 40)],
  ['a merge of the base', long(SOME, 400)],
  ['an empty commit', long(SOME)],
])('4.1 after %s, which leaves the changes as they are, they go', async (_, file) => {
  const emulator = changedWorld()
  await ask(emulator, '/docs explain')
  emulator.github.push(CODE, { files: [file], isForced: true })
  await ask(emulator, '/docs go on')
  expect(sorted(sentLines(emulator).flat())).toEqual(all(SOME))
})

test.each([
  ['a command that was refused', 'status'],
  ['one that did not reach the service', 'refuse'],
  ['one in a dry run', 'dry'],
])('4.1 %s sends nothing, so the next one sends them', async (_, how) => {
  const emulator = changedWorld()
  await ask(emulator, '/docs explain')
  const match = { host: 'service', method: 'POST' } as const
  if (how === 'dry') await ask(emulator, '/docs go on', { 'dry-run': 'true' })
  else {
    const fault =
      how === 'status' ? ({ kind: 'status', status: 400 } as const) : ({ kind: 'refuse' } as const)
    const rule = emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, fault })
    await ask(emulator, '/docs go on')
    rule.remove()
  }
  emulator.clearRequests()
  expectOutcome(await ask(emulator, '/docs write it anew'), 'pull-request')
  const [rest = []] = sentLines(emulator)
  expect(rest.length).toBeGreaterThan(100)
})

test('4.1 after a kill in between they may go once more', async () => {
  const emulator = changedWorld()
  await ask(emulator, '/docs explain')
  const said = emulator.say('/docs go on', { on: CODE })
  await emulator.interrupted(emulator.given(said, { inputs: PLAIN }), { host: 'service', method: 'POST' })
  await ask(emulator, '/docs and now')
  const rest = sentLines(emulator).at(-1) ?? []
  expect(rest.length).toBeGreaterThan(100)
})

test('4.1 they go to a job whose turn failed: it goes on with what it has', async () => {
  const emulator = changedWorld()
  emulator.service.script.push({ ending: 'failed' })
  expectOutcome(await ask(emulator, '/docs explain'), 'failed')
  await ask(emulator, '/docs write the page')
  expect(emulator.promptCounts()).toEqual([2])
  expect(sorted(sentLines(emulator).flat())).toEqual(all(SOME))
})

test('4.1 what an event of the pull request left out goes with a command', async () => {
  const emulator = changedWorld()
  expectOutcome(await happens(emulator, 'opened'), 'pull-request')
  await ask(emulator, '/docs go on')
  expect(sorted(sentLines(emulator).flat())).toEqual(all(SOME))
})

test.each([
  ['without comments of its own', { comment: 'off' }],
  ['in a dry run', { 'dry-run': 'true' }],
  ['where each command has a job of its own', { conversation: 'new' }],
])('4.1 no words promise more %s', async (_, inputs) => {
  const emulator = changedWorld()
  const result = await ask(emulator, '/docs explain', inputs)
  expect(JSON.stringify([emulator.bodies(CODE), result.annotations])).toContain(
    'Write what matters of the rest in a new request.',
  )
  expect(JSON.stringify([emulator.bodies(CODE), result.annotations])).not.toContain('The next command')
})
