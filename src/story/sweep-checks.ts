import { isDeepStrictEqual } from 'node:util'
import { pullRequestOf } from '../base/link.ts'
import { plainText } from '../base/text.ts'
import { accessOf } from '../event/gate.ts'
import { type ChecksPolicy, type Saved, watchChecks } from '../features/checks/checks.ts'
import { quotaOf } from '../features/daily-limit/daily-limit.ts'
import { setFinalStatus } from '../features/pull-request/pull-request.ts'
import { DEFAULT_POLL_MS } from '../http/retry.ts'
import { DAY_MS } from '../inputs/period.ts'
import type { ChecksReport } from '../record/check-results.ts'
import { type Permission, suffices } from '../record/permission.ts'
import type { CheckState } from '../record/record.ts'
import {
  areChecksFollowed,
  areEffectsDone,
  type Ended,
  jobOf,
  noteChecks,
  noteEffects,
  watch,
} from '../record/states.ts'
import { acquireLease, hasChanged, versionsIn } from '../thread/acquire-lease.ts'
import { writeComment } from '../thread/comment.ts'
import { deleteReplaced } from '../thread/delete-replaced.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { checksSentence, FEWER_ATTEMPTS, NO_LEASE, noPermission } from '../words/checks-words.ts'
import { conclude, decidedResult, withPagesSoon } from './conclude.ts'
import { isBacklinkThere } from './effects.ts'
import { type Result, reportOf, wordsOf } from './result.ts'
import { inThreads, type OpenRequest, SWEEP, takeUp } from './sweep.ts'

/** What the inputs of `collect` allow: of these, and of what the workflow that asked allowed, what allows less counts. */
interface SweepLimits {
  readonly fixAttempts: number
  readonly dailyLimit: number | undefined
  readonly minPermission: Permission
}

/** How long a sweep waits for what settles, in ms: another run would cost as much. */
const SETTLING_MS = 75_000

/** After so long without a change of its comment, nobody follows the checks of a request. */
const GIVEN_UP_MS = DAY_MS

/** Nobody follows its checks after one more sweep. */
const isGivenUp = ({ github }: Session, { updatedAt }: Pick<OpenRequest, 'updatedAt'>): boolean =>
  github.clock() - updatedAt > GIVEN_UP_MS

/**
 * What a sweep does with the checks of a request that no run holds; see `follow-checks.ts` for what it may do.
 *
 *   the thread as it is now → what an earlier process left open → the checks → commit status → comment
 *
 * Before failures go back, their record goes into a comment of its own: see `acquireLease`. What stays as it was, it does not write.
 * @param deadline until when it waits for what settles, on the monotonic clock, in ms @throws {GitHubError}
 */
async function sweepChecks(
  session: Session,
  found: OpenRequest,
  limits: SweepLimits,
  deadline: number,
): Promise<void> {
  const run = await takeUp(session, found, undefined)
  if (run?.state.state !== 'ended') return
  const { state } = run
  // Its words may say that a run follows the checks.
  if (!areEffectsDone(state) || found.record.leaseMs > 0) {
    if ((await conclude(session, run, state.ending, SWEEP)) === undefined) return
  }
  const before = withAllRounds(run, run.in('ended'))
  run.setState(watch(before))
  const versions = versionsIn(run)
  const result: Result = decidedResult({ session, run, concluder: SWEEP, end: state.ending }, found.record)
  let hasLease = false
  const write = async (more: Partial<Result>): Promise<Saved> => {
    const saved = await acquireLease(session, run, versions, wordsOf(quiet({ ...result, ...more })).words)
    hasLease = saved === 'done'
    return saved
  }
  const policy = policyOf(session, run, limits, { deadline, isLast: isGivenUp(session, found) })
  const watched = await watchChecks(session, run, policy, write)
  if (watched === undefined || !watched.isOurs) return
  const report = withReason(run, watched.report, limits)
  const isLeft = report.phase === 'left'
  if (isLeft && !hasLease && isUnchanged(before, run.in('ended'), report)) return
  if (!hasLease && (await hasChanged(session, run, versions))) return
  session.deps.core.info(`  ${plainText(checksSentence(report, ''))}: ${run.job?.prLink}`)
  await writeSwept(session, run, { ...result, checks: report }, isLeft && areChecksFollowed(before))
}

/**
 * Does so with the checks of each of these requests. What surely goes on is told by one query for many.
 * @param isRead whether a request is read whatever that query says
 */
export async function sweepAllChecks(
  session: Session,
  requests: readonly OpenRequest[],
  limits: SweepLimits,
  isRead: (request: OpenRequest) => boolean,
): Promise<void> {
  const { deps, github, runner, warnings } = session
  const deadline = deps.monotonic() + SETTLING_MS
  const pullOf = ({ record }: OpenRequest) => pullRequestOf(jobOf(record)?.prLink ?? '', runner.serverUrl)
  const mayGoOn = requests.filter((one) => !isRead(one) && isQuiet(session, one))
  const isAtWork = await github.headsAtWork(mayGoOn.flatMap((one) => pullOf(one) ?? []))
  const goesOn = (one: OpenRequest) => {
    const pull = mayGoOn.includes(one) ? pullOf(one) : undefined
    return pull !== undefined && isAtWork(pull)
  }
  await inThreads(
    requests.filter((one) => !goesOn(one)),
    async (one) => await sweepChecks(session, one, limits, deadline),
    ({ thread }, error) => warnings.add(['thread', thread.number], error),
  )
}

