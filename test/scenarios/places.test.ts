import { expect, test } from 'vitest'
import { halvesOf } from '../helpers/prompt-parts.ts'
import { askedTimes, expectOutcome, ownWorld, type World } from '../helpers/world.ts'

// Contract 3.12: of a review with commands, one event asks, whichever comes first.

const CODE = 30
const PLAIN = { guidelines: 'none' }

interface Line {
  readonly body: string
  readonly by?: string
}

/** A review, alice's unless it says otherwise, and the events that GitHub makes of it: that of the text first. */
function reviewed(emulator: World, text: string, lines: readonly Line[], reviewer = 'alice', at = CODE) {
  const { github, shown } = emulator
  if (!github.repo().pulls.has(at)) github.addPullRequest({ number: at, user: 'carol', title: 'Add retries' })
  const review = github.addReview(at, { login: reviewer, body: text })
  const comments = lines.map(({ body, by = reviewer }, n) =>
    github.addReviewComment(at, {
      login: by,
      body,
      review: review.id,
      line: n + 7,
      diffHunk: `+line ${n + 7}`,
    }),
  )
  const common = {
    pull_request: shown.pull(at),
    repository: shown.repository(),
    sender: shown.user(reviewer),
  }
  return [
    {
      name: 'pull_request_review',
      payload: { action: 'submitted', review: shown.review(review), ...common },
    },
    ...comments.map((comment) => ({
      name: 'pull_request_review_comment',
      payload: { action: 'created', comment: shown.comment(comment), ...common },
    })),
  ]
}

const REVIEWS: readonly [string, string, readonly Line[], number, RegExp][] = [
  [
    'its text is the command',
    '/docs tighten this',
    [{ body: 'Say why.' }, { body: '/docs drop it' }],
    0,
    /^tighten this\n/,
  ],
  ['a line is', 'Looks good.', [{ body: 'Say why.' }, { body: '/docs tighten this' }], 2, /^tighten this\n/],
  [
    'two lines are',
    '',
    [{ body: '/docs tighten this' }, { body: '/docs drop it' }, { body: 'Say why.' }],
    1,
    /^tighten this\n/,
  ],
  [
    'a line is the word alone',
    '',
    [{ body: 'Say why.' }, { body: '/docs' }, { body: 'drop it' }],
    2,
    /^Make the changes/,
  ],
]

test.each(REVIEWS.flatMap((row) => [[...row, 'in order'] as const, [...row, 'reversed'] as const]))(
  '3.12 a review where %s: one event asks for all of it',
  async (_, text, lines, asking, begins, order) => {
    const emulator = ownWorld()
    const events = reviewed(emulator, text, lines)
    const indexed = events.map((event, at) => ({ event, at }))
    for (const { event, at } of order === 'reversed' ? indexed.reverse() : indexed) {
      const result = await emulator.act(event, { runId: at + 1, inputs: PLAIN })
      if (at === asking) expectOutcome(result, 'pull-request')
      else expectOutcome(result, 'skipped', 'not-a-command')
    }
    expect(emulator.prompts()).toHaveLength(1)
    const [request = '', fenced = ''] = halvesOf(emulator.prompts()[0])
    expect(request).toMatch(begins)
    const others = lines.filter((_, at) => at !== asking - 1).map(({ body }) => body.replace('/docs ', ''))
    for (const body of others) expect(request).toContain(`. ${body}`)
    expect(request).not.toContain('/docs')
    for (const at of lines.keys()) expect(fenced).toContain(`\`docs/guide.mdx\`, line ${at + 7}`)
    expect(emulator.bodies(CODE)).toHaveLength(1)
  },
)

test('3.12 the events of a review, all at once: one job', async () => {
  const emulator = ownWorld()
  const events = reviewed(emulator, '', [{ body: '/docs tighten this' }, { body: '/docs drop it' }])
  const results = await Promise.all(events.map((event, at) => emulator.act(event, { runId: at + 1 })))
  expect(results.map(({ outputs }) => outputs.outcome)).toEqual(['skipped', 'pull-request', 'skipped'])
  expect(emulator.promptCounts()).toEqual([1])
})

