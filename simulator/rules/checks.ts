import { latestOf, type StartedCheck } from '../../emulator/github/checks.ts'
import { asObject, asString, parseJson } from '../../src/json.ts'
import { bodyOf, type History, isFix, outcomeOf, type Request, requestOf } from '../history.ts'
import type { Call, Life } from '../life.ts'
import { isIdle, type Page, pageAt } from '../page.ts'
import { wordsOf } from '../records.ts'
import { canRemember, metLimit, outagesOf, pullOf, wasMisled } from '../truth.ts'
import { headAt, REPOSITORY, type World } from '../world.ts'
import type { Rule } from './rule.ts'

/** What is known within this many ms is known at once: GitHub's times are whole seconds. */
const MARGIN_MS = 2000

/** How a run looked at the checks of the agent's pull request. */
interface Look {
  readonly number: number
  readonly repository: string
  readonly isClosed: boolean
  /** The head that it looked at last, and the times of its first and last look; a look takes until the next time. */
  readonly sha: string
  readonly first: number
  readonly last: number
  readonly until: number
  /** When it read last which head the pull request has. */
  readonly headReadAt: number
  readonly checks: readonly StartedCheck[]
  /** As GitHub shows it at a time on the true clock. */
  readonly pageAt: (at: number, tellsRuns?: boolean) => Page
  readonly isConflicting: boolean
}

function lookOf(world: World, life: Life): Look | undefined {
  const pull = pullOf(world, life.footprint.outputs.get('pr-link') ?? '')
  const readings = answered(life, /\/commits\/[\da-f]+\/check-runs$/)
  const last = readings.at(-1)
  if (pull === undefined || last === undefined) return undefined
  const { number, repository } = pull
  const sha = /\/commits\/([\da-f]+)\//.exec(last.path)?.[1] ?? ''
  const reads = answered(life, new RegExp(`/pulls/${number}$`))
  // A head can move between the two requests of a reading.
  const readAt = reads.findLast(({ at }) => at <= last.at)?.at ?? last.at
  const heads = [headAt(world, number, last.at), headAt(world, number, readAt)]
  const checks = world.emulator.github.repo(repository).checks.get(sha) ?? []
  const first = readings.find(({ path }) => path.includes(sha))?.at ?? last.at
  // What GitHub has not worked out is asked for a minute at most.
  const hasAskedEnough = last.at - first >= 4 * pollMsOf(life) - MARGIN_MS
  return {
    ...{ number, repository, sha, checks },
    isClosed: pull.issue.state === 'closed',
    first,
    last: last.at,
    until: answered(life, /\/commits\/[\da-f]+\/(check-|status)/).at(-1)?.at ?? last.at,
    headReadAt: reads.at(-1)?.at ?? 0,
    pageAt: (at, tellsRuns) => pageAt(checks, at + world.story.servers.githubSkewMs, tellsRuns),
    // GitHub says nothing of a conflict once it is closed.
    isConflicting:
      pull.issue.state === 'open' &&
      heads.some((head) => head.sha === sha && head.isConflicting) &&
      !(hasAskedEnough && isUnexamined(world, pull, sha, reads, last.at)),
  }
}

/** GitHub had not worked out by then whether that head conflicts, and said so. */
function isUnexamined(
  { emulator, story: { servers } }: World,
  { number, repository }: Pick<Look, 'number' | 'repository'>,
  sha: string,
  reads: readonly Call[],
  at: number,
): boolean {
  const { examinedAt = Number.NEGATIVE_INFINITY, head } = emulator.github.pull(number, repository)
  const knownAt = examinedAt + servers.mergeableAfterMs - servers.githubSkewMs
  const told = reads.findLast((read) => read.at <= at && read.status === 200)
  return (
    head.sha === sha && knownAt > at - MARGIN_MS && asObject(parseJson(told?.text ?? '')).mergeable === null
  )
}

/** GETs that GitHub answered, also that nothing changed. */
const answered = ({ calls }: Life, path: RegExp): Call[] =>
  calls.filter(
    (call) => call.method === 'GET' && (call.status ?? 500) < 400 && path.test(call.path.split('?')[0] ?? ''),
  )

/** What the contract counts in minutes depends on the pauses here, where servers have loopback addresses. */
const pollMsOf = ({ inputs }: Life): number => Number(inputs['poll-interval-seconds'] ?? 15) * 1000

/** Whoever reads that checks pass, in thread, outputs or the status of the code, finds no red cross on GitHub's page of the docs. */
export const nothingGreenOverRed: Rule = {
  name: 'nothing-green-over-red',
  clause: '4.12, 4.13',
  afterMain({ world, life }) {
    const look = wasMisled(life) ? undefined : lookOf(world, life)
    if (look === undefined || look.isClosed) return []
    const still = new Set(look.pageAt(look.until).red.map(({ id }) => id))
    const red = look.pageAt(look.last - MARGIN_MS).red.filter(({ id }) => still.has(id))
    const sent = life.calls.filter(({ method, at }) => method !== 'GET' && at > look.last)
    const places = [
      life.footprint.outputs.get('checks') === 'success' && 'outputs',
      sent.some((call) => /\bits (\d+ )?checks? pass/i.test(wordsOf(bodyOf(call)))) && 'thread',
      sent.some(({ path, body }) => isGreen(path, body, look)) && 'commit status',
    ].filter((place) => place !== false)
    const names = red.map(({ name }) => JSON.stringify(name)).join(', ')
    return places
      .filter(() => red.length > 0)
      .map((place) => `${life.name} says success of #${look.number} in its ${place}, and ${names} is red`)
  },
}

