import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { runUrlOf } from '../event/trigger.ts'
import { samePullRequest } from '../link.ts'
import { skipVerdict, type Verdict, type VerdictFacts, WORKING } from '../messages/commit-verdict.ts'
import { WARNINGS } from '../messages/notes.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import { redact } from '../redact.ts'
import { hasOpenParts } from '../request/parts.ts'
import { oneLine } from '../text.ts'
import type { Request } from '../thread/request.ts'
import { sayOfEarlier } from '../thread/say.ts'
import type { Session } from '../thread/session.ts'
import { digestChanges } from './digest.ts'
import { latestInStep } from './increment.ts'
import {
  type DecidedHead,
  decisionsOf,
  headOf,
  isDecidedAfter,
  knownDigest,
  verdictBefore,
  verdictOfEnd,
} from './verdict.ts'

/**
 * The pull request that is the thread: of a `pull_request` event as the event has it, else as it is now (contract 4.13).
 * @returns undefined for none, and where no commit status is asked for
 */
export async function pullRequestOfThread(
  { forge, warnings }: Session,
  { thread }: Request,
  { trigger, inputs }: PromptSource,
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
export function verdictOn(
  { identity, state }: Request,
  end: Omit<VerdictFacts, 'command'>,
): Verdict | undefined {
  if (identity.commitStatus.name === '') return undefined
  return verdictOfEnd(state, { ...end, command: identity.command })
}

/**
 * Ends the status of the request, unless a later request of the thread decides it: first on the head that it had, and
 * then on the heads to which a rebase moved the same changes meanwhile (contract 3.13).
 * @returns whether it is done, or GitHub refuses it
 */
export async function setFinalStatus(
  session: Session,
  request: Request,
  verdict: Verdict | undefined,
): Promise<boolean> {
  const { warnings, commentMode } = session
  if (verdict === undefined) return true
  if (verdict === WORKING) {
    // Where somebody skipped the changes since, a job that still works on them changes no status (contract 3.2).
    if (decisionsOf(request.history).skip !== undefined) return true
    if (verdictBefore(request) === WORKING) return await setWorkingStatus(session, request)
  }
  // A run that starts from now on sees the result, so one more look at the thread is enough.
  if (commentMode !== 'off') await request.thread?.readOrWarn(session)
  const set = (head: string, said: Verdict) =>
    warnings.doneOrRefused('commit-status', () => setCommitStatus(session, request, said, head))
  const { sha } = request.identity.commitStatus
  if (isDecidedLater(request, headOf(request))) {
    const { skip } = decisionsOf(request.history)
    // If the skip came at a later head, no other run ends the status of this head.
    const isLeft = skip !== undefined && skip.record.commitStatus.sha !== sha
    return !isLeft || (await set(sha, skipVerdict(skip.record, skip.url)))
  }
  let moved: string | undefined
  const looking = warnings.doneOrRefused('head', async () => {
    moved = await movedTo(session, request)
  })
  const [isSet, hasLooked] = await Promise.all([set(sha, verdict), looking])
  // A push may have replaced the head to which a rebase moved them.
  const carried = request.identity.head.sha
  const isOpen = carried !== '' && !isDecidedLater(request, { ...headOf(request), sha: carried })
  const others = new Set([isOpen ? carried : sha, moved ?? sha])
  others.delete(sha)
  const areSet = await Promise.all([...others].map((head) => set(head, verdict)))
  return isSet && hasLooked && areSet.every(Boolean)
}

/** @returns the head of now, where it is another one with the same changes that no later request decides */
async function movedTo(
  session: Session,
  { identity, thread, history }: Request,
): Promise<string | undefined> {
  const { forge } = session
  const own = identity.commitStatus.sha
  const decisions = decisionsOf(history)
  const digest = identity.head.digest || knownDigest(decisions, own)
  if (thread === undefined || digest === '') return undefined
  const { headSha } = await forge.pullRequest({ ...forge.repository, number: thread.number })
  const head = { ...headOf({ identity }), sha: headSha, digest }
  if (headSha === own || isDecidedAfter(decisions, identity.requestedAt, head)) return undefined
  const now = await digestChanges(session, { number: thread.number, headSha })
  return now.digest === digest ? headSha : undefined
}

const isDecidedLater = ({ identity, history }: Request, head: DecidedHead): boolean =>
  isDecidedAfter(decisionsOf(history), identity.requestedAt, head)

/** Sets the status once, even if several runs try to. @throws {ForgeError} */
async function setCommitStatus(
  { deps, forge, context }: Session,
  { identity, isFirstRun, hasAnnounced }: Request,
  { state, description, link }: Verdict,
  sha: string,
): Promise<void> {
  const status = {
    state,
    context: identity.commitStatus.name,
    description: oneLine(redact(description, deps.secrets), MAX_DESCRIPTION),
    targetUrl: redact(link, deps.secrets) || runUrlOf(context, identity.run),
  }
  // An earlier run may have set the same status.
  const isNew = isFirstRun && hasAnnounced
  const known = isNew ? [] : await forge.commitStatuses(forge.repository, sha).catch(() => [])
  const isSet = known.some(
    (one) => one.context === status.context && one.state === state && one.description === status.description,
  )
  if (!isSet) await forge.setCommitStatus(forge.repository, sha, status)
}

/** Sets the status on its own head, unless that is decided later. @returns whether it is done, or GitHub refuses it */
export async function setStatusUnlessDecided(
  session: Session,
  request: Request,
  verdict: Verdict,
): Promise<boolean> {
  return isDecidedLater(request, headOf(request)) || (await setStatus(session, request, verdict))
}

/** @returns whether it is done, or GitHub refuses it */
export async function setStatus(session: Session, request: Request, verdict: Verdict): Promise<boolean> {
  const { name, sha } = request.identity.commitStatus
  if (name === '') return true
  return await session.warnings.doneOrRefused('commit-status', () =>
    setCommitStatus(session, request, verdict, sha),
  )
}

/** Characters: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
const MAX_DESCRIPTION = 140

/**
 * Carries what the status says of the changes to the head of the event, and for a request that still works, its end
 * (contract 3.13). If the head brings nothing new, the next one is compared with it. The head of a late event, whose
 * changes have no digest, does not count for that.
 */
export async function carryStatus(session: Session, request: Request): Promise<void> {
  const { thread, identity } = request
  const verdict = verdictBefore(request)
  if (verdict === WORKING) await setWorkingStatus(session, request)
  else if (verdict !== undefined) await setStatusUnlessDecided(session, request, verdict)
  const latest = latestInStep(request)
  const { sha, digest } = identity.head
  if (thread === undefined || latest?.record.state !== 'reported') return
  const { head } = latest.record
  if (head.sha === sha || digest === '' || head.digest !== digest) return
  // A run may still write what follows the result.
  if (hasOpenParts(latest.record)) return
  const change = { what: 'head of the pull request', head: { ...head, sha } }
  await sayOfEarlier(session, thread, latest, change)
}

/** Says that an earlier request works; or how it ended, if it ended meanwhile without knowing of this run. */
async function setWorkingStatus(session: Session, request: Request): Promise<boolean> {
  // Without a status to set, the thread needs no second look.
  if (request.identity.commitStatus.name === '') return true
  const isDone = await setStatusUnlessDecided(session, request, WORKING)
  await request.thread?.readOrWarn(session)
  const now = verdictBefore(request)
  return now === undefined || now === WORKING ? isDone : await setStatusUnlessDecided(session, request, now)
}
