// Off where both `reviewers` and `labels` are empty.

import { pullRequestOf } from '../../base/link.ts'
import { plainText } from '../../base/text.ts'
import { AUTHORS } from '../../inputs/readers.ts'
import { namedLink } from '../../record/job.ts'
import { isJobOutcome } from '../../record/outcome.ts'
import { MOST_AUTHORS, type RequestIdentity } from '../../record/record.ts'
import type { Report } from '../../record/report.ts'
import { docsPullRequest } from '../../thread/docs-pull-request.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { settingsElsewhere } from '../../words/notes.ts'
import { requestReviews } from './request-reviews.ts'

interface Authored {
  readonly author: { readonly login: string; readonly bot: boolean } | undefined
}

/**
 * What the record remembers of those who wrote the code that the request is for, as far as `reviewers` asks for them.
 * @param pulls the newest merge first
 */
export function withAuthors(
  { reviewers }: Pick<RequestIdentity['settings'], 'reviewers'>,
  pulls: readonly Authored[],
): Pick<RequestIdentity, 'authors'> | undefined {
  if (!reviewers.includes(AUTHORS)) return undefined
  const people = pulls.flatMap(({ author }) => (author === undefined || author.bot ? [] : author.login))
  // One of them may turn out to be the author of the docs.
  return { authors: [...new Set(people)].slice(0, MOST_AUTHORS + 1) }
}

/**
 * Reviewers and labels, once a pull request is new to the thread: what people take away stays away.
 * @param isFirstAttempt no process has done any of it yet
 * @returns whether it is done, or GitHub refuses it for good
 */
export async function setReviewersAndLabels(
  session: Session,
  run: Run,
  report: Report,
  isFirstAttempt: boolean,
): Promise<boolean> {
  const { github, warnings, runner } = session
  const { identity, facts } = run
  const { labels, reviewers } = identity.settings
  const prLink = namedLink(report.job)
  if (
    prLink === '' ||
    !isJobOutcome(report.outcome) ||
    [...facts.reviewersSetOn, ...identity.reviewersSetOn].includes(prLink)
  )
    return true
  if (labels.length + reviewers.length === 0) return true
  const pull = await warnings.warnOnFailure('link', () => docsPullRequest(session, prLink))
  if (pull === undefined) return pullRequestOf(prLink, runner.serverUrl) === undefined
  const done = await Promise.all([
    reviewers.length === 0 || requestReviews(session, pull, identity, !isFirstAttempt),
    labels.length === 0 || warnings.doneOrRefused(['labels', pull], () => github.addLabels(pull, labels)),
  ])
  const isDone = done.every(Boolean)
  if (isDone) run.updateIdentity({ reviewersSetOn: [...new Set([...run.identity.reviewersSetOn, prLink])] })
  return isDone
}

/** A pull request on another server takes neither reviewers nor labels. */
export function warnOfServer({ deps, runner }: Session, { identity, job }: Run): void {
  const { reviewers, labels } = identity.settings
  const link = namedLink(job)
  if (link === '' || reviewers.length + labels.length === 0) return
  if (pullRequestOf(link, runner.serverUrl) !== undefined) return
  deps.core.warning(plainText(settingsElsewhere(link, new URL(runner.serverUrl).host)))
}