/** A status that says more than that nothing is known of the checks. */
function isGreen(path: string, body: string, { number }: Look): boolean {
  const {
    state,
    target_url: link,
    description,
  } = asObject(/\/statuses\/[\da-f]+$/.test(path) && parseJson(body))
  return (
    state === 'success' && asString(link).endsWith(`/pull/${number}`) && !/check/.test(asString(description))
  )
}

/** `checks` says what GitHub's page shows, once nothing of it has changed for a while, and of the newest head. */
export const checksTrue: Rule = {
  name: 'checks-true',
  clause: '4.12',
  afterMain({ history, request, life }) {
    const { world } = history
    const said = life.footprint.outputs.get('checks') ?? ''
    const look = life.fate !== 'ended' || wasMisled(life) ? undefined : lookOf(world, life)
    if (look === undefined || said === '') return []
    if (said === 'unavailable')
      return isRefused(life) ? [] : [`${life.name} says that it may not read the checks, and was not refused`]
    const { number, sha, last, until, first, isClosed, headReadAt } = look
    // Without the permission, a run tells two runs of one workflow from two workflows only where the repository is public.
    const { permissions, docsVisibility } = world.story
    const isPublic = look.repository !== REPOSITORY && docsVisibility === 'public'
    const page = look.pageAt(last, permissions.actions === 'read' || isPublic)
    const is = verdictOf(page, look.isConflicting)
    if (said === 'pending')
      return is !== 'success' || endsEarly(life) || isFollowedLater(history, request, life)
        ? []
        : [`${life.name} says "${said}" of #${number}, and it was ${is}`]
    const pollMs = pollMsOf(life)
    const [quietMs, minuteMs] = [2 * pollMs - MARGIN_MS, 4 * pollMs - MARGIN_MS]
    const changedAt = Math.max(0, ...changesOf(world, look).filter((at) => at < last - MARGIN_MS))
    // What never ends holds nothing back, whatever else goes on.
    const { githubSkewMs } = world.story.servers
    const isOld = page.red.some(({ endsAt }) => last + githubSkewMs - endsAt > 20 * pollMs - MARGIN_MS)
    const isAnother =
      headAt(world, number, last).sha !== sha && headAt(world, number, headReadAt - MARGIN_MS).sha !== sha
    // A push may come up to a minute after a turn that began with this head. Without an answer nobody knows of a turn.
    const isMessage = ({ path, status = 500, text }: Call) =>
      path.endsWith('/message') && status < 400 && text !== undefined
    const message = life.calls.findLastIndex(isMessage)
    const messagedAt = life.calls[message]?.at ?? 0
    // What was read before the message says nothing of its turn.
    const read = answered(life, /\/v2\/agent\/.*\/job\/[^/]+$/).findLast(
      (call) => life.calls.indexOf(call) > message,
    )
    // A turn can push at the very moment of its message.
    const isOfBefore = messagedAt > 0 && headAt(world, number, messagedAt - 1).sha === sha
    const waited = headReadAt - (read?.at ?? 0)
    const ended = [
      last - first < (is === 'none' ? minuteMs : quietMs) && `after ${last - first} ms`,
      until - changedAt < quietMs && !isOld && `${until - changedAt} ms after a change`,
      isOfBefore &&
        read?.text?.includes('"status":"completed"') === true &&
        waited < minuteMs &&
        `${waited} ms after a turn`,
    ]
    return [
      is !== said && `and it was ${is}`,
      isAnother && 'of a head that was replaced',
      ...(isClosed ? [] : ended),
    ]
      .filter((why) => why !== false)
      .map((why) => `${life.name} says "${said}" of #${number}, ${why}`)
  },
}

function verdictOf({ red, open, grey, green, isHeld }: Page, isConflicting: boolean): string {
  if (isConflicting || red.length > 0) return 'failure'
  if (isHeld || open.length > 0 || grey.length > 0) return 'pending'
  return green.length > 0 ? 'success' : 'none'
}

/** When something of its checks began or ended, on the true clock. */
function changesOf({ story }: World, { checks }: Look): number[] {
  // Of two statuses of one context the second can come and end between two readings, with the same result.
  const isAlone = ({ kind, name }: StartedCheck): boolean =>
    kind !== 'status' || checks.filter((one) => one.kind === kind && one.name === name).length === 1
  // A suite of another app says nothing without runs.
  const saysNothing = ({ kind, app }: StartedCheck): boolean => kind === 'suite' && app !== 'github-actions'
  // A run that another of its name has replaced in their suite goes on where nobody sees it.
  const isSeen = (check: StartedCheck, at: number): boolean =>
    (check.kind ?? 'run') !== 'run' || latestOf(checks, 'run', at).includes(check)
  const times = checks
    .filter((check) => isAlone(check) && !saysNothing(check))
    .flatMap((check) => [check.appearsAt, check.startsAt, check.endsAt].filter((at) => isSeen(check, at)))
  return times.map((at) => at - story.servers.githubSkewMs)
}

