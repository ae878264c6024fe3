import { expect, test } from 'vitest'
import { createEmulator } from '../../../emulator/emulator.ts'
import { cancellation } from '../../../src/core/cancellation.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { githubClient } from '../../../src/github/octokit.ts'
import { contextOf, reviewPlace } from '../../../src/trigger/context.ts'
import { narrowEvent } from '../../../src/trigger/event.ts'

const BUDGET = 20_000
const emulator = createEmulator()
const sleep = (ms: number) => (ms >= 10_000 ? new Promise<void>(() => {}) : Promise.resolve())
const deps = { fetch: emulator.fetch, cancellation: cancellation(sleep), now: Date.now, sleep }
const github = githubClient(deps, { apiUrl: emulator.githubUrl, token: 'test-token' })

const contextFor = (event: string, payload: JsonObject) =>
  contextOf(narrowEvent(event, payload), {
    github,
    attempt: async (_doing, _permission, act) => await act().catch(() => undefined),
    repository: 'octo/app',
    serverUrl: 'https://github.com',
  })

const issue = (more: JsonObject = {}) => ({
  issue: { number: 12, title: 'Retries', body: 'Nobody explains them.', html_url: 'https://x/12', ...more },
})
const pull = (number: number, more: JsonObject = {}) => ({
  pull_request: {
    number,
    title: 'Add retries',
    body: 'With back-off.',
    html_url: `https://x/${number}`,
    base: { ref: 'main' },
    head: { ref: 'retries' },
    ...more,
  },
})

test('4.2 an issue: number, title, URL and body', async () => {
  const context = await contextFor('issues', issue())
  expect(context).toBe('Issue #12: Retries\n\nhttps://x/12\n\nNobody explains them.')
})

test('4.2 a pull request: title, body, URL, base and head, files with counts, patches', async () => {
  const files = [
    { filename: 'src/retry.ts', status: 'added', additions: 40, deletions: 0, patch: '@@ +1,2 @@\n+retry' },
    { filename: 'logo.png', status: 'modified', additions: 0, deletions: 0 },
  ] as const
  const { number } = emulator.github.addPullRequest({ files })
  const context = await contextFor('pull_request', pull(number))
  for (const part of [
    `Pull request #${number}: Add retries`,
    'With back-off.',
    `https://x/${number}`,
    'Base: main, head: retries',
    'Changed files: 2',
    'added src/retry.ts (+40 -0)',
    'modified logo.png (+0 -0)',
    '--- src/retry.ts\n@@ +1,2 @@\n+retry',
  ]) {
    expect(context).toContain(part)
  }
})

test('4.2 a push: before against after, whatever lies between', async () => {
  const [before, after] = ['a'.repeat(40), 'b'.repeat(40)]
  const files = [{ filename: 'src/retry.ts', additions: 1, patch: '+retry' }]
  emulator.github.setCompare(before, after, {
    files,
    commits: [
      { sha: after, message: 'Squashed\n\nbody' },
      { sha: before, message: 'Merge' },
    ],
  })
  emulator.clearRequests()
  const context = await contextFor('push', { before, after, ref: 'refs/heads/main' })
  expect(context).toContain('Push to main')
  expect(context).toContain(`https://github.com/octo/app/compare/${before}...${after}`)
  expect(context).toContain('- Squashed\n\n- Merge')
  expect(context).toContain('--- src/retry.ts\n+retry')
  expect(emulator.requests).toHaveLength(1)
})

test('4.2 a push of a new branch, and one that cannot be compared, still say which', async () => {
  const push = (before: string) => ({ before, after: 'c'.repeat(40), ref: 'refs/heads/next' })
  expect(await contextFor('push', push('0'.repeat(40)))).toBe('Push to next')
  expect(await contextFor('push', push('d'.repeat(40)))).toBe('Push to next')
})

test('4.2 a release: its notes', async () => {
  const release = { name: 'Two', tag_name: 'v2', body: 'Retries <!-- EVIL -->', html_url: 'https://x/v2' }
  expect(await contextFor('release', { release })).toBe('Release: Two (v2)\n\nhttps://x/v2\n\nRetries')
  const unnamed = { ...release, name: null }
  expect(await contextFor('release', { release: unnamed })).toMatch(/^Release: v2\n/)
})