test.each(['alice', 'bob'])(
  'H1 3.12 two reviews at once, of which that of %s comes first: one job has each of them once',
  async (first) => {
    const emulator = ownWorld()
    const ofAlice = reviewed(emulator, '/docs tighten (alice)', [
      { body: 'Say (alice) why.' },
      { body: '/docs skip' },
    ])
    const ofBob = reviewed(
      emulator,
      'Thanks',
      [{ body: '/docs shorten (bob)' }, { body: '/docs drop (it)' }],
      'bob',
    )
    const events = first === 'alice' ? [...ofAlice, ...ofBob] : [...ofBob, ...ofAlice]
    const results = await Promise.all(events.map((event, at) => emulator.act(event, { runId: at + 1 })))
    const asked = results.filter(({ outputs }) => outputs.outcome === 'pull-request')
    expect(asked).toHaveLength(2)
    expect(emulator.promptCounts()).toEqual([2])
    expect(askedTimes(emulator, 'tighten (alice)', 'Say (alice) why', 'shorten (bob)', 'drop (it)')).toEqual([
      1, 1, 1, 1,
    ])
    expect(emulator.bodies(CODE)).toHaveLength(2)
    expect(
      emulator
        .bodies(CODE)
        .join()
        .match(/command on lines of the review did not count/g),
    ).toHaveLength(1)
  },
)

test.each([
  [
    'another person wrote is that person’s',
    (emulator: World) =>
      reviewed(emulator, '', [{ body: '/docs evil', by: 'mallory' }, { body: '/docs tighten this' }]),
  ],
  [
    'was deleted since is none',
    (emulator: World) => {
      const events = reviewed(emulator, '', [{ body: '/docs evil' }, { body: '/docs tighten this' }])
      const [first] = emulator.github.repo().comments.review.values()
      emulator.github.repo().comments.review.delete(first?.id ?? 0)
      return events
    },
  ],
])('3.12 a first line that %s', async (_, make) => {
  const emulator = ownWorld()
  const [, , second] = make(emulator)
  if (second === undefined) throw new Error('no second line')
  expectOutcome(await emulator.act(second, { inputs: PLAIN }), 'pull-request')
  expect(emulator.prompts()[0]).toMatch(/^tighten this\n/)
  expect(emulator.prompts()[0]).not.toContain('evil')
})

test.each(['/docs skip: only tests', '/docs status', '/docs retry', '/docs help'])(
  '3.2 3.12 %s on a line of a review costs nothing',
  async (body) => {
    const emulator = ownWorld()
    const [, first] = reviewed(emulator, 'Thanks', [{ body }, { body: 'Say why.' }])
    if (first === undefined) throw new Error('no line')
    const result = await emulator.act(first)
    expect(result.outputs.outcome).toBe('skipped')
    expect(emulator.prompts()).toEqual([])
    expect(emulator.bodies(CODE)).toHaveLength(1)
  },
)

test.each(['/docs skip: only tests', '/docs status', '/docs tighten this'])(
  '3.12 a line below the review %j asks nothing, and its run says which command counts',
  async (text) => {
    const emulator = ownWorld()
    const [, line] = reviewed(emulator, text, [{ body: '/docs explain it' }])
    if (line === undefined) throw new Error('no line')
    const result = await emulator.act(line)
    expectOutcome(result, 'skipped', 'not-a-command')
    expect(result.log).toContain('It belongs to a review, of which the first command counts.')
  },
)

const ONE = '1 command on lines of the review did not count: write it as a comment of its own.'
const TWO = '2 commands on lines of the review did not count: write each as a comment of its own.'
const UNCOUNTED = /commands? on lines of the review did not count/

test.each([
  ['/docs skip', [{ body: '/docs tighten this' }, { body: 'Say why.' }], 'docs-skipped', ONE],
  ['/docs status', [{ body: '/docs tighten this' }, { body: '/docs help' }], 'status', TWO],
  ['/docs help', [{ body: '/docs skip' }], 'help', ONE],
  ['/docs retry', [{ body: '> why?\n\n/docs tighten this' }], 'help', ONE],
  ['/docs', [{ body: '/docs skip' }], 'help', ONE],
  ['/docs skip', [{ body: 'Say why.' }, { body: 'As `/docs` says.' }], 'docs-skipped', ''],
  ['/docs skip', [{ body: '/docs evil', by: 'mallory' }], 'docs-skipped', ''],
] as const)(
  'H7 3.12 a review %j that only answers, with lines %j: the answer says which commands did not count',
  async (text, lines, reason, said) => {
    const emulator = ownWorld()
    const [event, ...others] = reviewed(emulator, text, lines)
    if (event === undefined) throw new Error('no review')
    expectOutcome(await emulator.act(event, { runId: 1 }), 'skipped', reason)
    for (const [at, other] of others.entries())
      if (!JSON.stringify(other.payload).includes('mallory'))
        expectOutcome(await emulator.act(other, { runId: at + 2 }), 'skipped', 'not-a-command')
    expect(emulator.prompts()).toEqual([])
    expect(emulator.bodies(CODE)).toHaveLength(1)
    if (said === '') expect(emulator.lastWords(CODE)).not.toMatch(UNCOUNTED)
    else expect(emulator.lastWords(CODE)).toContain(said)
  },
)

