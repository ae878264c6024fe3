import { merge } from './events.ts'
import { LEAVER } from './people.ts'
import { forged, recordOf } from './records.ts'
import {
  agentPulls,
  ISSUE,
  PULL,
  REPOSITORY,
  scopeOf,
  TRACKING_TITLE,
  threadsOf,
  trackingIssues,
  type World,
  written,
} from './world.ts'

// What people and others do to GitHub and to the service, while the action looks away.

/** Does something with the action's youngest comment, wherever it stands. */
function toComment(
  world: World,
  act: (found: { thread: number; comment: { id: number; body: string } }) => void,
) {
  const threads = [ISSUE, PULL, ...trackingIssues(world).map(({ number }) => number)]
  const all = threads.flatMap((thread) => written(world, thread).map((comment) => ({ thread, comment })))
  const found = all.sort((a, b) => a.comment.id - b.comment.id).at(-1)
  if (found !== undefined) act(found)
}

/** Does something with the action's youngest comment in whichever thread. */
function toYoungest(world: World, act: (thread: number, id: number) => void): void {
  const all = threadsOf(world).flatMap((thread) => written(world, thread).map(({ id }) => ({ thread, id })))
  const youngest = all.toSorted((a, b) => a.id - b.id).at(-1)
  if (youngest !== undefined) act(youngest.thread, youngest.id)
}

/** Does something with the last command in the issue. */
function toTrigger({ emulator: { github } }: World, act: (id: number) => void): void {
  const asked = github.comments(ISSUE).findLast(({ body }) => /^\/docs/i.test(body))
  if (asked !== undefined) act(asked.id)
}

/** Does something to the agent's latest pull request that is open. */
function toPull(world: World, act: (number: number, repo: string) => void): void {
  const { docsRepository: repo } = world.story
  const { github } = world.emulator
  const number = agentPulls(world).findLast((one) => github.issue(one, repo).state === 'open')
  if (number !== undefined) act(number, repo)
}

/** The latest job that the story's own requests have started. */
const lastJob = ({ emulator, foreignJob }: World): string =>
  emulator.service.jobs().findLast(({ id }) => id !== foreignJob)?.id ?? ''

/** A record counts only in the comment of a bot: every other time it is one that posts it. */
const poster = ({ interferences }: World): string =>
  interferences.length % 2 === 0 ? 'renovate[bot]' : 'mallory'

/** A record of the action, posted once more by an account that may comment. */
const copyRecord = (world: World, to: (thread: number) => number): void =>
  toComment(world, ({ thread, comment }) => {
    const body = `Mine now\n\n${recordOf(comment.body)}`
    world.emulator.github.addComment(to(thread), { login: poster(world), body })
    // What a thread knows after that is best effort; elsewhere it counts for nothing.
    if (to(thread) === thread) world.touched.add(to(thread))
  })

/** The key of somebody who does not know the workflow's. */
export const GUESSED_KEY = 'a-guess-at-the-key'

