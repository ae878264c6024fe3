import { describe, expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import {
  CODE,
  closes,
  codeWorld,
  FIRST,
  happens,
  pushes,
  SECOND_PUSH,
  saidOf,
} from '../helpers/code-world.ts'
import { BOT, DAY_MS, expectOutcome, ISSUE, ownWorld, type World } from '../helpers/world.ts'

// Contract 5.1, H1, H7: a record of the account that writes here that does not verify means "not known". Nothing is paid twice
// for it, and nothing is called none.

/** What signed at first; later runs have the key of now alone. */
const OLD = { 'memory-key': 'the-memory-key-of-then' }
const OLD_INPUTS = { inputs: OLD }
const NOT_KNOWN =
  'pending: Not known: a comment of the action does not verify (memory-key). /docs … asks, /docs skip decides'
const asked = (emulator: World): number => emulator.prompts().length
const STATUS = { 'commit-status': 'docs' }

type Comes = [string, (emulator: World) => Promise<RunResult>]

const COMES: Comes[] = [
  ['a push', (emulator) => pushes(emulator, SECOND_PUSH)],
  ['a rebase', (emulator) => pushes(emulator, { isForced: true, files: FIRST })],
  ['a label', (emulator) => happens(emulator, 'labeled')],
]

const MERGES: Comes = [
  'the merge',
  (emulator) => {
    emulator.github.push(CODE, SECOND_PUSH)
    return closes(emulator, true)
  },
]

/** The last comment of the action on the code, as somebody writes it anew. */
function changed(emulator: World, change: (body: string) => string): void {
  const last = emulator.written(CODE).at(-1)
  emulator.github.editComment(last?.id ?? 0, change(last?.body ?? ''))
}
const isOtherByOne = (body: string) =>
  body.replace(/:(.)([\w-]{42}) -->/, (_, first, rest) => `:${first === 'A' ? 'B' : 'A'}${rest} -->`)

describe.each<[string, (emulator: World) => Promise<unknown>]>([
  ['with another memory-key', (emulator) => happens(emulator, 'opened', OLD_INPUTS)],
  [
    'whose comment somebody changed',
    async (emulator) => {
      await happens(emulator, 'opened')
      changed(emulator, isOtherByOne)
    },
  ],
])('3.13 a record %s', (_, begins) => {
  test.each(COMES)('%s asks nothing, and a person decides', async (_, comes) => {
    const emulator = codeWorld()
    await begins(emulator)
    expectOutcome(await comes(emulator), 'skipped', 'no-changes')
    expect(asked(emulator)).toBe(1)
    expect(saidOf(emulator).at(-1)).toBe(NOT_KNOWN)
    await emulator.pass(DAY_MS)
    expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs: STATUS }), 'pull-request')
    expect(saidOf(emulator).at(-1)).toBe('success: octo/docs#78')
    const third = { files: [...FIRST, { filename: 'src/third.ts', patch: '+third' }] }
    expectOutcome(await pushes(emulator, third), 'pull-request')
    expect(asked(emulator)).toBe(3)
  })

  test('the merge asks nothing', async () => {
    const emulator = codeWorld()
    await begins(emulator)
    expectOutcome(await MERGES[1](emulator), 'skipped', 'no-changes')
    expect(asked(emulator)).toBe(1)
  })

  test.each([
    ['/docs skip because it is internal', 'docs-skipped', 'success: Skipped by alice: it is internal'],
    ['/docs help', 'no-changes', NOT_KNOWN],
    ['/docs status', 'no-changes', NOT_KNOWN],
  ])('after %s, the next push ends as %s', async (words, reason, says) => {
    const emulator = codeWorld()
    await begins(emulator)
    await emulator.pass(DAY_MS)
    await emulator.ask(words, { on: CODE, inputs: STATUS })
    expectOutcome(await pushes(emulator, SECOND_PUSH), 'skipped', reason)
    expect(asked(emulator)).toBe(1)
    expect(saidOf(emulator).at(-1)).toBe(says)
  })

  test('`/docs status` and `/docs retry` say so', async () => {
    const emulator = codeWorld()
    await begins(emulator)
    await emulator.ask('/docs status', { on: CODE })
    expect(emulator.lastWords(CODE)).toMatch(
      /^\*\*ℹ️ It is not known whether this thread has a job\*\*, @alice\.\nA comment of the action here does not verify: `memory-key` is another one, or somebody changed the comment\./,
    )
    await emulator.ask('/docs retry', { on: CODE, runId: 2 })
    expect(emulator.lastWords(CODE)).toContain('It is not known how the last request here ended.')
  })
})

