import { expect, test } from 'vitest'
import { GitHubError } from '../../src/base/errors.ts'
import { plainText } from '../../src/base/text.ts'
import { failureWarnings, type SideTask } from '../../src/words/side-tasks.ts'

const refused = (httpStatus: number, detail: string) =>
  new GitHubError({ kind: 'refused', httpStatus, detail, triedMs: 10 })
const away = (httpStatus: number, detail: string, limitedUntil?: number, triedMs = 30_000) =>
  new GitHubError({ kind: 'away', httpStatus, detail, triedMs, limitedUntil })
const OWN = { owner: 'octo', repo: 'app' }
const COMMENT: SideTask = ['comment', 'result']

/** The warnings of a step in which these failed, and the lines of its debug log. */
function warnedOf(...failed: readonly (readonly [SideTask, unknown])[]) {
  const [lines, details] = [[] as string[], [] as string[]]
  const core = { warning: (line: string) => lines.push(line), debug: (line: string) => details.push(line) }
  const { add, flush } = failureWarnings(
    {
      warning: (line) => void core.warning(line),
      debug: (line) => void core.debug(line),
    },
    OWN,
  )
  for (const [task, error] of failed) add(task, error)
  expect(plainText(flush('It forgets.'))).toBe(lines[0] ?? '')
  expect(flush('It forgets.')).toBe('')
  return { lines, details }
}

test('5.6 one warning a step: for each cause all that failed, with all that is missing, and then the thread', () => {
  const no = refused(403, 'No')
  const gone = refused(410, 'Gone')
  const { lines, details } = warnedOf(
    ['review-reaction', no],
    [COMMENT, no],
    ['replaced', gone],
    [COMMENT, refused(403, 'No')],
  )
  expect(lines).toEqual([
    expect.stringMatching(
      /^Could not react to the comment and write the result \(HTTP 403: No\)\. Add the lines pull-requests: write and issues: write .* Could not delete the comment that a newer one replaced \(HTTP 410: Gone\)\. It forgets\.$/,
    ),
  ])
  expect(details).toHaveLength(4)
})

test('5.6 a sweep over hundreds of threads that GitHub refuses names some', () => {
  const { lines } = warnedOf(
    ...Array.from({ length: 300 }, (_, at): readonly [SideTask, unknown] => [
      ['thread', at],
      refused(403, at < 200 ? 'No' : `No ${at}`),
    ]),
  )
  expect(lines[0]).toMatch(
    /^Could not read the comments of #0, .* of #2, read the comments of #3 and 196 more \(HTTP 403: No\)/,
  )
  expect(lines[0]?.length).toBeLessThan(2000)
})

test('5.6 a bad token lacks no permission', () => {
  const bad = refused(401, 'Bad credentials')
  const { lines } = warnedOf(['review-reaction', bad], [COMMENT, bad])
  expect(lines[0]).toMatch(/Pass a valid `?github-token`?\. It forgets\.$/)
})

test.each<readonly [string, unknown, RegExp]>([
  ['an outage', away(0, 'connection reset'), /GitHub did not answer for 30 s: connection reset/],
  ['an outage that answers', away(502, 'Bad gateway'), /GitHub answered HTTP 502 for 30 s: Bad gateway/],
  ['one that is told of soon', away(0, 'reset', undefined, 1000), /GitHub did not answer for 1 s: reset/],
  ['one that is told of at once', away(0, 'reset', undefined, 999), /GitHub did not answer: reset/],
  ['a limit by its status', away(429, 'Too many requests'), /rate limit is used up\./],
  ['a locked thread', refused(403, 'Issue is locked'), /Unlock the thread/],
  [
    'a full thread',
    refused(403, 'Commenting is disabled on issues with more than 2500 comments'),
    /new issue/,
  ],
  ['an archived repository', refused(403, 'Repository was archived so is read-only.'), /Unarchive the rep/],
  [
    'an IP allow list',
    refused(403, 'The `octo` organization has an IP allow list enabled'),
    /leaves this runner/,
  ],
  ['SAML', refused(403, 'Resource protected by organization SAML enforcement.'), /single sign-on/],
  ['a kind of token', refused(403, '`octo` forbids access via a personal access token.'), /of a GitHub App/],
  [
    'a page',
    refused(403, '<!DOCTYPE html><html><body>Blocked'),
    /403: a page instead of .*A proxy or a firewall/,
  ],
  ['a missing permission', refused(403, 'Not accessible'), /Add the line issues: write/],
  ['a spent rate limit', away(403, 'API rate limit exceeded'), /rate limit is used up\./],
  ['one with an end', away(403, 'No', Date.UTC(2026, 0, 1, 9, 5)), /rate limit is used up until 09:05 UTC/],
  ['a bad token', refused(401, 'Bad credentials'), /Pass a valid `?github-token/],
  ['something that is not there', refused(404, 'Not Found'), /Check that it exists/],
  ['what is no error', 'odd', /Could not write the result \(odd\)/],
  ['what is long', refused(400, `x\n::set-output name=a::b\r${'y'.repeat(5000)}`), /^.{100,500}$/],
])('5.6 2.4 %s', (name, error, sentence) => {
  const { lines } = warnedOf([COMMENT, error])
  expect(lines).toEqual([expect.stringMatching(sentence)])
  expect(lines[0]).not.toMatch(/[\r\n*]|DOCTYPE/)
  if (!/missing|not there/.test(name)) expect(lines[0]).not.toContain('Add the line')
})

test('5.6 several permissions are one list, and none helps to write in another repository', () => {
  const [no, number] = [refused(403, 'No'), 77]
  const own = { ...OWN, number }
  const permissions = warnedOf([['checks', own], no]).lines[0]
  expect(permissions).toContain('lines pull-requests: read, checks: read and statuses: read under')
  expect(warnedOf([['labels', own], no]).lines[0]).toMatch(/labels on octo\/app#77 .*pull-requests: write/)
  const elsewhere = warnedOf([['labels', { owner: 'octo', repo: 'docs', number }], no]).lines[0]
  expect(elsewhere).toMatch(/labels on octo\/docs#77 in another repository .*Pass a github-token/)
})