/** Nothing is left to do about it while its checks go on. */
function isQuiet(session: Session, one: OpenRequest): boolean {
  const { record } = one
  const isKnown = record.state === 'ended' && record.checks?.isWatched === true && record.checks.branch !== ''
  return isKnown && areEffectsDone(record) && record.leaseMs === 0 && !isGivenUp(session, one)
}

/** Of records of the request that stand side by side, the one with the most rounds tells what may have gone out. */
function withAllRounds(run: Run, state: Ended): Ended {
  const { replaced = [] } = run.records() ?? {}
  const all = replaced.flatMap(({ record }) => (record.state === 'ended' ? (record.checks ?? []) : []))
  const most = all.reduce<CheckState | undefined>(
    (known, one) => (one.sentFor.length > (known?.sentFor.length ?? 0) ? one : known),
    state.checks,
  )
  if (most === undefined || state.checks === undefined || most === state.checks) return state
  const { sentFor, sentAt, isLastInDoubt } = most
  return noteChecks(state, state.job, { ...state.checks, sentFor, sentAt, isLastInDoubt })
}

function policyOf(
  session: Session,
  run: Run,
  limits: SweepLimits,
  { deadline, isLast }: { readonly deadline: number; readonly isLast: boolean },
): ChecksPolicy {
  const { settings } = run.identity
  const dailyLimit = Math.min(settings.dailyLimit || Infinity, limits.dailyLimit ?? Infinity)
  const quota = quotaOf(session, run, Number.isFinite(dailyLimit) ? dailyLimit : undefined)
  return {
    waiting: { startedAt: session.deps.monotonic(), deadline, pollMs: DEFAULT_POLL_MS },
    sweep: { isLast, objection: () => objectionTo(session, run, limits) },
    fixAttempts: Math.min(settings.fixAttempts, limits.fixAttempts),
    checkLogs: settings.checkLogs,
    quota,
  }
}

/** Why failures do not go back, in a sentence; undefined where they may. @throws {GitHubError} where GitHub does not answer */
async function objectionTo(
  { github, commentMode, deps }: Session,
  { identity }: Run,
  limits: SweepLimits,
): Promise<string | undefined> {
  // An edit tells two sweeps apart that come at once to neither of them.
  if (commentMode !== 'recreate') return NO_LEASE
  const { requestedBy, settings } = identity
  if (settings.minPermission === undefined) return undefined
  const isStricter = suffices(limits.minPermission, settings.minPermission)
  const needs = isStricter ? limits.minPermission : settings.minPermission
  if (needs === 'none') return undefined
  const access = await accessOf(github, requestedBy, needs)
  if (access.granted) return undefined
  const sentence = noPermission(requestedBy, needs, access.has)
  deps.core.warning(plainText(`${sentence} Failures do not go back to the agent.`))
  return sentence
}

/** Where the inputs of `collect` allow less than the workflow that asked. */
function withReason({ identity, state }: Run, report: ChecksReport, limits: SweepLimits): ChecksReport {
  const rounds = state.state === 'ended' ? (state.checks?.sentFor.length ?? 0) : 0
  const { fixAttempts } = identity.settings
  const isCut = report.status === 'failure' && rounds < fixAttempts && rounds >= limits.fixAttempts
  return isCut && !report.notSentBack ? { ...report, notSentBack: FEWER_ATTEMPTS } : report
}

/** Nothing is new that the record has to tell. */
function isUnchanged(before: Ended, now: Ended, { checks }: ChecksReport): boolean {
  // An event about checks may come for a head that still has none.
  if (!areChecksFollowed(before) && checks.length === 0) return true
  return isDeepStrictEqual(before.checks, now.checks)
}

/** Nobody asked for it now. */
const quiet = (result: Result): Result => ({ ...result, concluder: { ...SWEEP, isQuiet: true } })

/** @param isStatusSet the commit status says what this sweep found */
async function writeSwept(session: Session, run: Run, swept: Result, isStatusSet: boolean): Promise<void> {
  const isQuiet = swept.checks?.phase === 'left' && swept.checks.fixes > 0
  const found = isQuiet ? quiet(swept) : swept
  if (!isStatusSet) {
    const isSet = await setFinalStatus(session, run, reportOf(found))
    run.setState(noteEffects(run.in('ended'), isSet))
  }
  const withPages = await withPagesSoon(found)
  const hasBacklink = await isBacklinkThere(session, run)
  await writeComment(session, run, wordsOf({ ...withPages, hasBacklink, knownAt: session.deps.now() }))
  if (run.lastWrite === 'done') await deleteReplaced(session, run)
}