/** When its page began to show something else, also what a reader that looks once in a while may miss, on the true clock. */
function shownChangesOf({ story }: World, { checks, pageAt }: Look): number[] {
  const shown = (at: number) =>
    Object.values(pageAt(at))
      .map((part) => (Array.isArray(part) ? part.map(({ id }: StartedCheck) => id).join() : part))
      .join(';')
  return checks
    .filter(({ kind }) => kind === 'status')
    .flatMap(({ appearsAt, endsAt }) => [appearsAt, endsAt])
    .map((at) => at - story.servers.githubSkewMs)
    .filter((at) => shown(at) !== shown(at - 1))
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

/** A later request to the same job follows them. */
const isFollowedLater = ({ requests }: History, request: Request, life: Life): boolean =>
  requests.some(
    (other) =>
      other !== request &&
      Number(other.inputs['fix-attempts'] ?? 0) > 0 &&
      other.runs.some(
        ({ main }) =>
          main.bornAt > (request.runs[0]?.main.bornAt ?? 0) &&
          main.footprint.outputs.get('job-id') === life.footprint.outputs.get('job-id'),
      ),
  )

/** A run that has nothing more to learn ends: neither what never ends, nor what is red already, keeps it. */
export const waitsForNothing: Rule = {
  name: 'waits-for-nothing',
  clause: '4.12',
  afterMain({ world, request, life }) {
    const look = wasMisled(life) || life.inputs.preview === 'true' ? undefined : lookOf(world, life)
    // GitHub's limits and outages make each look longer.
    if (look === undefined || look.isClosed || outagesOf(world, life).length > 0 || metLimit(life)) return []
    const pollMs = pollMsOf(life)
    const slackMs = 2 * Math.max(pollMs, MINUTE_MS)
    const { until, last, first, isConflicting } = look
    const fixes = request.runs.flatMap(({ main: { calls } }) =>
      calls.flatMap((call, nth) => (isFix(request, call) ? [shaOf(world, calls.slice(0, nth))] : [])),
    )
    const turnAt = Math.max(0, ...answered(life, /\/v2\/agent\/.*\/job\/[^/]+$/).map(({ at }) => at))
    const seen = (times: readonly number[]) => Math.max(first, turnAt, ...times.filter((at) => at <= last))
    const page = look.pageAt(last)
    const idleMs = until - seen([...changesOf(world, look), ...shownChangesOf(world, look)])
    const redMs = until - seen(page.red.map(({ endsAt }) => endsAt - world.story.servers.githubSkewMs))
    const most = Number(life.inputs['fix-attempts'] ?? 0)
    const names = page.open.map(({ name }) => JSON.stringify(name)).join(', ')
    return [
      isIdle(page, last + world.story.servers.githubSkewMs) &&
        !isConflicting &&
        idleMs > 40 * pollMs + slackMs &&
        `waits ${idleMs} ms for ${names}`,
      page.red.length > 0 &&
        fixes.length < most &&
        // What an earlier attempt may have sent goes back no more.
        !fixes.includes(look.sha) &&
        redMs > 20 * pollMs + slackMs &&
        `keeps back for ${redMs} ms what fails`,
    ]
      .filter((what) => what !== false)
      .map((what) => `${life.name} ${what} of #${look.number}`)
  },
}

const MINUTE_MS = 60_000

/** The agent hears once of what fails of a commit, however many runs, threads and attempts see it. */
export const failuresOnce: Rule = {
  name: 'failures-once',
  clause: '4.12',
  afterLife(history) {
    const { world } = history
    const fixes = world.messages.flatMap(({ callId, jobId }) => {
      const life = world.lives.find(({ calls }) => calls.some(({ id }) => id === callId))
      const request = life && requestOf(history, life)
      const at = life?.calls.findIndex(({ id }) => id === callId) ?? -1
      const call = life?.calls[at]
      const isCounted = request && call && isFix(request, call) && canRemember(history, request)
      return isCounted && !wasMisled(life)
        ? [{ of: `${jobId} ${shaOf(world, life.calls.slice(0, at))}`, life }]
        : []
    })
    return [...Map.groupBy(fixes, ({ of }) => of)]
      .filter(([, all]) => all.length > 1)
      .map(
        ([of, all]) =>
          `what fails of one commit went back ${all.length} times (${of}): ${all.map(({ life }) => life.name)}`,
      )
  },
}

/** The commit of the agent's pull request that a process looked at last. */
function shaOf({ heads }: World, calls: readonly Call[]): string {
  const shas = calls.map(({ path }) => /\/commits\/([\da-f]{40})\/check-runs/.exec(path)?.[1])
  return shas.findLast((sha) => heads.some((head) => head.sha === sha)) ?? ''
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
