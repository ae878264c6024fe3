import { expect, test } from 'vitest'
import { halvesOf } from '../helpers/prompt-parts.ts'
import { expectOutcome, ownWorld, type World, world } from '../helpers/world.ts'

const alice = { login: 'alice', type: 'User' }
const PLAIN = { guidelines: 'none' }

function pullRequest({ github }: World) {
  const files = [{ filename: 'docs/guide.mdx', additions: 1, patch: '@@ -7 +7 @@\n-old\n+new' }]
  return github.addPullRequest({ title: 'Add retries', body: 'With back-off.', user: 'carol', files }).number
}

function reviewComment(
  emulator: World,
  number: number,
  body: string,
  hunk = '@@ -7 +7 @@\n-old\n+new',
  more = {},
) {
  const where = { path: 'docs/guide.mdx', line: 7 }
  const { id } = emulator.github.addReviewComment(number, { login: 'alice', body, ...where, diffHunk: hunk })
  const payload = {
    action: 'created',
    comment: { id, body, user: alice, ...where, diff_hunk: hunk, ...more },
    pull_request: {
      number,
      title: 'Add retries',
      user: { login: 'carol', type: 'User' },
      html_url: 'https://x/77',
    },
    sender: alice,
  }
  return { name: 'pull_request_review_comment', payload, id }
}

test('4.1 5.3 a review comment: its own reaction endpoints, its file, line and hunk in the prompt', {
  tags: 'bundle',
}, async () => {
  const emulator = world()
  const number = pullRequest(emulator)
  const said = reviewComment(emulator, number, '/docs explain this')
  const result = await emulator.act(said, { inputs: PLAIN })
  expectOutcome(result, 'pull-request')
  const [prompt = ''] = emulator.prompts()
  expect(prompt.startsWith('explain this\n\n')).toBe(true)
  expect(prompt).toContain('The request is about `docs/guide.mdx`, line 7:\n@@ -7 +7 @@\n-old\n+new')
  expect(emulator.reactions(said.id, 'review')).toEqual(['rocket'])
  expect(emulator.calls('github').filter((call) => call.includes('reactions'))).toEqual(
    expect.arrayContaining([`POST /repos/octo/app/pulls/comments/${said.id}/reactions`]),
  )
  expect(emulator.calls().filter((call) => /issues\/comments\/\d+\/reactions/.test(call))).toEqual([])
  expect(emulator.bodies(number)).toHaveLength(1)
})

/** alice submits a review with these line comments. */
function submitted(
  emulator: World,
  body: string,
  comments: readonly string[],
  number = pullRequest(emulator),
) {
  const { id } = emulator.github.addReview(number, { login: 'alice', body })
  for (const [at, text] of comments.entries()) {
    const line = at + 7
    const diffHunk = [...Array.from({ length: 20 }, (_, n) => ` old ${n}`), `+line ${line}`].join('\n')
    emulator.github.addReviewComment(number, { login: 'alice', body: text, review: id, line, diffHunk })
  }
  // Submitting is what updates the comments of a review last.
  const submitted_at = new Date(Date.now() + 2000).toISOString()
  const pull_request = { number, title: 'Add retries', body: 'B', user: { login: 'carol', type: 'User' } }
  const payload = {
    action: 'submitted',
    review: { id, body, user: alice, submitted_at },
    pull_request,
    sender: alice,
  }
  return { name: 'pull_request_review', payload }
}

test('3.12 a review is one request: its line comments in the request, their places in the fence', {
  tags: 'bundle',
}, async () => {
  const emulator = world()
  const event = submitted(emulator, '/docs tighten this', ['Say **why**.', 'Drop this.'])
  expectOutcome(await emulator.act(event, { inputs: PLAIN }), 'pull-request')
  const [request = '', fenced = ''] = halvesOf(emulator.prompts()[0])
  expect(request).toMatch(/^tighten this\n[\s\S]*1\. Say \*\*why\*\*\.\n\n2\. Drop this\./)
  expect(fenced).toMatch(/Comment 2 is about `docs\/guide\.mdx`, line 8:\n( old 1\d\n){7}\+line 8\n/)
  expect(fenced).toContain('modified docs/guide.mdx (+1 -0)')
  expect(request).not.toContain('docs/guide.mdx')
  // GitHub has no reactions to reviews.
  expect(emulator.calls().filter((call) => call.includes('reactions'))).toEqual([])
  expect(emulator.bodies(event.payload.pull_request.number)[0]).toContain('@alice')
})

test('H7 4.2 a line of a review that turns its direction: the agent does not get it, and the answer says so', async () => {
  const emulator = world()
  const event = submitted(emulator, '/docs tighten this', ['Drop \u2067this\u2069.'])
  expectOutcome(await emulator.act(event, { inputs: PLAIN }), 'pull-request')
  expect(emulator.prompts()[0]).toContain('1. [text in another direction]')
  expect(emulator.bodies(event.payload.pull_request.number)[0]).toContain('turn the direction of text')
})

test('4.2 a suggested change is the request as it is written; the lines that it replaces stand in the fence alone', async () => {
  const emulator = world()
  const suggested = 'Shorter:<!-- EVIL -->\n\n```suggestion\n<!-- vale off -->\n**new**  line\n```'
  const event = submitted(emulator, '/docs', [suggested])
  expectOutcome(await emulator.act(event, { inputs: PLAIN }), 'pull-request')
  const [request = '', fenced = ''] = halvesOf(emulator.prompts()[0])
  expect(request).toContain(
    '\n1. Shorter:\n\n   ```suggestion\n   <!-- vale off -->\n   **new**  line\n   ```\n',
  )
  expect(request).not.toMatch(/EVIL|line 7/)
  expect(fenced).toContain('+line 7')
})

