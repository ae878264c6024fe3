import { describe, expect, test } from 'vitest'
import { GitHubError } from '../../src/base/errors.ts'
import { explainGitHub } from '../../src/words/explain.ts'

const REPO = '/repos/{owner}/{repo}'
const COMMENT = `POST ${REPO}/issues/{issue_number}/comments`
const REACTION = `POST ${REPO}/issues/comments/{comment_id}/reactions`
const EDIT = `PATCH ${REPO}/issues/comments/{comment_id}`
const OPEN = `POST ${REPO}/issues`
const STATUS = `POST ${REPO}/statuses/{sha}`
const READ = `GET ${REPO}/issues/{issue_number}/comments`
const PERMISSION = `GET ${REPO}/collaborators/{username}/permission`

const said = (httpStatus: number, detail: string, call?: string) =>
  explainGitHub(
    new GitHubError({ kind: 'refused', httpStatus, detail, triedMs: 0, call }),
    'do it',
    'issues: write',
  )

const UNLOCK = /Unlock the thread/
const MOVED = /is being moved.* re-run the workflow then/
const BLOCKED = /GitHub or an owner has blocked the repository or the account/
const ADD = /\)\. Add the line `issues: write`/

/** In the words of public threads. */
test.each<[number, string, string, RegExp]>([
  [403, 'Unable to create comment because issue is locked.', COMMENT, UNLOCK],
  [403, 'Issue is locked', EDIT, UNLOCK],
  [422, 'This conversation has been locked', REACTION, UNLOCK],
  [403, 'Repository has been locked for migration.', COMMENT, MOVED],
  [403, 'Repository has been locked for migration.', REACTION, MOVED],
  [403, 'Repository has been locked for migration.', STATUS, MOVED],
  [403, 'Repository has been locked for migration.', OPEN, MOVED],
  [403, 'Repository access blocked', COMMENT, BLOCKED],
  [451, 'Repository access blocked', READ, BLOCKED],
  [403, 'This repository has been blocked.', COMMENT, BLOCKED],
  [403, 'Your account has been blocked', READ, BLOCKED],
  [403, 'Sorry. Your account was suspended', PERMISSION, BLOCKED],
  [451, 'Repository unavailable due to DMCA takedown.', READ, BLOCKED],
  [403, 'Access to this repository has been disabled by GitHub staff.', READ, BLOCKED],
  [422, 'Validation Failed: User is blocked', COMMENT, /has blocked the account of/],
  [403, 'Repository was archived so is read-only.', COMMENT, /Unarchive/],
  [403, 'Commenting is disabled on issues with more than 2500 comments', COMMENT, /new issue/],
  [403, 'Interaction limits are in effect', OPEN, /lift that under/],
  [410, 'Issues has been disabled in this repository.', OPEN, /Turn on issues/],
  [
    422,
    'Validation Failed: This SHA and context has reached the maximum number of statuses.',
    STATUS,
    /push a new one/,
  ],
  [422, 'No commit found for SHA: abc', STATUS, /the next push gets a status/],
  [
    403,
    'Upgrade to GitHub Pro or make this repository public to enable this feature.',
    STATUS,
    /change the plan/,
  ],
  [
    403,
    'Although you appear to have the correct authorization credentials, the organization has an IP allow list enabled',
    READ,
    /use a runner whose address/,
  ],
  [403, 'Resource protected by organization SAML enforcement.', READ, /single sign-on/],
  [401, 'Bad credentials', READ, /Pass a valid/],
  [403, 'Resource not accessible by integration', COMMENT, /token in `github-token`\.$/],
  [403, 'Must have admin rights to Repository.', COMMENT, /token in `github-token`\.$/],
])('5.6 %i %j of %s', (status, detail, call, remedy) => {
  const words = said(status, detail, call)
  expect(words).toMatch(remedy)
  expect(words).toContain(detail.slice(0, 100))
  if (remedy !== UNLOCK) expect(words).not.toMatch(UNLOCK)
})

describe('5.6 a cause counts only in a call that can have it', () => {
  test.each<[number, string, string, RegExp]>([
    [403, 'The branch is locked', STATUS, UNLOCK],
    [403, 'The account is locked', PERMISSION, UNLOCK],
    [403, 'The repository is locked', COMMENT, UNLOCK],
    [403, 'Your account has been locked', COMMENT, UNLOCK],
    [403, 'The runner has been locked', READ, UNLOCK],
    [422, 'The file is locked by another push', COMMENT, UNLOCK],
    [403, 'This branch has been locked', COMMENT, UNLOCK],
    [403, 'Repository was archived so is read-only.', READ, /Unarchive/],
    [422, 'No commit found for the thread', COMMENT, /the next push/],
    [403, 'Interaction limits are in effect', STATUS, /lift that under/],
  ])('%i %j of %s', (status, detail, call, remedy) => {
    expect(said(status, detail, call)).not.toMatch(remedy)
  })

  test.each(['blocked', 'interlocked', 'clock', 'Deadlock found', 'unlocked achievement'])(
    '%j is not "locked"',
    (words) => {
      for (const call of [COMMENT, EDIT, REACTION]) expect(said(403, words, call)).not.toMatch(UNLOCK)
    },
  )
})

test.each([403])('5.6 %i in words that nobody knows: a line to add, if it is missing', (status) => {
  for (const words of ['Zork 17', 'No', 'Forbidden'])
    expect(said(status, words, COMMENT)).toMatch(
      /\)\. Add the line .* If that is there already, look for the cause/,
    )
  expect(said(404, 'Not Found', COMMENT)).toMatch(/Check that it exists\. Add the line/)
  expect(said(403, 'No', COMMENT)).toMatch(ADD)
})

test.each([400, 401, 403, 407, 451])('5.6 a page with %i is that of a proxy', (status) => {
  for (const page of ['<html>blocked</html>', ' <!DOCTYPE html>', '<title>locked</title>'])
    expect(said(status, page, COMMENT)).toMatch(/a page instead of an answer\)\. A proxy or a firewall/)
})

test.each([
  [403, /^Could not do it \(HTTP 403\)\. Add the line [^.]*\.$/],
  [404, /^Could not do it \(HTTP 404\)\. Check that it exists\./],
  [422, /^Could not do it \(HTTP 422\)\.$/],
])('5.6 a refusal whose body was lost has no words to look at: %i', (status, words) => {
  expect(said(status, '', COMMENT)).toMatch(words)
})
