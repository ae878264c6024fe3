import { expect, test } from 'vitest'
import { readTrigger } from '../../src/event/trigger.ts'
import { parseReviewComment } from '../../src/github/answers.ts'
import { failureWarnings } from '../../src/github/warn-on-failure.ts'
import type { JsonObject } from '../../src/json.ts'
import { parseCommand } from '../../src/prompt/command.ts'
import type { RenderDeps } from '../../src/prompt/rendered-text.ts'
import { readReviewLines, withReviewLines } from '../../src/prompt/review.ts'

const SUBMITTED = '2026-11-20T10:00:00Z'
const alice = { login: 'alice', type: 'User' }

/** As GitHub lists it: submitting the review is what updates its comments last. */
const line = (id: number, html: string, more: JsonObject = {}): JsonObject => ({
  id,
  body: 'raw **text**',
  body_html: html,
  user: alice,
  pull_request_review_id: 5,
  path: 'docs/guide.mdx',
  line: id,
  diff_hunk: `@@ -1,9 +1,9 @@\n unchanged\n+line ${id}`,
  created_at: '2026-11-20T09:50:00Z',
  updated_at: SUBMITTED,
  ...more,
})

function submitted(body: string) {
  const review = { id: 5, body, user: alice, submitted_at: SUBMITTED }
  const payload = { action: 'submitted', review, pull_request: { number: 77 }, sender: alice }
  return readTrigger({ eventName: 'pull_request_review', payload })
}

/** What alice's review asks for, with these line comments of the pull request. */
async function ask(body: string, comments: readonly JsonObject[] | Error) {
  const warnings: string[] = []
  const core = { warning: (text: string) => void warnings.push(text), debug: () => {} }
  const reviewComments = async () => {
    if (comments instanceof Error) throw comments
    return comments.map(parseReviewComment)
  }
  const found = failureWarnings(core)
  const deps = { forge: { reviewComments }, warnings: found } as unknown as RenderDeps
  const command = parseCommand(body, '/docs')
  if (command === undefined) throw new Error(`${body} is no command`)
  const { places, ...lines } = await readReviewLines(deps, submitted(body))
  found.flush()
  return { asked: withReviewLines(command, { places, ...lines }), places, warnings }
}

const promptOf = async (body: string, comments: readonly JsonObject[]) => {
  const { asked } = await ask(body, comments)
  return asked.kind === 'prompt' ? asked.prompt : ''
}

test('3.12 file, line and the end of the hunk stand apart, under the number of the comment', async () => {
  const long = `@@ -1 +1,99 @@\n${Array.from({ length: 99 }, (_, n) => `+line ${n + 1}`).join('\n')}`
  const { places } = await ask('/docs tighten this', [
    line(7, '<p>a</p>'),
    line(99, '<p>b</p>', { path: 'docs/other.mdx', diff_hunk: long }),
  ])
  expect(places).toContain(
    'Comment 1 is about docs/guide.mdx, line 7:\n\n@@ -1,9 +1,9 @@\n unchanged\n+line 7\n',
  )
  expect(places).toMatch(/Comment 2 is about docs\/other\.mdx, line 99:\n\n(\+line \d+\n)+\+line 99$/)
  expect(places).not.toContain('+line 9\n')
})

test('3.12 comments of other reviews of the pull request stay out', async () => {
  const others = [
    line(8, '<p>Elsewhere.</p>', { pull_request_review_id: 6 }),
    line(9, '<p>Reply.</p>', { pull_request_review_id: null }),
  ]
  expect(await promptOf('/docs tighten this', others)).toBe('tighten this')
})

test.each([
  [
    'of another person',
    { user: { login: 'mallory', type: 'User' } },
    /\[Left out: 1 line comment by other people\.\]$/,
  ],
  ['of an account that cannot be read', { user: null }, /by other people\.\]$/],
  [
    'edited after the review',
    { updated_at: '2026-11-20T10:00:01Z' },
    /\[Left out: 1 line comment edited after the review was submitted\.\]$/,
  ],
])('3.12 a comment %s is left out, with a note', async (_, more, note) => {
  const prompt = await promptOf('/docs tighten this', [line(7, '<p>Mine.</p>'), line(8, '<p>EVIL</p>', more)])
  expect(prompt).toContain('1. Mine.')
  expect(prompt).not.toContain('EVIL')
  expect(prompt).toMatch(note)
})

test.each([
  ['/docs', []],
  ['/docs', [line(7, '<p>Theirs.</p>', { user: { login: 'mallory' } })]],
  ['/docs help', [line(7, '<p>Say why.</p>')]],
])('3.12 %s without a comment that it could mean asks for help: %#', async (body, comments) => {
  expect((await ask(body, comments)).asked.kind).toBe('help')
})

test('3.12 if they cannot be read, the request goes without them, and a warning says so', async () => {
  const { asked, warnings } = await ask('/docs tighten this', new Error('no answer'))
  expect(asked).toMatchObject({ prompt: 'tighten this' })
  expect(warnings).toEqual([expect.stringMatching(/line comments of the review.*agent does not get them/)])
})