test.each(['/docs skip', '/docs status', '/docs help'])(
  'H7 3.12 where the first line %j of a review only answers, its answer says that the next one did not count',
  async (body) => {
    const emulator = ownWorld()
    const [, first, second] = reviewed(emulator, 'Thanks', [{ body }, { body: '/docs tighten this' }])
    if (first === undefined || second === undefined) throw new Error('no lines')
    expectOutcome(await emulator.act(second, { runId: 2 }), 'skipped', 'not-a-command')
    expect((await emulator.act(first, { runId: 1 })).outputs.outcome).toBe('skipped')
    expect(emulator.prompts()).toEqual([])
    expect(emulator.lastWords(CODE)).toContain(ONE)
  },
)

test.each([
  ['/docs tighten this', [{ body: '/docs skip' }, { body: 'Say why.' }], 0, ONE],
  ['/docs', [{ body: 'Say why.' }, { body: '/docs status' }, { body: '/docs cancel' }], 0, TWO],
  ['Thanks', [{ body: '/docs tighten this' }, { body: '/docs skip' }, { body: 'Say why.' }], 1, ONE],
  ['/docs tighten this', [{ body: '/docs say why.' }, { body: 'Say why.' }], 0, ''],
] as const)(
  'H7 3.12 a review %j that asks, with lines %j: those that only answer are no part of it, and the answer says so',
  async (text, lines, asking, said) => {
    const emulator = ownWorld()
    const event = reviewed(emulator, text, lines)[asking]
    if (event === undefined) throw new Error('no event')
    expectOutcome(await emulator.act(event, { inputs: PLAIN }), 'pull-request')
    const [request = '', fenced = ''] = halvesOf(emulator.prompts()[0])
    expect(request).toMatch(/\d\. Say why\./i)
    expect(request).not.toMatch(/\/docs|skip|status|cancel/)
    const left = said === '' ? 0 : Number(said.slice(0, 1))
    expect(
      /Left out: (\d) line comments? with a command that asks you nothing/.exec(request)?.[1] ?? '0',
    ).toBe(`${left}`)
    const numbers = [...request.matchAll(/^(\d)\. /gm)].map(([, n]) => n)
    expect([...fenced.matchAll(/^=== \w+ Comment (\d) is about/gm)].map(([, n]) => n)).toEqual(numbers)
    if (said === '') expect(emulator.lastWords(CODE)).not.toMatch(UNCOUNTED)
    else expect(emulator.lastWords(CODE)).toContain(said)
  },
)

test('5.6 3.12 a review that only answers, whose lines GitHub does not show, answers, and warns', async () => {
  const emulator = ownWorld()
  const [event] = reviewed(emulator, '/docs skip', [{ body: '/docs tighten this' }])
  emulator.faults.add({
    match: { host: 'github', path: /\/reviews\/\d+\/comments$/ },
    fault: { kind: 'status', status: 403 },
  })
  if (event === undefined) throw new Error('no review')
  const result = await emulator.act(event)
  expectOutcome(result, 'skipped', 'docs-skipped')
  expect(result.annotations).toMatchObject([{ level: 'warning' }])
  expect(result.annotations[0]?.message).toContain('Could not read the line comments of the review')
})

const REVIEW = { host: 'github', path: /\/reviews\/\d+$/ } as const
test.each([
  [403, 'bad-input', /They decide which of its comments asks/],
  [502, 'github-unavailable', /nothing was sent/],
])('3.12 where the review cannot be read (%i), nothing is asked', async (status, reason, said) => {
  const emulator = ownWorld()
  const [, first] = reviewed(emulator, '', [{ body: '/docs tighten this' }])
  emulator.faults.add({ match: REVIEW, times: 99, fault: { kind: 'status', status } })
  if (first === undefined) throw new Error('no line')
  const result = await emulator.act(first)
  expectOutcome(result, 'error', reason)
  expect(result.log).toMatch(said)
  expect(emulator.prompts()).toEqual([])
})

test('3.12 a command on a line takes two requests more', async () => {
  const emulator = ownWorld()
  const [, first] = reviewed(emulator, '', [{ body: '/docs tighten this' }])
  if (first === undefined) throw new Error('no line')
  await emulator.act(first)
  const reads = emulator
    .calls('github')
    .filter((call) => /GET .*\/pulls\/(30\/(reviews|comments)|comments)/.test(call))
  expect(reads).toHaveLength(2)
})