test.each([...COMES, MERGES])(
  '3.13 H5 beside requests that verify, %s asks nothing either',
  async (_, comes) => {
    const emulator = codeWorld()
    await happens(emulator, 'opened')
    await emulator.ask('/docs explain', { on: CODE, runId: 7, inputs: { ...STATUS, ...OLD } })
    expectOutcome(await comes(emulator), 'skipped', 'no-changes')
    expect(asked(emulator)).toBe(2)
  },
)

test('5.1 what verifies and what does not: the status names the job that is known, and says that there may be a later one', async () => {
  const emulator = ownWorld()
  await emulator.ask('/docs explain')
  await emulator.ask('/docs explain more', { runId: 2, inputs: OLD })
  await emulator.ask('/docs status', { runId: 3 })
  expect(emulator.lastWords()).toMatch(
    /The job `j_\w+` is `completed`[\s\S]*\nIt is not known whether this thread has a later job\. A comment/,
  )
})

test('3.13 records of another project are no reason to wait', async () => {
  const emulator = codeWorld({ otherProjects: ['guides'] })
  await happens(emulator, 'opened', { inputs: { 'project-id': 'guides', ...OLD } })
  expectOutcome(await happens(emulator, 'opened'), 'pull-request')
})

test('H1 4.3 a re-run of an event beside such a record asks once a person has looked', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened', { runId: 90, ...OLD_INPUTS })
  expectOutcome(await happens(emulator, 'opened', { runId: 90, attempt: 2 }), 'error', 'creation-uncertain')
  expect(asked(emulator)).toBe(1)
  expectOutcome(await pushes(emulator, SECOND_PUSH, { runId: 91 }), 'skipped', 'no-changes')
  expectOutcome(await happens(emulator, 'labeled', { runId: 92 }), 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(1)
})

test('H1 4.3 a re-run of a command beside such a record asks once a person has looked', async () => {
  const emulator = ownWorld()
  const { said } = await emulator.ask('/docs explain', OLD_INPUTS)
  const again = (attempt: number) => emulator.act(said, { attempt })
  expectOutcome(await again(2), 'error', 'creation-uncertain')
  expect(asked(emulator)).toBe(1)
  expectOutcome(await again(3), 'pull-request')
  expect(asked(emulator)).toBe(2)
  expect(emulator.bodies(ISSUE).length).toBeGreaterThan(0)
})

