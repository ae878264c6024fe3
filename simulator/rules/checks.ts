import { latestOf, type StartedCheck, statusOf, suitesOf } from '../../emulator/github/checks.ts'
import { type History, outcomeOf, requestOf } from '../history.ts'
import type { Call, Life } from '../life.ts'
import { pullOf, wasMisled } from '../truth.ts'
import { headAt } from '../world.ts'
import type { Rule } from './rule.ts'

/** What is known within this many ms is known at once: GitHub's times are whole seconds. */
const MARGIN_MS = 2000
const ACTIONS = 'github-actions'
/** A suite of Actions without runs is an orphan after that. */
const QUEUED_MS = 120_000 - MARGIN_MS

type Verdict = 'success' | 'failure' | 'pending' | 'none'

/** `checks` says how the head's checks stand, and says it once they have ended. */
export const checksTrue: Rule = {
  name: 'checks-true',
  clause: '4.12',
  afterMain({ history: { world }, life }) {
    const { outputs } = life.footprint
    // The servers of a story have loopback addresses: half a minute and a minute are so many pauses there.
    const pollMs = Number(life.inputs['poll-interval-seconds'] ?? 15) * 1000
    const [quietMs, minuteMs] = [2 * pollMs - MARGIN_MS, 4 * pollMs - MARGIN_MS]
    const said = outputs.get('checks') ?? ''
    const pull = pullOf(world, outputs.get('pr-link') ?? '')
    const readings = pull === undefined ? [] : answered(life, /\/commits\/[\da-f]+\/check-runs/)
    const last = readings.at(-1)
    if (pull === undefined || last === undefined || life.fate !== 'ended' || wasMisled(life)) return []
    if (said === 'unavailable')
      return isRefused(life) ? [] : [`${life.name} says that it may not read the checks, and was not refused`]
    const number = pull.number
    // A head can move between the two requests of a reading.
    const sha = /\/commits\/([\da-f]+)\//.exec(last.path)?.[1] ?? ''
    const reads = answered(life, new RegExp(`/pulls/${number}$`))
    const readAt = reads.findLast(({ at }) => at <= last.at)?.at ?? last.at
    const heads = [headAt(world, number, last.at), headAt(world, number, readAt)]
    const isConflicting = heads.find((head) => head.sha === sha)?.isConflicting === true
    const isClosed = pull.issue.state === 'closed'
    const checks = world.emulator.github.repo(pull.repository).checks.get(sha) ?? []
    const { githubSkewMs } = world.story.servers
    const is = commitVerdictOf(checks, isConflicting, last.at + githubSkewMs)
    if (said === 'pending')
      return is === said || endsEarly(life)
        ? []
        : [`${life.name} says "${said}" of #${number}, and it was ${is}`]
    const first = readings.find(({ path }) => path.includes(sha))?.at ?? last.at
    // A reading takes as long as GitHub's limits make it.
    const until = answered(life, /\/commits\/[\da-f]+\/(check-|status)/).at(-1)?.at ?? last.at
    const looked = until - first
    // Of two statuses of one context the second can come and end between two readings, with the same result.
    const isAlone = ({ kind, name }: StartedCheck): boolean =>
      kind !== 'status' || checks.filter((one) => one.kind === kind && one.name === name).length === 1
    const changedAt = Math.max(
      0,
      ...checks
        .filter(isAlone)
        .flatMap(({ appearsAt, endsAt }) => [appearsAt - githubSkewMs, endsAt - githubSkewMs])
        .filter((at) => at < last.at - MARGIN_MS),
    )
    const seen = (reads.at(-1)?.at ?? 0) - MARGIN_MS
    const isAnother =
      !heads.some((head) => head.sha === sha) || (headAt(world, number, seen).sha !== sha && seen > last.at)
    // Without an answer nobody knows whether a turn began, and the run goes no further (4.3).
    const isMessage = ({ path, status = 500 }: Call) => path.endsWith('/message') && status < 400
    const messagedAt = life.calls.findLast(isMessage)?.at ?? 0
    const turnRead = answered(life, /\/v2\/agent\/.*\/job\/[^/]+$/).at(-1)
    const isCompleted = turnRead?.text?.includes('"status":"completed"') === true
    const waited = seen + MARGIN_MS - (turnRead?.at ?? 0)
    return [
      is !== said && `and it was ${is}`,
      !isClosed && looked < (is === 'none' ? minuteMs : quietMs) && `after ${looked} ms`,
      !isClosed && until - changedAt < quietMs && `${until - changedAt} ms after a change`,
      isAnother && 'of a head that was replaced',
      // The agent's fix may come up to a minute after its turn.
      !isClosed && messagedAt > last.at && isCompleted && waited < minuteMs && `${waited} ms after a turn`,
    ]
      .filter((why) => why !== false)
      .map((why) => `${life.name} says "${said}" of #${number}, ${why}`)
  },
}

