import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { cancellation } from '../../src/base/deps.ts'
import type { JsonObject } from '../../src/base/json.ts'
import { type Runner, readTrigger } from '../../src/event/trigger.ts'
import { readPush } from '../../src/features/merges/merges.ts'
import { BUDGETS } from '../../src/prompt/budgets.ts'
import { readContext } from '../../src/prompt/context.ts'
import { lengthOf, type Part } from '../../src/prompt/parts.ts'
import { failureWarnings } from '../../src/words/side-tasks.ts'
import { githubOf } from '../helpers/emulated-github.ts'

const emulator = createEmulator()
const github = await githubOf(emulator)
const RUN = { serverUrl: 'https://github.test', repository: { owner: 'octo', repo: 'app' } } as Runner

const textOf = (parts: readonly Part[]): string =>
  parts
    .flatMap(({ sections, note }) => [...sections.map(({ text }) => text), note])
    .filter(Boolean)
    .join('\n\n')

const contextOf = async (event: string, payload: JsonObject): Promise<string> =>
  textOf(await contextParts(event, payload))

async function contextParts(event: string, payload: JsonObject): Promise<readonly Part[]> {
  const deps = {
    github,
    warnings: failureWarnings({ warning: () => {}, debug: () => {} }, { owner: 'octo', repo: 'app' }),
    deps: { cancellation: cancellation(async () => {}), sleep: async () => {} },
  }
  const trigger = readTrigger({ eventName: event, payload })
  const pushed = trigger.push && (await readPush(deps, trigger.push))
  return await readContext(deps, trigger, RUN, undefined, pushed?.comparison)
}

/** An issue on GitHub, and the event of it. */
function issue({ title = 'Retries', body = 'Nobody explains them.', ...more }: JsonObject = {}) {
  const { number } = emulator.github.addIssue({ title: String(title), body: String(body) })
  return { issue: { number, title, body, html_url: 'https://x/12', ...more } }
}
type NewPull = NonNullable<Parameters<typeof emulator.github.addPullRequest>[0]>

/** A pull request on GitHub, and the event of it. */
function pull(given: NewPull = {}, more: JsonObject = {}) {
  const [title, body] = ['Add retries', 'With back-off.']
  const added = emulator.github.addPullRequest({ title, body, ...given })
  const branches = { base: { ref: 'main' }, head: { ref: 'retries' } }
  const event = { number: added.number, title, body, html_url: 'https://x/77', ...branches, ...more }
  return { number: added.number, payload: { pull_request: event } }
}

test('4.2 a release: its notes', async () => {
  const [name, body] = ['Two', 'Retries <!-- EVIL -->']
  const { id } = emulator.github.addRelease({ tag: 'v2', name, body })
  const release = { id, name, tag_name: 'v2', body, html_url: 'https://x/v2' }
  expect(await contextOf('release', { release })).toBe('Release: Two (v2)\n\nhttps://x/v2\n\nRetries')
  const unnamed = { ...release, name: null }
  expect(await contextOf('release', { release: unnamed })).toMatch(/^Release: v2\n/)
})

test('4.2 hidden text goes from title, body, names, messages, patches and hunks', async () => {
  const [zero, tag] = ['\u200b', '\u{e0041}']
  const hidden = issue({ title: `Re${zero}tries`, body: `se${tag}en<!-- EVIL -->` })
  expect(await contextOf('issues', hidden)).toBe(
    `Issue #${hidden.issue.number}: Retries\n\nhttps://x/12\n\nseen`,
  )
  const { payload } = pull(
    { files: [{ filename: `a${zero}.ts`, patch: `+x${tag}y\n+\u202eEVIL` }] },
    { head: { ref: `he${zero}ad` } },
  )
  const context = await contextOf('pull_request', payload)
  expect(context).toContain('--- a.ts\n+xy\n[text in another direction]')
  expect(context).toContain('head: head')
  expect(context).not.toMatch(/[\u200b\u202e\u{e0041}]/u)
})

