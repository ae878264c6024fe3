import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { runUrlOf } from '../event/trigger.ts'
import { samePullRequest } from '../link.ts'
import { commitVerdictOf, type Verdict, type VerdictFacts, WORKING } from '../messages/commit-verdict.ts'
import { WARNINGS } from '../messages/notes.ts'
import { redact } from '../redact.ts'
import { stillOpen } from '../request/history.ts'
import { ending } from '../request/outcome.ts'
import type { RequestRecord } from '../request/record.ts'
import { withoutRecord } from '../request/signed-record.ts'
import { jobOf } from '../request/states.ts'
import { oneLine } from '../text.ts'
import type { Session } from '../thread/session.ts'
import { digestChanges, keptInStep } from './code-pull-request.ts'
import { type Asked, endingOfRecord, type Request } from './request.ts'

/**
 * The pull request that is the thread: of a `pull_request` event as the event has it, else as it is now (contract 4.13).
 * @returns undefined for none, and where no commit status is asked for
 */
export async function pullRequestOfThread(
  { forge, warnings }: Session,
  { thread }: Request,
  { trigger, inputs }: Asked,
): Promise<PullRequest | undefined> {
  const { subject, push } = trigger
  if (inputs.commitStatus === '' || thread === undefined || push !== undefined) return undefined
  if (subject !== undefined && isPullRequestEvent(trigger)) return subject
  if (subject?.isPullRequest === false) return undefined
  return await warnings.warnOnFailure('head', async () => {
    try {
      return await forge.pullRequest({ ...forge.repository, number: thread.number })
    } catch (error) {
      // The input `issue-number` may name an issue.
      if (subject === undefined && isRefused(error, 404)) return undefined
      throw error
    }
  })
}

/** From now on the request decides the commit status of the head of an open pull request that is not the job's own. */
export function claimHead(
  { deps, forge, context }: Session,
  request: Request,
  name: string,
  { state, headSha, url, repositoryId }: PullRequest,
): void {
  const links = [...(request.history?.prLinks ?? [])]
  if (state !== 'open' || headSha === '') return
  if (links.some((link) => samePullRequest(link, url, context.serverUrl))) return
  if (repositoryId !== undefined && repositoryId !== forge.repositoryId) {
    deps.core.warning(WARNINGS.statusElsewhere)
    return
  }
  request.amend({ commitStatus: { name, sha: headSha } })
}

/** How the end of a run decides the status; undefined where the job works, or none is to be set. */
export function verdictOn({ identity, state }: Request, end: VerdictFacts): Verdict | undefined {
  if (identity.commitStatus.name === '') return undefined
  // What was not sent is not worked on.
  const isUnsent = state.state === 'notSent' && end.outcome !== 'error'
  return commitVerdictOf(isUnsent ? { ...end, outcome: 'error', reason: '' } : end)
}

/**
 * Ends the status of the request, where no later request of the thread decides it: on the head that it had, and on the one
 * to which a rebase moved the same changes meanwhile (contract 3.13).
 * @returns whether it is done, or GitHub refuses it
 */
export async function endCommitStatus(
  session: Session,
  request: Request,
  verdict: Verdict | undefined,
): Promise<boolean> {
  const { forge, warnings, commentMode } = session
  const { identity, thread } = request
  const { name, sha } = identity.commitStatus
  if (name === '' || verdict === undefined) return true
  if (
    verdict === WORKING &&
    verdictBefore(request) === WORKING &&
    latestWithStatus(request)?.commitStatus.sha === sha
  )
    return await showWorking(session, request)
  // What another run does from now on, it does in view of the result.
  if (commentMode !== 'off') await thread?.readOrWarn(session)
  const { history } = request
  const moved = async (): Promise<readonly string[]> => {
    const { digest } =
      identity.head.sha === '' && history
        ? (keptInStep(request)?.record.head ?? identity.head)
        : identity.head
    if (thread === undefined || digest === '') return []
    const { headSha } = await forge.pullRequest({ ...forge.repository, number: thread.number })
    if (headSha === sha || isDecidedLater(request, headSha)) return []
    const now = await digestChanges(session, { number: thread.number, headSha })
    return now.digest === digest ? [headSha] : []
  }
  // What the later request says goes to the new head as well.
  if (isDecidedLater(request, sha)) return true
  return await warnings.doneOrRefused('commit-status', async () => {
    const heads = [sha, ...(await moved())]
    await Promise.all(heads.map((head) => setCommitStatus(session, request, verdict, head)))
  })
}