test('4.1 4.2 a review comment: its file, line and hunk, before what else the pull request changes', async () => {
  const hunk = '@@ -7 +7 @@\n-old\n+new'
  const comment = { id: 1, body: '/docs x', path: 'docs/guide.mdx', line: 7, diff_hunk: hunk }
  const { number } = emulator.github.addPullRequest({ files: [{ filename: 'src/a.ts', patch: '+a' }] })
  const payload = { ...pull(number), comment }
  const place = `The comment is about docs/guide.mdx, line 7:\n\n${hunk}`
  const context = await contextFor('pull_request_review_comment', payload)
  expect(context).toContain(`Pull request #${number}`)
  expect(context).toContain(place)
  expect(context.indexOf(place)).toBeLessThan(context.indexOf('--- src/a.ts'))
  expect(reviewPlace(narrowEvent('pull_request_review_comment', payload))).toBe(place)
  expect(reviewPlace(narrowEvent('issue_comment', { ...issue(), comment }))).toBe('')
})

test('4.2 hidden text goes from title, body, names, messages, patches and hunks', async () => {
  const [zero, tag] = ['\u200b', '\u{e0041}']
  expect(
    await contextFor('issues', issue({ title: `Re${zero}tries`, body: `se${tag}en<!-- EVIL -->` })),
  ).toBe('Issue #12: Retries\n\nhttps://x/12\n\nseen')
  const { number } = emulator.github.addPullRequest({
    files: [{ filename: `a${zero}.ts`, patch: `+x${tag}y\u202e` }],
  })
  const context = await contextFor('pull_request', pull(number, { head: { ref: `he${zero}ad` } }))
  expect(context).toContain('--- a.ts\n+xy')
  expect(context).toContain('head: head')
  expect(context).not.toMatch(/[\u200b\u202e\u{e0041}]/u)
})

test.each([
  ['one long body', issue({ body: 'word '.repeat(30_000) })],
  ['a body of lines', issue({ body: 'a line of text\n'.repeat(9000) })],
  ['a title without end', issue({ title: 'x'.repeat(90_000) })],
  ['pairs of surrogates', issue({ body: '👍'.repeat(40_000) })],
])('4.2 %s is cut to the budget, at a line where there is one, with a note', async (_, payload) => {
  const context = await contextFor('issues', payload)
  expect(context.length).toBeLessThanOrEqual(BUDGET + 60)
  expect(context).toMatch(/\n\[cut: [\d,]+ more characters\]$/)
  expect(context.isWellFormed()).toBe(true)
  const lines = context.split('\n').slice(4, -1)
  if (String(payload.issue.body).startsWith('a line'))
    expect(new Set(lines)).toEqual(new Set(['a line of text']))
})

test('4.2 just within the budget nothing is cut', async () => {
  const empty = (await contextFor('issues', issue({ body: '-' }))).length - 1
  const full = await contextFor('issues', issue({ body: 'x'.repeat(BUDGET - empty) }))
  expect(full).toHaveLength(BUDGET)
  expect(full).not.toContain('[cut')
})

test('4.2 of many large patches, the names come first, and the patches as far as the budget goes', async () => {
  const files = Array.from({ length: 150 }, (_, at) => ({
    filename: `src/${at}.ts`,
    patch: '+x\n'.repeat(200),
  }))
  const { number } = emulator.github.addPullRequest({ files })
  const context = await contextFor('pull_request', pull(number))
  expect(context.length).toBeLessThanOrEqual(BUDGET + 60)
  expect(context).toContain('Changed files: 150')
  expect(context).toContain('modified src/149.ts')
  expect(context).toContain('--- src/0.ts')
  expect(context).not.toContain('--- src/149.ts')
})

test('4.2 of thousands of files not all pages are read', async () => {
  const files = Array.from({ length: 1000 }, (_, at) => ({ filename: `${at}.ts` }))
  const { number } = emulator.github.addPullRequest({ files })
  emulator.clearRequests()
  await contextFor('pull_request', pull(number))
  expect(emulator.requests).toHaveLength(3)
})

test.each(['schedule', 'workflow_dispatch', 'repository_dispatch', 'workflow_run'])(
  '4.2 %s adds nothing',
  async (event) => {
    expect(await contextFor(event, {})).toBe('')
  },
)