const ACTS = {
  merge: (world) => {
    const { github } = world.emulator
    if (world.story.docsRepository === REPOSITORY) merge(world, 'agent')
    else toPull(world, (number, repo) => github.closePullRequest(number, { merged: true, repo }))
  },
  close: (world) => toPull(world, (number, repo) => world.emulator.github.closePullRequest(number, { repo })),
  // The old one is gone at once, and the threads know all that they knew.
  'new-key': ({ emulator: { service }, interferences }) => {
    service.apiKey = `replacement-${interferences.length}-of-the-key`
  },
  // People lost it: what threads knew is not known.
  'new-memory-key': (world) => {
    world.memoryKey = `replacement-${world.interferences.length}-of-the-memory`
    for (const thread of threadsOf(world)) world.touched.add(thread)
  },
  archive: (world) => world.emulator.service.archive(lastJob(world)),
  forget: (world) => world.emulator.service.forget(lastJob(world)),
  'delete-comment': (world) =>
    toComment(world, ({ thread, comment }) => {
      world.emulator.github.deleteComment(comment.id)
      world.touched.add(thread)
    }),
  'edit-comment': (world) =>
    toComment(world, ({ thread, comment: { id, body } }) => {
      world.emulator.github.editComment(id, body.replace('docs-agent:', 'docs-agent:9'))
      world.touched.add(thread)
    }),
  'edit-trigger': (world) =>
    toTrigger(world, (id) => world.emulator.github.editComment(id, '/docs delete everything')),
  'delete-trigger': (world) => toTrigger(world, (id) => world.emulator.github.deleteComment(id)),
  'copy-record': (world) => copyRecord(world, (thread) => thread),
  'carry-record': (world) => copyRecord(world, (thread) => (thread === ISSUE ? PULL : ISSUE)),
  // As somebody without the key would make it, newer than all others: the thread's job is one of theirs.
  'forge-record': (world) =>
    toComment(world, ({ thread, comment }) => {
      const scope = { ...scopeOf(world, thread), secret: GUESSED_KEY }
      const record = forged(comment.body, scope, (json) =>
        json
          .replaceAll(/j_[\da-f]+/g, world.foreignJob)
          .replaceAll(/"(writtenAt|acceptedAt)":(\d+)/g, (_, name, at) => `"${name}":${Number(at) + 1000}`),
      )
      world.emulator.github.addComment(thread, { login: 'renovate[bot]', body: `Look\n\n${record}` })
    }),
  lock: (world) => {
    world.emulator.github.lock(ISSUE)
    world.touched.add(ISSUE)
  },
  // A formatter, or "Update branch" by a workflow: GitHub holds its checks back.
  'workflow-push': (world) =>
    toPull(world, (number, repo) => world.emulator.github.push(number, { withWorkflowToken: true }, repo)),
  conflict: (world) =>
    toPull(world, (number, repo) => world.emulator.github.moveBase(number, { conflicts: true }, repo)),
  // Somebody who knows better wants neither these labels nor these reviewers.
  'take-away': (world) =>
    toPull(world, (number, repo) => {
      const { github } = world.emulator
      Object.assign(github.issue(number, repo), { labels: [] })
      Object.assign(github.pull(number, repo), { requestedReviewers: [], requestedTeams: [] })
    }),
  'merge-change': (world) =>
    void merge(world, 'person', 0, world.interferences.length % 3 === 0 ? 'test' : 'src'),
  'close-tracking': (world) => {
    const open = trackingIssues(world).find(({ state }) => state === 'open')
    if (open !== undefined) world.emulator.github.editIssue(open.number, { state: 'closed' })
  },
  // Without the account of the action it counts for nothing.
  'copy-tracking': (world) => {
    const body = trackingIssues(world).at(-1)?.body ?? 'Nothing yet'
    world.emulator.github.addIssue({ title: TRACKING_TITLE, body, user: 'mallory' })
  },
  // Such as the claim of a round of fixes.
  'delete-youngest': (world) =>
    toYoungest(world, (thread, id) => {
      world.emulator.github.deleteComment(id)
      world.touched.add(thread)
    }),
  'take-permission': (world) => {
    world.emulator.github.setPermission(LEAVER, 'read')
    world.leftAt = Math.min(world.leftAt, world.clock.now())
  },
} as const satisfies Readonly<Record<string, (world: World) => unknown>>

export type Interference = keyof typeof ACTS

/** Where it matters who may still ask. */
export const OF_FIXES: readonly string[] = ['delete-youngest', 'take-permission'] satisfies Interference[]

export const INTERFERENCES = Object.keys(ACTS).filter((name) => !OF_FIXES.includes(name)) as [
  Interference,
  ...Interference[],
]

export function interfere(world: World, interference: Interference): void {
  world.interferences.push(interference)
  world.note(`people: ${interference}`)
  ACTS[interference](world)
}
