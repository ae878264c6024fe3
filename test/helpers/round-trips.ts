import type { Emulator } from '../../emulator/emulator.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { type ActionRun, runAction } from '../../emulator/runner.ts'
import { ACTIONS, access, comment } from '../../scripts/demo/actions.ts'
import { emulateInProcess } from './step-in-process.ts'

const ISSUE = 12
/** About what GitHub takes for an answer. */
const ANSWER_MS = 150

type World = ReturnType<typeof emulateInProcess>

/** One way to use the action, with the limits of contract 5.8 in rounds of requests to GitHub. */
export interface Situation {
  readonly name: string
  /** What happened before: its requests do not count. */
  readonly prepare?: (world: World) => Promise<void>
  readonly event: (emulator: Emulator) => ActionRun['event']
  readonly inputs?: Readonly<Record<string, string>>
  readonly docsRepository?: string
  readonly limits: Limits
}

interface Limits {
  /** From the start to the request to the agent; without one, to the result. */
  readonly before: number
  /** From the read that tells the end, to the result. */
  readonly result: number
  /** From the result to the last request. */
  readonly after: number
  /** To GitHub, in all. */
  readonly requests: number
}

/** Permission; thread and context; the status comment; the second look. The end, and what follows; the result; the deletion. */
const USUAL: Limits = { before: 4, result: 3, after: 2, requests: 13 }
/** The token sees nothing of the repository of the docs, and asks for it once. */
const ELSEWHERE: Limits = USUAL

const KEEPS = { prompt: 'Document this pull request.', 'commit-status': 'docs' }
/** Its changes, the comparison, the status, before the request and at the end. */
// After its end, a push looks once more whether a later request has decided the status that it set.
const LATE_PUSH: Limits = { before: 8, result: 5, after: 1, requests: 19 }
/** Of more than a hundred comments, a list takes four requests: see `listComments`. */
const LONG_THREAD: Limits = { before: 15, result: 8, after: 1, requests: 29 }

const comments = (login: string, body: string) => (emulator: Emulator) =>
  comment(emulator, { issue: ISSUE, login, body })
const ask = comments('alice', '/docs explain it')

export const SITUATIONS: readonly Situation[] = [
  { name: 'first command on an issue', event: ask, limits: ELSEWHERE },
  {
    name: 'the same, pull request in the same repository',
    event: ask,
    docsRepository: 'octo/app',
    limits: USUAL,
  },
  {
    name: 'first command on a pull request',
    event: askOnPullRequest,
    // Its files, too, and its reviews.
    limits: { ...ELSEWHERE, requests: ELSEWHERE.requests + 2 },
  },
  {
    name: 'follow-up',
    prepare: (world) => run(world, ask(world.emulator)),
    event: comments('alice', '/docs shorter, please'),
    docsRepository: 'octo/app',
    limits: { ...USUAL, before: 5 },
  },
  {
    name: 'status',
    prepare: (world) => run(world, ask(world.emulator)),
    event: comments('alice', '/docs status'),
    // The answer looks for a result of an earlier attempt first.
    limits: { ...USUAL, before: 2 },
  },
  {
    name: 'refused stranger',
    event: comments('mallory', '/docs explain it'),
    // Permission and thread; the answer; the reaction.
    limits: { before: 3, result: 0, after: 0, requests: 4 },
  },
  {
    name: 'schedule with a tracking issue',
    event: () => ({ name: 'schedule', payload: {} }),
    inputs: { prompt: 'Refresh the docs.', 'issue-number': String(ISSUE) },
    limits: USUAL,
  },
  ...['labeled', 'opened', 'assigned'].map((action) => ({
    name: `an issue is ${action}`,
    event: ({ shown }: Emulator) => ({
      name: 'issues',
      payload: { action, issue: shown.issue(ISSUE), sender: shown.user('alice') },
    }),
    inputs: { prompt: 'Explain what the issue asks for.' },
    docsRepository: 'octo/app',
    // Eyes go to comments alone.
    limits: USUAL,
  })),
  {
    name: 'first command in a thread of 90 comments',
    prepare: async ({ emulator }) => crowd(emulator, 89),
    event: ask,
    // Whether the person who wrote the others has the permission.
    limits: { ...ELSEWHERE, before: 5, requests: ELSEWHERE.requests + 1 },
  },
  {
    name: 'first command on a line of a diff',
    event: askOnLine,
    // Its files, too, its reviews, and the review of the line with its other lines.
    limits: { ...ELSEWHERE, before: 5, requests: ELSEWHERE.requests + 3 },
  },
  {
    name: 'push with known changes',
    prepare: async (world) => await pushTimes(world, 1),
    event: (emulator) => pushed(emulator, []),
    inputs: KEEPS,
    // What the changes are, and what the head says already.
    limits: { before: 5, result: 0, after: 0, requests: 9 },
  },
  ...[31, 101].map((nth) => ({
    name: `${nth}st push`,
    prepare: async (world: World) => await pushTimes(world, nth - 1),
    event: (emulator: Emulator) => pushed(emulator, [changed(nth)]),
    inputs: KEEPS,
    limits: nth > 100 ? LONG_THREAD : LATE_PUSH,
  })),
]

/** What keeps the docs of a pull request in step. */
const CODE = 30

const changed = (nth: number) => ({
  filename: `src/file-${nth}.ts`,
  patch: `@@ -1 +1 @@\n-old\n+change ${nth}`,
})