test.each([
  [1, '1. Say why.', 'GitHub writes the comments of a review just after the review'],
  [2, '[Left out: 1 line comment edited', 'its author edited it'],
])('3.12 a comment that changed %i s after the review: “%s”, because %s', async (seconds, expected) => {
  const emulator = world()
  const event = submitted(emulator, '/docs tighten this', ['Say why.'])
  const [comment] = emulator.github.repository('octo/app')?.comments.review.values() ?? []
  const changed = Math.floor(Date.parse(comment?.updatedAt ?? '') / 1000) * 1000
  event.payload.review.submitted_at = new Date(changed - seconds * 1000).toISOString()
  expectOutcome(await emulator.act(event, { inputs: PLAIN }), 'pull-request')
  expect(emulator.prompts()[0]).toContain(expected)
})

test.each<[string, { login?: string; review?: number; late?: boolean }, RegExp]>([
  ['of another person', { login: 'mallory' }, /\[Left out: 1 line comment by other people\.\]/],
  ['edited after the review', { late: true }, /\[Left out: 1 line comment edited after the review was/],
  ['of another review', { review: 6 }, /^tighten this\n/],
])('3.12 a comment %s is left out', async (_, more, expected) => {
  const emulator = world()
  const event = submitted(emulator, '/docs tighten this', ['Say why.'])
  const { number } = event.payload.pull_request
  const { login = 'alice', review = event.payload.review.id, late = false } = more
  if (late) await emulator.pass(10_000)
  emulator.github.addReviewComment(number, { login, body: 'EVIL', review, line: 8 })
  const result = await emulator.act(event, { inputs: PLAIN })
  expectOutcome(result, 'pull-request')
  const said = 'did not get the text of the line comment: it was edited'
  expect(result.annotations.filter(({ message }) => message.includes(said))).toHaveLength(late ? 1 : 0)
  const [prompt = ''] = emulator.prompts()
  expect(prompt).toContain('1. Say why.')
  expect(prompt).toMatch(expected)
  expect(prompt).not.toContain('EVIL')
})

test.each([
  ['/docs', []],
  ['/docs help', ['Say why.']],
])('3.12 %s without a comment that it could mean asks for help', async (body, comments) => {
  const emulator = world()
  expectOutcome(await emulator.act(submitted(emulator, body, comments)), 'skipped', 'help')
})

test('3.12 if they cannot be read, the request goes without them, and a warning says so', async () => {
  const emulator = world()
  const event = submitted(emulator, '/docs tighten this', ['Say why.'])
  const match = { host: 'github', path: /\/pulls\/\d+\/comments$/ } as const
  emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 403 } })
  const result = await emulator.act(event, { inputs: PLAIN })
  expectOutcome(result, 'pull-request')
  expect(emulator.prompts()[0]).toMatch(/^tighten this\n/)
  const message = expect.stringMatching(
    /Could not read the line comments of the review \(HTTP 403: .*pull-requests: read/,
  )
  expect(result.annotations).toMatchObject([{ level: 'warning', message }])
})

test.each([
  [403, 'bad-input', /line comments of the review[\s\S]*The review asks for nothing else\./],
  [500, 'github-unavailable', /nothing was sent/],
])(
  '3.12 the command alone, whose comments cannot be read (%i), asks for nothing',
  async (status, reason, said) => {
    const emulator = ownWorld()
    const event = submitted(emulator, '/docs', ['Say why.'])
    const match = { host: 'github', path: /\/pulls\/\d+\/comments$/ } as const
    emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status } })
    const result = await emulator.act(event)
    expectOutcome(result, 'error', reason)
    expect(result.log).toMatch(said)
    expect(emulator.prompts()).toEqual([])
  },
)

test('3.3 a stranger’s review comment is refused, with its own reaction', async () => {
  const emulator = world()
  const number = pullRequest(emulator)
  const said = reviewComment(emulator, number, '/docs explain')
  emulator.github.setPermission('alice', 'read')
  expectOutcome(await emulator.act(said), 'skipped', 'permission-denied')
  expect(emulator.reactions(said.id, 'review')).toEqual(['confused'])
  expect(emulator.calls('service')).toEqual([])
})

test.each([
  ['one line: eight', { line: 27 }, 8],
  ['five lines: eight', { line: 27, start_line: 23 }, 8],
  ['twelve lines: twelve', { line: 27, start_line: 16 }, 12],
  ['the whole file: eight', { line: null, original_line: null }, 8],
])('3.12 of a line comment about %s lines of the diff go along', async (_, lines, shown) => {
  const emulator = world()
  const number = pullRequest(emulator)
  const event = submitted(emulator, '/docs', ['Say why.'], number)
  const [comment] = emulator.github.repo().comments.review.values()
  const body = comment && [{ ...emulator.shown.comment(comment), ...lines }]
  const match = { path: new RegExp(`/pulls/${number}/comments$`) }
  emulator.faults.add({ match, fault: { kind: 'status', status: 200, body } })
  await emulator.act(event, { inputs: PLAIN })
  expect(emulator.prompts()[0]?.match(/^ old \d+$|^\+line 7$/gm)).toHaveLength(shown)
})