test('3.6 a schedule that reports to a pull request with such a record asks nothing', async () => {
  const emulator = ownWorld()
  emulator.github.addPullRequest({ number: 31, user: 'alice' })
  await emulator.ask('/docs explain', { on: 31, ...OLD_INPUTS })
  emulator.github.closePullRequest(31, { merged: true })
  const result = await emulator.refresh(2, { 'issue-number': '31' })
  expectOutcome(result, 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(1)
})

describe('3.9 a tracking issue that does not verify', () => {
  const inputs = { 'issue-title': 'Refresh' }

  test.each([
    ['comments there', async (emulator: World) => void (await emulator.ask('/docs go on', { on: 13 }))],
    ['closes it', async (emulator: World) => void emulator.github.editIssue(13, { state: 'closed' })],
  ])('opens no second one, and pays nothing, until a person %s', async (_, acts) => {
    const emulator = ownWorld()
    expectOutcome(await emulator.refresh(1, { ...inputs, ...OLD }), 'pull-request')
    const before = emulator.written(13).length
    for (const attempt of [1, 2, 3]) {
      const result = await emulator.refresh(2, inputs, { attempt })
      expectOutcome(result, 'error', 'bad-input')
      expect(result.log).toMatch(
        /An input of the workflow cannot be used.*Input memory-key does not verify what issue #13 remembers: pass the key that signed it\. Else comment \/docs … there to ask, or close the issue/,
      )
    }
    expect(asked(emulator)).toBe(1)
    expect(before).toBeGreaterThan(0)
    expect(emulator.calls().filter((call) => call === 'POST /repos/octo/app/issues')).toHaveLength(1)
    await emulator.pass(DAY_MS)
    await acts(emulator)
    const { outputs, log } = await emulator.refresh(3, inputs)
    expect(outputs.outcome, log).toBe('pull-request')
    expect(outputs['issue-number'] === '13').toBe(emulator.github.issue(13).state === 'open')
  })

  test('a body that somebody changed says so, too', async () => {
    const emulator = ownWorld()
    await emulator.refresh(1, inputs)
    emulator.github.editIssue(13, { body: isOtherByOne(emulator.github.issue(13).body) })
    for (const { id } of emulator.written(13)) emulator.github.deleteComment(id)
    expectOutcome(await emulator.refresh(2, inputs), 'error', 'bad-input')
    expect(asked(emulator)).toBe(1)
  })
})

describe('H3 only the account that writes here can make things not known', () => {
  test.each([...COMES, MERGES])('by a personal token: %s asks nothing', async (_, comes) => {
    const emulator = codeWorld({ tokenLogin: 'carol' })
    await happens(emulator, 'opened', OLD_INPUTS)
    expectOutcome(await comes(emulator), 'skipped', 'no-changes')
    expect(asked(emulator)).toBe(1)
  })

  test.each([...COMES, MERGES])('by the token of an App: %s asks nothing', async (_, comes) => {
    const emulator = codeWorld({ tokenLogin: 'docs-app[bot]' })
    await happens(emulator, 'opened', OLD_INPUTS)
    expectOutcome(await comes(emulator), 'skipped', 'no-changes')
    expect(asked(emulator)).toBe(1)
  })

  test.each<[string, string, 'User' | 'Bot', string]>([
    ['a person', 'mona', 'User', 'carol'],
    ['another bot', 'renovate[bot]', 'Bot', BOT],
    ['the bot of workflows, beside the token of an App', BOT, 'Bot', 'docs-app[bot]'],
  ])('a record that %s forged counts for nothing', async (_, login, type, tokenLogin) => {
    const other = codeWorld()
    await happens(other, 'opened', OLD_INPUTS)
    const body = other.bodies(CODE)[0] ?? ''
    expect(body).toContain('<!-- docs-agent')
    for (const [, comes] of [...COMES, MERGES]) {
      const emulator = codeWorld({ tokenLogin })
      emulator.github.addComment(CODE, { login, type, body })
      expectOutcome(await comes(emulator), 'pull-request')
    }
  })
})

describe('5.1 in the own comment, the last record counts wherever it stands', () => {
  test.each([
    ['a line below it', (body: string) => `${body}\n\nSee also the style guide.`],
    ['several lines below it', (body: string) => `${body}\n\n- one\n- two\n\n> three`],
    ['a line above it, too', (body: string) => `Read this.\n\n${body}\n\nAnd that.`],
  ])('with %s, a label pays nothing again', async (_, edit) => {
    const emulator = codeWorld()
    await happens(emulator, 'opened')
    changed(emulator, edit)
    expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'no-changes')
    await emulator.ask('/docs more', { on: CODE })
    expect(emulator.promptCounts()).toEqual([2])
  })

  test.each(['renovate[bot]', 'stale[bot]', 'mallory'])('but not in one of %s', async (login) => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    const body = `${emulator.lastWords()}\n\nQuoted.`
    for (const { id } of emulator.written()) emulator.github.deleteComment(id)
    emulator.github.addComment(ISSUE, { login, type: login.endsWith('[bot]') ? 'Bot' : 'User', body })
    expect((await emulator.ask('/docs more', { runId: 2 })).outputs['job-action']).toBe('created')
  })
})