test.each([
  ['a body of lines', issue({ body: 'a line of text\n'.repeat(3000) })],
  ['a line, and a longer one', issue({ body: `short\n${'x'.repeat(90_000)}` })],
  ['pairs of surrogates', issue({ body: '👍'.repeat(20_000) })],
])('4.2 %s is cut to the budget, at a line where there is one, with a note', async (_, payload) => {
  const parts = await contextParts('issues', payload)
  const context = textOf(parts)
  const length = parts.reduce((sum, part) => sum + lengthOf(part), 0)
  expect(length).toBeLessThanOrEqual(BUDGETS.changes)
  expect(length).toBeGreaterThan(BUDGETS.changes - 100)
  expect(context).toMatch(/\n\[cut: [\d,]+ more characters\]$/)
  expect(context.isWellFormed()).toBe(true)
  const lines = context.split('\n').slice(4, -1)
  if (String(payload.issue.body).startsWith('a line'))
    expect(new Set(lines)).toEqual(new Set(['a line of text']))
})

test.each([
  ['of the commit that the event names', 0, 'Changed files: 1'],
  ['of a commit that is no longer the head', 1, 'The pull request has other commits than at the event'],
])('4.2 files and patches %s', async (_, at, expected) => {
  const { number } = pull({ files: [{ filename: 'a.ts', patch: '+a' }] })
  const { headSha } = await github.pullRequest({ owner: 'octo', repo: 'app', number })
  const head = { ref: 'retries', sha: [headSha, 'e'.repeat(40)][at] }
  const event = { number, title: 'Add retries', body: '', base: { ref: 'main' }, head }
  const context = await contextOf('pull_request', { pull_request: event })
  expect(context).toContain(expected)
  expect(context).toContain('Base: main, head: retries')
  expect(context.includes('+a')).toBe(at === 0)
})

test.each(['pull_request', 'pull_request_review', 'pull_request_review_comment'])(
  '4.2 %s: a push while the files are read leaves those of the new head out',
  async (event) => {
    const { number } = pull({ files: [{ filename: 'a.ts', patch: '+a' }] })
    const { headSha: sha } = await github.pullRequest({ owner: 'octo', repo: 'app', number })
    const match = { path: new RegExp(`/pulls/${number}/files$`) }
    const call = async () => {
      // What goes out beside it is answered first.
      for (let turns = 0; turns < 1000; turns += 1) await undefined
      emulator.github.push(number, { files: [{ filename: 'b.ts', patch: '+later' }] })
    }
    emulator.faults.add({ match, fault: { kind: 'call', call } })
    const pull_request = { number, title: 'Add retries', body: '', base: { ref: 'main' }, head: { sha } }
    const context = await contextOf(event, { pull_request })
    expect(context).toContain('The pull request has other commits than at the event')
    expect(context).not.toContain('later')
  },
)

test('4.2 the event of a comment names no commit: the prompt says of which one the files are', async () => {
  const { number } = pull({ files: [{ filename: 'a.ts', patch: '+a' }] })
  const { headSha } = await github.pullRequest({ owner: 'octo', repo: 'app', number })
  const issue = { number, title: 'Add retries', body: '', pull_request: {} }
  const context = await contextOf('issue_comment', { issue, comment: { id: 1, body: '/docs x' } })
  expect(context).toContain(
    `Files of ${headSha.slice(0, 7)}, the head when this run began.\n\nChanged files: 1`,
  )
})

test('4.2 a list of files says how many there are', async () => {
  const files = Array.from({ length: 1200 }, (_, at) => ({ filename: `${at}.ts`, patch: '+x\n'.repeat(99) }))
  const context = await contextOf('pull_request', pull({ files }).payload)
  // Names come first, and patches as far as the budget goes.
  expect(context).toMatch(/Changed files: 1,200\n[\s\S]*\[\d+ more files\][\s\S]*\n--- 0\.ts\n/)
  expect(context).not.toContain('--- 299.ts')
  const [before, after] = ['1'.repeat(40), '2'.repeat(40)]
  const commits = Array.from({ length: 60 }, (_, at) => ({
    sha: 'c'.repeat(40),
    message: `Commit ${at + 1}.`,
  }))
  emulator.github.setCompare(before, after, { files: files.slice(0, 300), commits })
  const pushed = await contextOf('push', { before, after, ref: 'refs/heads/main' })
  expect(pushed).toContain('Changed files: 300 or more')
  expect(pushed).toContain(`https://github.test/octo/app/compare/${before}...${after}\n`)
  expect(['Commit 50.', 'Commit 51.'].map((one) => pushed.includes(one))).toEqual([true, false])
})
