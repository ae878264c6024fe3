import { expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import { CODE, codeWorld, FIRST, file, happens, INPUTS, pulled, pushes } from '../helpers/code-world.ts'
import { expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.13: nobody used a command on these events. Each request has its own comment, the next result of the step hides it,
// and none mentions a person.

const second = file('src/limit.ts', 'second')
const third = file('src/third.ts', 'third')
const push = { files: [...FIRST, second], commit: [second] }
const RESULT = expect.stringContaining('✅')

const words = (emulator: World): string[] =>
  emulator.bodies(CODE).map((body) => body.replace(/\s*<!--[\s\S]*$/, ''))

test('3.13 of three results the last stays in sight', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  await pushes(emulator, push)
  const { outputs } = await pushes(emulator, { files: [...FIRST, second, third], commit: [third] })
  expect(words(emulator)).toEqual([RESULT])
  expect(outputs['comment-url']).toContain(`#issuecomment-${emulator.inSight(CODE)[0]?.id}`)
  expect(emulator.written(CODE).map(({ minimized }) => minimized)).toEqual([
    'OUTDATED',
    'OUTDATED',
    undefined,
  ])
  // What the others know counts on.
  expectOutcome(await pushes(emulator, { files: FIRST, isForced: true }), 'skipped', 'no-changes')
})

test('3.13 what a person asked stays, as does the result of another workflow', async () => {
  const emulator = codeWorld()
  await emulator.ask('/docs explain', { on: CODE, inputs: { 'commit-status': 'docs' } })
  await happens(emulator, 'labeled', { workflow: 'Changelog' })
  await happens(emulator, 'labeled')
  await pushes(emulator, push)
  expect(words(emulator)).toEqual([RESULT, RESULT, RESULT])
  // Only what a person asked mentions one.
  expect(words(emulator)[0]).toContain('@alice')
})

test('3.13 no comment mentions a person, whether the job works, ends, or is left by its run', async () => {
  const emulator = codeWorld()
  const seen: string[] = []
  const call = () => void seen.push(...emulator.bodies(CODE))
  emulator.faults.add({ match: READ, fault: { kind: 'call', when: 'before', call } })
  await happens(emulator, 'labeled')
  emulator.github.push(CODE, push)
  emulator.service.script.push({ reads: 4 })
  const run = emulator.given(pulled(emulator, 'synchronize'), { inputs: INPUTS, runId: 90 })
  expectOutcome(await emulator.interrupted(run, READ, { signal: 'SIGINT', skip: 1 }), 'cancelled')
  seen.push(...emulator.bodies(CODE))
  expect(seen.length).toBeGreaterThan(2)
  for (const body of seen) expect(body).not.toContain('@')
})

test.each(['1', '2', '5'])(
  '3.13 a result whose run follows checks stays in sight, with `fix-attempts: %s`',
  async (attempts) => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    emulator.github.checks.everyHead = [{ name: 'build', takesMs: 60_000 }]
    let seen: string[] = []
    const call = async () => {
      await pushes(emulator, push)
      seen = words(emulator)
    }
    emulator.faults.add({ match: { path: /\/check-runs$/ }, fault: { kind: 'call', call } })
    await happens(emulator, 'labeled', { inputs: { 'fix-attempts': attempts } })
    expect(seen).toEqual([expect.stringContaining('Its checks are running'), RESULT])
  },
)

/** New comments of the action, each of which GitHub mails to all who follow the pull request; an edit it mails to nobody. */
const mails = ({ requests }: World): number =>
  requests.filter(({ method, path }) => method === 'POST' && path.endsWith(`/issues/${CODE}/comments`)).length

const NOTHING: Turn = { pr: 'none' }

test.each<[string, readonly Turn[], number]>([
  ['the first brings the pull request of the docs', [{}, {}, {}], 4],
  ['the second does', [NOTHING, {}, {}], 4],
  ['the last does', [NOTHING, NOTHING, {}], 4],
  ['none does', [NOTHING, NOTHING, NOTHING], 3],
  ['the last fails', [{}, {}, { ending: 'failed' }], 4],
])('3.13 three pushes of which %s: each is announced once, and that is news once', async (_, turns, most) => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  emulator.service.script.push(...turns)
  await happens(emulator, 'opened')
  await pushes(emulator, push)
  await pushes(emulator, { files: [...FIRST, second, third], commit: [third] })
  expect(emulator.prompts()).toHaveLength(3)
  expect(mails(emulator)).toBe(most)
  expect(emulator.inSight(CODE)).toHaveLength(1)
})

test('3.13 rebases, labels and a push without files mail nobody', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened')
  const before = mails(emulator)
  await pushes(emulator, { isForced: true, files: FIRST })
  await happens(emulator, 'labeled')
  await pushes(emulator, { isForced: true, files: [] })
  expect(mails(emulator)).toBe(before)
})

const LINE = (did: string) => `ℹ️ The docs agent ${did}. Reply \`/docs …\` if something is missing.`

test.each<[string, readonly Turn[], unknown]>([
  ['which finds nothing', [NOTHING], LINE('opened no pull request for these changes')],
  [
    'which leaves that pull request as it is',
    [{}, { pr: null }],
    LINE('left [octo/app#77](https://github.com/octo/app/pull/77) as it is'),
  ],
  ['whose link cannot be used', [{ pr: 'http://evil.example' }], expect.stringContaining('cannot be used')],
])('3.13 of an agent %s, people read one line, if that says it', async (_, turns, line) => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  emulator.service.script.push(...turns)
  await happens(emulator, 'opened')
  if (turns.length > 1) await pushes(emulator, push)
  expect(words(emulator)).toEqual([line])
})

test('3.13 a person who asks reads all of it, and gets a mail', async () => {
  const emulator = codeWorld()
  emulator.service.script.push(NOTHING)
  await emulator.ask('/docs explain', { on: CODE })
  expect(mails(emulator)).toBe(2)
  expect(words(emulator)).toEqual([expect.stringContaining('finished without opening a pull request')])
})

test('3.13 a person deletes the comment in the middle: the result stands in a new one', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ ...NOTHING, reads: 2 })
  const call = () => {
    for (const { id } of emulator.written(CODE)) emulator.github.deleteComment(id)
  }
  emulator.faults.add({ match: READ, skip: 1, fault: { kind: 'call', call } })
  expectOutcome(await happens(emulator, 'opened'), 'no-pull-request')
  expect(words(emulator)).toEqual([LINE('opened no pull request for these changes')])
})

test('3.13 a sweep ends what a run left, without a mail unless it brings the pull request of the docs', async () => {
  for (const [turn, most] of [
    [NOTHING, 1],
    [{}, 2],
  ] as const) {
    const emulator = codeWorld()
    emulator.service.script.push({ ...turn, reads: 1 })
    await happens(emulator, 'opened', { inputs: { wait: 'false' } })
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
    expect(emulator.records(CODE)).toMatchObject([{ state: 'ended' }])
    expect(mails(emulator)).toBe(most)
  }
})
