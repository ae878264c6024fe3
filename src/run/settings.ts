import { isRefused } from '../errors.ts'
import { type PullRequestRef, pullRequestOf } from '../link.ts'
import { missingReviewers } from '../messages/report.ts'
import { settingTask } from '../messages/side-tasks.ts'
import { resolveReviewers } from '../request/reviewers.ts'
import { jobOf } from '../request/states.ts'
import { plainText } from '../text.ts'
import type { Session } from '../thread/session.ts'
import type { Request } from './request.ts'

const pullOf = ({ context }: Session, { state }: Request): PullRequestRef | undefined =>
  pullRequestOf(jobOf(state)?.prLink ?? '', context.serverUrl)

/** Contract 4.11. @returns whether it is done, or GitHub refuses it */
export async function addLabels(session: Session, request: Request): Promise<boolean> {
  const { warnings, forge, context } = session
  const pull = pullOf(session, request)
  if (pull === undefined) return true
  const task = settingTask('labels', pull, context.repository)
  return await warnings.settled(task, () => forge.addLabels(pull, request.identity.settings.labels))
}

/** Contract 4.11. @returns whether it is done, or GitHub refuses it */
export async function requestReviews(session: Session, request: Request): Promise<boolean> {
  const { deps, warnings, forge, context } = session
  const { settings, requestedBy } = request.identity
  const pull = pullOf(session, request)
  if (pull === undefined) return true
  const resolved = resolveReviewers(settings.reviewers, requestedBy, pull.owner)
  const missing = missingReviewers(resolved, pull.owner)
  if (missing !== '') deps.core.warning(plainText(missing))
  const { people, teams } = resolved
  const task = settingTask('reviewers', pull, context.repository)
  const ask = async (names: readonly string[]) => {
    if (names.length + teams.length > 0) await forge.requestReviews(pull, names, teams)
  }
  return await warnings.settled(task, async () => {
    await ask(people).catch(async (error: unknown) => {
      // The person who asked may be the author, who cannot review.
      const named = people.filter((name) => settings.reviewers.includes(name))
      if (!isRefused(error, 422) || named.length === people.length) throw error
      await ask(named)
    })
  })
}
