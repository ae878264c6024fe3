import { parseAcceptedJob } from '../../src/agent/parse-job.ts'
import { asArray, asObject, asString, isObject, parseJson } from '../../src/json.ts'
import { verifyRecord } from '../../src/request/record.ts'
import {
  beforeWriting,
  type History,
  keysOf,
  type Request,
  recordedIn,
  requestOf,
  type Sent,
  sentFor,
  sentPrompts,
} from '../history.ts'
import type { Life } from '../life.ts'
import type { Call } from '../network.ts'
import { mayAsk } from '../people.ts'
import { LAST_ID } from '../story.ts'
import { type Merge, REPOSITORY, scopeOf, trackingIssues, type World } from '../world.ts'
import type { Invariant } from './invariant.ts'

const DAY_MS = 86_400_000

/** In the end one tracking issue is open, and every refresh went to the one that counts. */
export const oneTrackingIssue: Invariant = {
  name: 'one-tracking-issue',
  clause: '3.9',
  afterLife(history, life) {
    const { world } = history
    const request = requestOf(history, life)
    const number = Number(life.footprint.outputs.get('issue-number') ?? '')
    if (request === undefined || life.role !== 'main' || number === 0) return []
    if (request.event.thread !== undefined || isNamed(request) || hadTrouble(life)) return []
    if (world.emulator.github.repository(REPOSITORY)?.pulls.has(number)) return []
    const counts = trackingIssues(world).find(({ state }) => state === 'open')?.number
    if (number === counts || world.closedTracking.has(number)) return []
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

const isNamed = ({ inputs }: Request): boolean => inputs['issue-number'] !== undefined

/** The process could not read the issues, so it cannot know of one that another has created meanwhile. */
const hadTrouble = ({ calls }: Life): boolean =>
  calls.some(
    ({ path, method, fault, text }) =>
      method === 'GET' && path.startsWith(`/repos/${REPOSITORY}/issues?`) && (fault || text === undefined),
  )

/** What was merged since the last run is asked for once; after a failure it is asked for again. */
export const eachMergeOnce: Invariant = {
  name: 'each-merge-once',
  clause: '3.5, 3.8, 3.10',
  afterLife(history, life) {
    const { world } = history
    const request = requestOf(history, life)
    if (request === undefined || life.role !== 'main') return []
    return sentPrompts(world, life.calls).flatMap((call) => [
      ...missing(request, life, call).map(
        ({ number }) => `${life.name} left out #${number}, which the push merged`,
      ),
      ...agentsOwn(world, request, life, call.body).map(
        ({ number }) => `${life.name} asked for the agent's own #${number}`,
      ),
      ...twice(history, request, life, call).map(
        ({ number }) => `${life.name} asked for #${number}, which an earlier request has dealt with`,
      ),
    ])
  },
  atEnd(history) {
    const { world, requests } = history
    const last = requests.find(({ ask }) => ask.id === LAST_ID)
    const main = last?.runs.at(-1)?.main
    // A job that is archived after it was read refuses the message, and the run is red.
    const isRefused = main?.footprint.outputs.get('reason') === 'rejected'
    if (last === undefined || main === undefined || isRefused || !hasListed(main)) return []
    const prompts = sentFor(history, last)
    const days = last.inputs['changes-since'] === '1d' ? 1 : 7
    return world.merges
      .filter(({ kind, at }) => kind === 'person' && at > main.bornAt - days * DAY_MS && at < main.bornAt)
      .filter((merge) => !prompts.some((sent) => asksFor(sent, merge)) && !isDone(history, last, merge))
      .map(({ number }) => `#${number} was merged, and no request that ended well asks for it`)
  },
}

const isRefresh = ({ inputs }: Request): boolean => inputs['changes-since'] !== undefined

const asksFor = ({ call }: Sent, { marker }: Merge): boolean => call.body.includes(marker)

/** Merged pull requests of bots; those of bots that may trigger the action count as people's (3.5). */
function agentsOwn(world: World, request: Request, life: Life, body: string): Merge[] {
  if (!isRefresh(request) && request.ask.merges.length === 0) return []
  const bots = (request.inputs['allowed-bots'] ?? '').split(/[,\s]+/)
  if (mayAsk('mintlify[bot]', 'write', bots) || mayAsk('renovate[bot]', 'write', bots)) return []
  const isBot = world.story.agentLogin.endsWith('[bot]')
  // Of a person's account, only the records tell that the agent opened it.
  const links = isBot ? [] : linksRead(world, life)
  return world.merges.filter(
    ({ kind, marker, url }) =>
      body.includes(marker) && (kind === 'bot' || (kind === 'agent' && (isBot || links.includes(url)))),
  )
}

/** Pull requests of the jobs in the repository's latest comments, as the process has read them. */
function linksRead(world: World, { calls }: Life): string[] {
  const pages = calls.filter(({ path, status }) => path.includes('/issues/comments?sort=') && status === 200)
  return pages
    .flatMap(({ text = '' }) => asArray(parseJson(text)))
    .flatMap((value) => {
      const { body, user, issue_url: issue } = asObject(value)
      const thread = Number(/\d+$/.exec(asString(issue))?.[0])
      const record = verifyRecord(asString(body), scopeOf(world, thread))
      const counts = asString(asObject(user).login).endsWith('[bot]')
      return counts && record !== undefined && 'job' in record ? [record.job.prLink] : []
    })
}

/** What a push merged and does not ask for, where GitHub has answered everything. */
function missing({ event, inputs }: Request, { calls }: Life, { path, body }: Call): Merge[] {
  // A follow-up has the request alone (4.1).
  if (!path.endsWith('/job')) return []
  const failed = calls.some(
    ({ host, path, fault, status = 0 }) =>
      host === 'github' && (fault || (status === 403 && path !== '/user')),
  )
  if (failed || inputs.context === 'false') return []
  return event.merges.filter(({ kind, marker }) => kind === 'person' && !body.includes(marker))
}

/** What the process had read to be reported as completed, in its thread. */
function twice(history: History, request: Request, { calls }: Life, call: Call): Merge[] {
  if (request.inputs['changes-since'] !== 'last-run' || request.thread === undefined) return []
  const done = completedIn(history.world, request.thread, beforeWriting(calls.slice(0, calls.indexOf(call))))
  const sent = history.requests
    .filter((other) => other !== request && isRefresh(other))
    .flatMap((other) => {
      const jobs = [...keysOf(history, other)].flatMap((key) => done.get(key) ?? [])
      return sentFor(history, other).filter((one) => knewThread(one) && jobs.includes(jobIdOf(one) ?? ''))
    })
  return history.world.merges.filter(
    (merge) => call.body.includes(merge.marker) && sent.some((one) => asksFor(one, merge)),
  )
}

/** The job that a prompt went to. */
const jobIdOf = ({ call: { path, text = '' } }: Sent): string | undefined =>
  /\/job\/([^/]+)\/message$/.exec(path)?.[1] ?? parseAcceptedJob(text)?.id

/** A request that goes out without having read its thread moves no point. */
const knewThread = ({ run, call }: Sent): boolean =>
  beforeWriting(run.main.calls.slice(0, run.main.calls.indexOf(call))).some(
    ({ path, status, text }) => /\/comments\?/.test(path) && status === 200 && text !== undefined,
  )

/** The requests that ended with or without a pull request, with their jobs, as the comments say that the process has read. */
function completedIn(world: World, thread: number, calls: readonly Call[]): ReadonlyMap<string, string> {
  const path = `/repos/${REPOSITORY}/issues/${thread}/comments?`
  const pages = calls.filter((call) => call.method === 'GET' && call.path.startsWith(path))
  const comments = pages.flatMap(({ status, text = '' }) => (status === 200 ? asArray(parseJson(text)) : []))
  return new Map(
    comments.filter(isObject).flatMap((comment) => {
      const counts = asString(asObject(comment.user).login).endsWith('[bot]')
      const record = verifyRecord(asString(comment.body), scopeOf(world, thread))
      const isDone = record?.state === 'reported' && record.job.status === 'completed'
      return counts && isDone ? [[record.key, record.job.id] as const] : []
    }),
  )
}

const hasListed = ({ calls }: Life): boolean =>
  calls.some(({ path, status }) => path.includes('/pulls?state=closed') && status === 200)

/** A request of the same thread has asked for it, and its result says that the job completed. */
function isDone(history: History, last: Request, merge: Merge): boolean {
  const { world, requests } = history
  const { thread } = last
  if (thread === undefined) return false
  const completed = new Set(
    recordedIn(world, thread).flatMap(({ record }) =>
      record.state === 'reported' && record.job.status === 'completed' ? [record.key] : [],
    ),
  )
  return requests.some(
    (request) =>
      [...keysOf(history, request)].some((key) => completed.has(key)) &&
      sentFor(history, request).some((sent) => asksFor(sent, merge)),
  )
}