/** The token may not read what tells how the checks stand. */
const isRefused = ({ calls }: Life): boolean =>
  calls.some(
    ({ path, status = 0, fault, text = '' }) =>
      /\/pulls\/\d+$|\/commits\/[\da-f]+\/(check-runs|status)/.test(path) &&
      (status === 403 || status === 404) &&
      fault === undefined &&
      !text.includes('rate limit'),
  )

/** The run stopped before the checks ended: at its deadline, where it was cancelled, or where its job is out of reach. */
function endsEarly(life: Life): boolean {
  const { calls, bornAt, endedAt, cancelledAt, inputs } = life
  const deadline = bornAt + Number(inputs['timeout-minutes'] ?? 30) * 60_000
  const { status = 500, retryAfter } = calls.findLast(({ host }) => host === 'service') ?? {}
  return cancelledAt !== undefined || endedAt >= deadline || status >= 400 || retryAfter !== undefined
}

/** GETs that GitHub answered, also that nothing changed. */
const answered = ({ calls }: Life, path: RegExp): Call[] =>
  calls.filter(
    (call) => call.method === 'GET' && (call.status ?? 500) < 400 && path.test(call.path.split('?')[0] ?? ''),
  )

/** How a head stands, as its servers know it. */
function commitVerdictOf(checks: readonly StartedCheck[], isConflicting: boolean, at: number): Verdict {
  const runs = latestOf(checks, 'run', at)
  const counting = runs.filter((run) => !runs.some((by) => isReplaced(run, by, at)))
  const ends = [...counting, ...latestOf(checks, 'status', at)].map((check) => endOf(check, at))
  const suites = suitesOf(checks, at).filter(({ app }) => app === ACTIONS)
  const isParked = suites.some(
    (suite) =>
      suite.status === 'completed' && suite.conclusion === 'action_required' && suite.runs.length === 0,
  )
  const isQueued = suites.some(
    (suite) => suite.status === 'queued' && suite.runs.length === 0 && at - suite.createdAt < QUEUED_MS,
  )
  if (isConflicting || ends.some((end) => RED.has(end))) return 'failure'
  if (isParked || isQueued) return 'pending'
  if (ends.length === 0) return 'none'
  return ends.every((end) => GREEN.has(end)) ? 'success' : 'pending'
}

const RED: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure', 'error'])
const GREEN: ReadonlySet<string> = new Set(['success', 'neutral', 'skipped'])

const endOf = (check: StartedCheck, at: number): string =>
  at < check.endsAt ? statusOf(check, at) : (check.conclusion ?? 'success')

function isReplaced(run: StartedCheck, by: StartedCheck, at: number): boolean {
  if (by === run || by.name !== run.name || by.app !== run.app || at < run.endsAt) return false
  if (run.conclusion === 'cancelled' && by.id > run.id) return true
  return by.startsAt > run.endsAt
}

const HALF_AN_HOUR_MS = 30 * 60_000
const MOST_REQUESTS = 120

/** Following takes few of the requests that GitHub counts. */
export const asksLittle: Rule = {
  name: 'asks-little',
  clause: '4.12',
  afterLife(history: History, life) {
    if (requestOf(history, life) === undefined || outcomeOf(life) !== 'pull-request') return []
    const counted = life.calls
      .filter(({ method, path, status, fault }) => {
        const isOfHead = /\/pulls\/\d+$|\/commits\/[\da-f]+\/(check-runs|check-suites|status)/.test(path)
        return method === 'GET' && isOfHead && status === 200 && fault === undefined
      })
      .map(({ at }) => at)
    const most = Math.max(
      0,
      ...counted.map((from, n) => counted.slice(n).filter((at) => at < from + HALF_AN_HOUR_MS).length),
    )
    return most > MOST_REQUESTS ? [`${life.name} asked ${most} times in half an hour`] : []
  },
}
