import { expect, test } from 'vitest'
import { ForgeError } from '../../src/errors.ts'
import { failureWarnings, type SideTask } from '../../src/github/warn-on-failure.ts'

function setUp() {
  const warnings: string[] = []
  const details: string[] = []
  const core = {
    warning: (line: string) => void warnings.push(line),
    debug: (line: string) => void details.push(line),
  }
  return { ...failureWarnings(core), warnings, details }
}

const refused = (httpStatus: number, said: string) =>
  new ForgeError({ kind: 'refused', httpStatus, said, triedMs: 10 })
const away = (httpStatus: number, said: string, limitedUntil?: number) =>
  new ForgeError({ kind: 'away', httpStatus, said, triedMs: 30_000, limitedUntil })
const COMMENT: SideTask = {
  doing: 'write the result',
  permission: 'issues: write',
  consequence: 'It forgets.',
}
const REACT: SideTask = { doing: 'react to the comment', permission: 'issues: write', consequence: '' }
const fails = (error: unknown) => () => Promise.reject(error)

test('5.6 what works passes, without a word', async () => {
  const { warnOnFailure, flush, warnings, details } = setUp()
  expect(await warnOnFailure(COMMENT, async () => 7)).toBe(7)
  expect(flush()).toBe('')
  expect([warnings, details]).toEqual([[], []])
})

test('5.6 what GitHub refuses becomes a warning that says what fails, why, and what to add', async () => {
  const { warnOnFailure, flush, warnings } = setUp()
  expect(await warnOnFailure(COMMENT, fails(refused(403, 'Resource not accessible')))).toBeUndefined()
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Could not write the result \(HTTP 403: Resource not accessible\)\. .*issues: write.* It forgets\. /,
    ),
  ])
  expect(flush()).toBe(warnings[0])
  expect(warnings).toHaveLength(1)
})

test('5.6 one warning a step, for the first failure that has a consequence', async () => {
  const { warnOnFailure, flush, warnings, details } = setUp()
  const error = refused(403, 'No')
  await warnOnFailure(REACT, fails(error))
  await warnOnFailure(COMMENT, fails(error))
  await warnOnFailure({ ...COMMENT, doing: 'delete it' }, fails(error))
  expect(warnings).toEqual([expect.stringContaining('Could not write the result')])
  expect(details).toEqual([expect.stringContaining('react'), expect.stringContaining('delete it')])
  expect(flush()).toBe(warnings[0])
  expect(warnings).toHaveLength(1)
})

test('5.6 a detail is warned of in the end, where nothing more important failed', async () => {
  const { warnOnFailure, flush, warnings, details } = setUp()
  await warnOnFailure(REACT, fails(refused(403, 'No')))
  await warnOnFailure({ ...REACT, doing: 'react again' }, fails(refused(403, 'No')))
  expect(warnings).toEqual([])
  expect(details).toHaveLength(2)
  expect(flush()).toContain('Could not react to the comment')
  expect(warnings).toHaveLength(1)
  expect(flush()).toBe(warnings[0])
  expect(warnings).toHaveLength(1)
})

test.each<readonly [string, unknown, RegExp]>([
  ['an outage', away(0, 'connection reset'), /GitHub did not answer for 30 s: connection reset/],
  ['an outage that answers', away(502, 'Bad gateway'), /GitHub answered HTTP 502 for 30 s: Bad gateway/],
  ['a locked thread', refused(403, 'Issue is locked'), /Unlock the thread/],
  ['a spent rate limit', away(403, 'API rate limit exceeded'), /rate limit is used up\./],
  ['one with an end', away(403, 'No', Date.UTC(2026, 0, 1, 9, 5)), /rate limit is used up until 09:05 UTC/],
  ['a bad token', refused(401, 'Bad credentials'), /Pass a valid `?github-token/],
  ['something that is not there', refused(404, 'Not Found'), /Check that it exists/],
  ['what is no error', 'odd', /Could not write the result \(odd\)/],
])('5.6 %s', async (_, error, sentence) => {
  const { warnOnFailure, warnings } = setUp()
  await warnOnFailure(COMMENT, fails(error))
  expect(warnings).toEqual([expect.stringMatching(sentence)])
  expect(warnings[0]).not.toMatch(/[\r\n*]/)
})

test('2.4 what GitHub says is one line of bounded length', async () => {
  const { warnOnFailure, warnings } = setUp()
  await warnOnFailure(COMMENT, fails(refused(400, `x\n::set-output name=a::b\r${'y'.repeat(5000)}`)))
  expect(warnings[0]).not.toMatch(/[\r\n]/)
  expect(warnings[0]?.length).toBeLessThan(500)
})