/** A later request of the thread decides the status of the head, also where an earlier one comes back. */
const isDecidedLater = ({ identity, history }: Request, head: string): boolean =>
  history?.others.some(
    ({ record: { commitStatus, requestedAt, state } }) =>
      state !== 'idle' &&
      requestedAt > identity.requestedAt &&
      commitStatus.name === identity.commitStatus.name &&
      commitStatus.sha === head,
  ) === true

/** Sets it once, whichever run comes to it. @throws {ForgeError} */
async function setCommitStatus(
  { deps, forge, context }: Session,
  { identity, isFirstRun, hasSent }: Request,
  { state, description, link }: Verdict,
  sha: string,
): Promise<void> {
  const status = {
    state,
    context: identity.commitStatus.name,
    description: oneLine(redact(description, deps.secrets), MAX_DESCRIPTION),
    targetUrl: redact(link, deps.secrets) || runUrlOf(context, identity.run, forge),
  }
  // An earlier run may have come as far as this.
  const isNew = isFirstRun && hasSent
  const known = isNew ? [] : await forge.commitStatuses(forge.repository, sha).catch(() => [])
  const isSet = known.some(
    (one) => one.context === status.context && one.state === state && one.description === status.description,
  )
  if (!isSet) await forge.setCommitStatus(forge.repository, sha, status)
}

/** What the status of the request says from now on, on its own head. @returns whether it is done, or GitHub refuses it */
export async function showVerdict(session: Session, request: Request, verdict: Verdict): Promise<boolean> {
  const { name, sha } = request.identity.commitStatus
  if (name === '' || isDecidedLater(request, sha)) return true
  return await session.warnings.doneOrRefused('commit-status', () =>
    setCommitStatus(session, request, verdict, sha),
  )
}

/** Characters: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
const MAX_DESCRIPTION = 140

/**
 * Carries to the head of the event what the status said before, and later the end of what still works (contract 3.13). A
 * head that brings nothing new is from then on the one that the next is compared with; that of a late event, whose
 * changes have no digest, is not.
 */
export async function carryVerdict(session: Session, request: Request): Promise<void> {
  const { thread, identity } = request
  const verdict = verdictBefore(request)
  if (verdict === WORKING) await showWorking(session, request)
  else await showVerdict(session, request, verdict)
  const before = keptInStep(request)?.record
  const { sha, digest } = identity.head
  if (thread === undefined || before?.state !== 'reported' || before.head.sha === sha || digest === '') return
  const { own, ownComments = [] } = thread.historyOf(before) ?? {}
  // A run may still write what follows the result.
  if (own === undefined || stillOpen(before, ownComments).length > 0) return
  const record = { ...before, head: { ...before.head, sha }, openParts: [], replacedId: 0 }
  const written = { ...record, writtenAt: thread.dateOf(session), waitsMs: 0 }
  await thread.write(session, 'head of the pull request', written, withoutRecord(own.body), false)
}

const latestWithStatus = ({ history, identity }: Request): RequestRecord | undefined =>
  history?.others.find(
    ({ record }) => record.state !== 'idle' && record.commitStatus.name === identity.commitStatus.name,
  )?.record

/** Says that an earlier request works, or how it ended meanwhile, which did not know of this run. */
async function showWorking(session: Session, request: Request): Promise<boolean> {
  if (request.identity.commitStatus.name === '') return true
  const isDone = await showVerdict(session, request, WORKING)
  await request.thread?.readOrWarn(session)
  const now = verdictBefore(request)
  return now === WORKING ? isDone : await showVerdict(session, request, now)
}

/** What the latest request of the thread that has a status says, or else the one whose changes are the same. */
function verdictBefore(request: Request): Verdict {
  const record = latestWithStatus(request) ?? keptInStep(request)?.record
  const isOpen = record?.state === 'reported' && record.openParts.includes('checks')
  if (record === undefined || isOpen || record.state === 'running' || record.state === 'sending')
    return WORKING
  const end = endingOfRecord({ state: record }) ?? ending('error')
  const checks = record.state === 'reported' ? record.checks : undefined
  return commitVerdictOf({ ...end, job: jobOf(record), checks }) ?? WORKING
}
