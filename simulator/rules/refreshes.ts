import {
  allRecorded,
  type History,
  jobIdOf,
  keysOf,
  ownRecords,
  type Recorded,
  type Request,
  reasonOf,
  type Sent,
  sentFor,
  sentPrompts,
} from '../history.ts'
import { mayAsk } from '../people.ts'
import { wordsOf } from '../records.ts'
import { LAST_ID } from '../story.ts'
import { allowedBots, wasMisled } from '../truth.ts'
import { type Merge, trackingIssues, type World } from '../world.ts'
import type { Rule } from './rule.ts'

const DAY_MS = 86_400_000

/** In the end one tracking issue is open, and every refresh went to the one that counts. */
export const oneTrackingIssue: Rule = {
  name: 'one-tracking-issue',
  clause: '3.9',
  afterMain({ world, request, life }) {
    const number = Number(life.footprint.outputs.get('issue-number') ?? '')
    if (number === 0 || wasMisled(life)) return []
    if (request.event.thread !== undefined || request.inputs['issue-number'] !== undefined) return []
    if (world.emulator.github.repo().pulls.has(number)) return []
    const counts = trackingIssues(world).find(({ state }) => state === 'open')?.number
    if (number === counts || world.closedTracking.has(number)) return []
    // It did nothing there, and the next run closes what it may have created.
    if (reasonOf(life) === 'github-unavailable') return []
    return [`${life.name} reports to #${number}, and the tracking issue is #${counts ?? 'none'}`]
  },
  atEnd({ world, requests }) {
    const last = requests.find(({ ask }) => ask.id === LAST_ID)
    const open = trackingIssues(world).filter(({ state }) => state === 'open')
    return last === undefined || open.length <= 1
      ? []
      : [`the tracking issues ${open.map(({ number }) => `#${number}`).join(', ')} are open`]
  },
}

/** What was merged since the last run is asked for once; after a failure it is asked for again. */
export const eachMergeOnce: Rule = {
  name: 'each-merge-once',
  clause: '3.5, 3.8, 3.10',
  afterMain({ history, world, request, run, life }) {
    if (wasMisled(life)) return []
    return sentPrompts(world, life.calls).flatMap(({ path, body }) => [
      ...(path.endsWith('/job') ? missing(world, request, body) : []).map(
        ({ number }) => `${life.name} left out #${number}, which the push merged`,
      ),
      ...agentsOwn(world, request, run.found, body).map(
        ({ number }) => `${life.name} asked for the agent's own #${number}`,
      ),
      ...twice(history, request, run.found, body).map(
        ({ number }) => `${life.name} asked for #${number}, which an earlier request has dealt with`,
      ),
    ])
  },
  atEnd(history) {
    const { world, requests } = history
    const last = requests.find(({ ask }) => ask.id === LAST_ID)
    const { main, found } = last?.runs.at(-1) ?? {}
    // A job that is archived after it was read refuses the message, and the run is red.
    const isRefused = main?.footprint.outputs.get('reason') === 'rejected'
    if (last === undefined || main === undefined || found === undefined || isRefused || !mayList(world))
      return []
    const prompts = sentFor(history, last)
    const done = completedIn(found, last.thread)
    const isDaily = last.inputs['changes-since'] === '1d'
    // `last-run` counts from the first refresh that ended well, and a week before it, over any time.
    const first = Math.min(main.bornAt, ...doneBy(history, done).map(({ run }) => run.main.bornAt))
    const since = isDaily ? main.bornAt - DAY_MS : first - 7 * DAY_MS + CLOCKS_MS
    return [
      ...world.merges
        .filter(({ kind, at }) => kind === 'person' && at > since && at < main.bornAt)
        .filter((merge) => !prompts.some((sent) => asksFor(sent, merge)) && !isDone(history, merge, done))
        .map(({ number }) => `#${number} was merged, and no request that ended well asks for it`),
      ...requests.flatMap((request) => unnamed(history, request)),
    ]
  },
}

/** How far clocks are apart. */
const CLOCKS_MS = 2 * 3_600_000

/** What a request was for and its result does not name, also after a re-run. */
function unnamed(history: History, request: Request): string[] {
  const sent = sentFor(history, request).at(-1)
  const { merges } = history.world
  const asked = sent === undefined ? [] : merges.filter((merge) => asksFor(sent, merge))
  if (asked.length > 10 || (asked.length === 1 && asked[0]?.number === request.thread)) return []
  return ownRecords(history, request)
    .filter(({ record }) => record.kind === 'reported' && record.jobStatus === 'completed')
    .filter(({ record }) => sent !== undefined && record.jobId === jobIdOf(sent.call))
    .flatMap(({ body }) => asked.filter(({ number }) => !wordsOf(body).includes(`#${number}`)))
    .map(({ number }) => `the result of ${request.name} does not name #${number}`)
}

/** A push that merged a person's pull request reports to it, also where its comparison cannot be read. */
export const pushHasThread: Rule = {
  name: 'push-has-thread',
  clause: '3.8',
  afterMain({ world, request: { event, inputs }, run, life }) {
    if (sentPrompts(world, life.calls).length === 0) return []
    // Those of allowed bots count as people's (3.5).
    const counts = allowedBots(inputs).length > 0 ? () => true : countsAsPersons(world, run.found)
    const merged = event.merges.filter(counts).map(({ number }) => `${number}`)
    const isNamed = inputs['issue-number'] !== undefined || inputs['issue-title'] !== undefined
    const mayRead = world.story.permissions.pull_requests !== 'none'
    if (merged.length === 0 || isNamed || !mayRead || wasMisled(life)) return []
    const said = life.footprint.outputs.get('issue-number') ?? ''
    return merged.includes(said) ? [] : [`${life.name} reports to #${said}, and the push merged #${merged}`]
  },
}

const isRefresh = ({ inputs }: Request): boolean => inputs['changes-since'] !== undefined

const asksFor = ({ call }: Sent, { marker }: Merge): boolean => call.body.includes(marker)

/** The token may read pull requests and comparisons. */
const mayList = ({ story: { permissions } }: World): boolean =>
  permissions.pull_requests !== 'none' && permissions.contents !== 'none'

/** What a push merged and does not ask for. */
const missing = (world: World, { event, inputs }: Request, body: string): Merge[] =>
  inputs.context === 'false' || !mayList(world)
    ? []
    : event.merges.filter(({ kind, marker }) => kind === 'person' && !body.includes(marker))

/** Merged pull requests of bots, and those of the jobs that a thread remembers; those of allowed bots count as people's (3.5). */
function agentsOwn(world: World, request: Request, found: readonly Recorded[], body: string): Merge[] {
  // Who asks on the agent's pull request sends its title along.
  if (!isRefresh(request) && request.event.name !== 'push') return []
  const bots = allowedBots(request.inputs)
  if (mayAsk('mintlify[bot]', 'write', bots) || mayAsk('renovate[bot]', 'write', bots)) return []
  const counts = countsAsPersons(world, found)
  return world.merges.filter((merge) => body.includes(merge.marker) && !counts(merge))
}

/** One that the agent opened under a person's name is the agent's once a thread remembers it (3.5). */
function countsAsPersons({ story }: World, found: readonly Recorded[]): (merge: Merge) => boolean {
  const isBot = story.agentLogin.endsWith('[bot]')
  const links = found.map(({ record }) => record.prLink)
  return ({ kind, url }) => kind === 'person' || (kind === 'agent' && !isBot && !links.includes(url))
}

/** What was reported as completed in the thread before the run began; an edited or deleted record counts no more (5.1). */
function twice(history: History, request: Request, found: readonly Recorded[], body: string): Merge[] {
  if (request.inputs['changes-since'] !== 'last-run') return []
  const standing = new Set(allRecorded(history.world).map(({ id }) => id))
  const done = completedIn(
    found.filter(({ id }) => standing.has(id)),
    request.thread,
  )
  return history.world.merges.filter((merge) => body.includes(merge.marker) && isDone(history, merge, done))
}

/** Key and job of each request that the thread knows to have ended with or without a pull request. */
const completedIn = (found: readonly Recorded[], thread: number | undefined): ReadonlySet<string> =>
  new Set(
    found
      .filter((one) => one.thread === thread && one.author.endsWith('[bot]'))
      .filter(({ record }) => record.kind === 'reported' && record.jobStatus === 'completed')
      .map(({ record }) => `${record.key} ${record.jobId}`),
  )

/** A refresh among those has asked for it. */
const isDone = (history: History, merge: Merge, done: ReadonlySet<string>): boolean =>
  doneBy(history, done).some((sent) => asksFor(sent, merge))

/** What refreshes among those have sent. */
const doneBy = (history: History, done: ReadonlySet<string>): Sent[] =>
  history.requests.filter(isRefresh).flatMap((request) => {
    const keys = [...keysOf(history, request)]
    return sentFor(history, request).filter(({ call }) =>
      keys.some((key) => done.has(`${key} ${jobIdOf(call)}`)),
    )
  })