/** A push to the pull request that brings these files, as GitHub tells a workflow of it. */
function pushed(
  { github, shown }: Emulator,
  files: readonly ReturnType<typeof changed>[],
): ActionRun['event'] {
  const all = [
    ...new Map([...github.pull(CODE).files, ...files].map((file) => [file.filename, file])).values(),
  ]
  github.push(CODE, { files: all, commit: files })
  const payload = {
    ...{ action: 'synchronize', number: CODE, pull_request: shown.pull(CODE) },
    ...{ sender: shown.user('alice'), repository: shown.repository() },
  }
  return { name: 'pull_request', payload }
}

async function pushTimes(world: World, times: number): Promise<void> {
  const { emulator } = world
  emulator.github.addPullRequest({ number: CODE, title: 'Add retries', user: 'alice', files: [changed(0)] })
  for (let nth = 1; nth <= times; nth++) {
    await run(world, pushed(emulator, [changed(nth)]), KEEPS)
    emulator.clearRequests()
  }
}

function crowd({ github }: Emulator, comments: number): void {
  for (let nth = 0; nth < comments; nth++)
    github.addComment(ISSUE, { login: 'carol', body: `Comment ${nth}` })
}

function askOnLine({ github, shown }: Emulator): ActionRun['event'] {
  const hunk = '@@ -1 +1 @@\n-old\n+new'
  const files = [{ filename: 'src/retry.ts', additions: 1, deletions: 1, patch: hunk }]
  const { number } = github.addPullRequest({ title: 'Add a retry option', user: 'carol', files })
  const written = { login: 'alice', body: '/docs explain it', path: 'src/retry.ts', line: 1 }
  const { id } = github.addReviewComment(number, { ...written, diffHunk: hunk })
  const user = shown.user('alice')
  const said = { id, body: written.body, user, path: written.path, line: 1, diff_hunk: hunk }
  const payload = { action: 'created', comment: said, pull_request: shown.pull(number), sender: user }
  return { name: 'pull_request_review_comment', payload: { ...payload, repository: shown.repository() } }
}

function askOnPullRequest(emulator: Emulator): ActionRun['event'] {
  const { number } = emulator.github.addPullRequest({
    title: 'Add a retry option',
    user: 'carol',
    files: [{ filename: 'src/retry.ts', additions: 3, deletions: 1, patch: '@@ -1 +1 @@\n-a\n+b' }],
  })
  return comment(emulator, { issue: number, login: 'alice', body: '/docs explain it' })
}

type Figures = Readonly<Record<keyof Limits, number>>

/**
 * Rounds of requests to GitHub in each part of a run, on the simulated clock. A request belongs to a later round than all
 * those that were answered before it arrived.
 */
export async function roundTrips(situation: Situation): Promise<Figures> {
  const permissions = {
    issues: 'write',
    pull_requests: 'write',
    contents: 'read',
    statuses: 'write',
  } as const
  const world = emulateInProcess({ docsRepository: situation.docsRepository ?? 'octo/docs', permissions })
  const { emulator } = world
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: ISSUE, title: 'Retries', user: 'carol', body: 'How do retries work?' })
  await situation.prepare?.(world)
  const event = situation.event(emulator)
  emulator.clearRequests()
  emulator.faults.add({ times: Number.POSITIVE_INFINITY, fault: { kind: 'delay', ms: ANSWER_MS } })
  await run(world, event, situation.inputs)
  return figuresOf(emulator.requests)
}

async function run(
  { emulator, launch }: World,
  event: ActionRun['event'],
  inputs: Readonly<Record<string, string>> = {},
): Promise<void> {
  const given = { action: ACTIONS.root, emulator, launch, event }
  const result = await runAction({ ...given, inputs: { ...access(emulator), ...inputs } })
  if (result.exitCode !== 0) throw new Error(result.log)
}

const isCreation = ({ host, method, path }: RequestEntry): boolean =>
  host === 'service' && method === 'POST' && /\/(job|message)$/.test(path)
const isRead = ({ host, method, path }: RequestEntry): boolean =>
  host === 'service' && method === 'GET' && /\/job\/[^/]+$/.test(path)
const isComment = ({ host, method, path }: RequestEntry): boolean =>
  host === 'github' &&
  (method === 'POST' || method === 'PATCH') &&
  /\/issues\/(\d+\/)?comments(\/\d+)?$/.test(path)

function figuresOf(sent: readonly RequestEntry[]): Figures {
  const asked = sent.find(isCreation)
  const end = sent.findLast(isRead)
  const last = Math.max(...sent.map(({ answeredAt }) => answeredAt))
  const github = sent.filter(({ host }) => host === 'github')
  const within = (start: number, until: number) =>
    rounds(github.filter(({ at, answeredAt }) => at >= start && answeredAt <= until))
  const posted = sent.filter(({ at }) => at >= (end?.answeredAt ?? 0)).find(isComment)
  const endAt = end?.answeredAt ?? last
  const resultAt = posted?.answeredAt ?? endAt
  return {
    requests: github.length,
    before: within(0, asked?.at ?? end?.at ?? last),
    result: end === undefined ? 0 : within(endAt, resultAt),
    after: end === undefined ? 0 : within(resultAt, last),
  }
}

/** The longest chain of requests of which each was answered before the next one arrived. */
function rounds(requests: readonly RequestEntry[]): number {
  const depth = new Map<RequestEntry, number>()
  for (const one of requests.toSorted((a, b) => a.at - b.at)) {
    const earlier = requests.filter(({ answeredAt }) => answeredAt <= one.at)
    depth.set(one, 1 + Math.max(0, ...earlier.map((other) => depth.get(other) ?? 0)))
  }
  return Math.max(0, ...depth.values())
}
