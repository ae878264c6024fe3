import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { runUrlOf } from '../event/trigger.ts'
import { samePullRequest } from '../link.ts'
import { type Verdict, verdictOf } from '../messages/commit-status.ts'
import { WARNINGS } from '../messages/notes.ts'
import type { Report } from '../messages/report.ts'
import { commitStatusTask, headTask } from '../messages/side-tasks.ts'
import { redact } from '../redact.ts'
import { oneLine } from '../text.ts'
import type { Session } from '../thread/session.ts'
import type { Asked, Request } from './request.ts'

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
  return await warnings.warnOnFailure(headTask, async () => {
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
export function verdictOn({ identity, state }: Request, report: VerdictFacts): Verdict | undefined {
  if (identity.commitStatus.name === '') return undefined
  // What was not sent is not worked on.
  const isUnsent = state.state === 'notSent' && report.outcome !== 'error'
  return verdictOf(isUnsent ? { ...report, outcome: 'error', reason: '' } : report)
}

type VerdictFacts = Pick<Report, 'outcome' | 'reason' | 'job' | 'checks'>

/** Sets it once, whichever run comes to it. @returns whether it is done, or GitHub refuses it */
export async function setCommitStatus(
  { deps, forge, warnings, context }: Session,
  { identity, facts }: Request,
  verdict: Verdict | undefined,
): Promise<boolean> {
  const { name, sha } = identity.commitStatus
  if (name === '' || verdict === undefined) return true
  const { state, description, link } = verdict
  const status = {
    state,
    context: name,
    description: oneLine(redact(description, deps.secrets), MAX_DESCRIPTION),
    targetUrl: redact(link, deps.secrets) || runUrlOf(context, identity.run, forge),
  }
  return await warnings.settled(commitStatusTask, async () => {
    // An earlier run may have come as far as this.
    const known =
      facts.isFirst && facts.hasSent ? [] : await forge.commitStatuses(forge.repository, sha).catch(() => [])
    const isSet = known.some(
      (one) => one.context === name && one.state === state && one.description === status.description,
    )
    if (!isSet) await forge.setCommitStatus(forge.repository, sha, status)
  })
}

/** Characters: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
const MAX_DESCRIPTION = 140
