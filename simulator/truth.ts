import { parseJson } from '../src/json.ts'
import { allRecorded, type History, livesOf, type Request, reasonOf } from './history.ts'
import type { Call, Life } from './life.ts'
import { mayAsk } from './people.ts'
import { RUNNER_START_MS } from './story.ts'
import { agentPulls, REPOSITORY, threadsOf, type World } from './world.ts'

/** What is true, whatever a process could read of it. */

/** GitHub said things that are not true, so that only safety can be judged. */
export const wasMisled = ({ weather }: Life): boolean => weather.github.kind === 'chaos'

/** GitHub's lists show late what was written. */
export const lags = ({ story }: World): boolean => story.servers.lagMs > 0

/** Times at which GitHub was away while the process lived. */
export const outagesOf = ({ outages }: World, { bornAt, endedAt }: Life) =>
  outages.filter(({ from, until }) => until > bornAt && (endedAt === 0 || from < endedAt))

/** A run of two minutes or less gives up on what a long one tries again (5.7). */
export const isShort = ({ inputs }: Pick<Request, 'inputs'>): boolean =>
  Number(inputs['timeout-minutes'] ?? 30) <= 2

/** GitHub failed for a moment, and came back. */
export const metFaults = ({ calls }: Life): boolean =>
  calls.some(({ host, fault, status = 0 }) => host === 'github' && (fault !== undefined || status >= 500))

/** GitHub refused a request because the token had asked for too much, and not by chance. */
export const metLimit = ({ calls }: Pick<Life, 'calls'>, words = 'rate limit'): boolean =>
  calls.some(
    ({ host, status, fault, text = '' }) =>
      host === 'github' && (status === 403 || status === 429) && fault === undefined && text.includes(words),
  )

/** What comes before the agent is asked is tried for half a minute (5.7). */
const TRIED_MS = 30_000

/** A fault left the process without an answer that it can use; one that only came late is served. */
const isBroken = ({ fault, status = 0, text = '' }: Call): boolean =>
  fault !== undefined && (status === 0 || fault.startsWith('status') || parseJson(text) === undefined)

/** GitHub served no try of the last thing that the process asked it for, more than one, and for all their time. */
export function brokeForLong({ calls, endedAt }: Life): boolean {
  const asked = calls.filter(({ host }) => host === 'github')
  const last = asked.at(-1)
  const tries = asked.filter(({ method, path }) => method === last?.method && path === last.path)
  const [{ at = endedAt } = {}] = tries
  return tries.length > 1 && tries.every(isBroken) && endedAt - at >= TRIED_MS
}

/** What reports the end is tried for two minutes (5.7); the last try may come some time before. */
const ENDURED_MS = 60_000

/** The last try of each. */
const lastWrites = ({ calls }: Life): Life['calls'] => {
  const writes = calls.filter(({ host, method }) => host === 'github' && method !== 'GET')
  return [...new Map(writes.map((call) => [`${call.method} ${call.path}`, call])).values()]
}

/** The process had its time, and GitHub answered it truly, and soon enough for what it had to write. */
export const couldReport = (world: World, life: Life): boolean =>
  life.fate === 'ended' &&
  life.cancelledAt === undefined &&
  !wasMisled(life) &&
  // That of an hour, or one that others used up, too, until the process gave up.
  !metLimit(life, 'API rate limit exceeded') &&
  !metLimit({ calls: lastWrites(life) }) &&
  outagesOf(world, life).every(({ from, until }) => until - from <= ENDURED_MS)

/** The thread of this request can remember it: there is one, comments are wanted and allowed, and people left them alone. */
export function canRemember({ world }: History, { thread, inputs }: Request): boolean {
  if (thread === undefined || inputs.comment === 'off') return false
  const { issues, pull_requests } = world.story.permissions
  const mayWrite = issues === 'write' && pull_requests === 'write'
  return mayWrite && threadsOf(world).includes(thread) && !world.touched.has(thread)
}

/** No other run was at work in the thread meanwhile, also none of another thread that leads to it. */
export const wasAlone = ({ requests }: History, request: Request, life: Life): boolean =>
  requests
    .filter((other) => other !== request)
    .flatMap((other) =>
      livesOf(other).filter(
        (one) =>
          other.thread === undefined || other.thread === request.thread || writesIn(one, request.thread),
      ),
    )
    .every((other) => !wereAtOnce(other, life))

const writesIn = ({ calls }: Life, thread: number | undefined): boolean =>
  calls.some(({ method, path }) => method === 'POST' && path.endsWith(`/issues/${thread}/comments`))

/** Whether they lived, or their runners started, at the same time. @param life one that has ended */
export const wereAtOnce = ({ bornAt, endedAt }: Life, life: Life): boolean =>
  bornAt <= life.endedAt && (endedAt === 0 || endedAt >= life.bornAt - RUNNER_START_MS)

/** From the last time that a person said there that nothing is to be documented (3.2); empty where none did. */
export function sinceSkip({ requests }: Pick<History, 'requests'>, thread: number): readonly Request[] {
  const asked = requests.filter((request) => request.thread === thread)
  const nth = asked.findLastIndex(
    (request) =>
      request.ask.event === 'skip' &&
      strangersOf(request).length === 0 &&
      reasonOf(request.runs.at(-1)?.main) === 'docs-skipped',
  )
  return nth < 0 ? [] : asked.slice(nth)
}

/** Accounts of the event that may not ask (3.3, 3.4). */
export function strangersOf({ event, inputs }: Request): string[] {
  const bots = allowedBots(inputs)
  return event.accounts.filter((login) => !mayAsk(login, inputs['min-permission'] ?? 'write', bots))
}

export const allowedBots = (inputs: Request['inputs']): string[] =>
  (inputs['allowed-bots'] ?? '').split(/[,\s]+/).filter(Boolean)

/** The pull request of a link on the emulated GitHub. */
export function pullOf({ emulator }: World, link: string) {
  const [, repository = '', number] = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/pull\/(\d+)$/.exec(link) ?? []
  const issue = emulator.github.repository(repository)?.issues.get(Number(number))
  return issue?.isPullRequest ? { repository, number: Number(number), issue } : undefined
}

/** The pull requests that jobs name now, and that records say they named. */
export const pullsOfJobs = (world: World) =>
  [
    ...world.emulator.service.jobs().map(({ prLink }) => prLink ?? ''),
    ...allRecorded(world).map(({ record }) => record.prLink),
  ]
    .filter((link) => link !== '')
    .map((link) => pullOf(world, link))

/** The event is of a pull request that the agent has opened, under whichever account. */
export const isAgents = (world: World, thread: number | undefined): boolean =>
  thread !== undefined && world.story.docsRepository === REPOSITORY && agentPulls(world).includes(thread)
