import { isRefused } from '../errors.ts'
import type { PullRequest } from '../event/objects.ts'
import { type PullRequestRef, pullRequestOf } from '../link.ts'
import { missingReviewers } from '../messages/report.ts'
import { settingTask } from '../messages/side-tasks.ts'
import { AUTHORS, MOST_AUTHORS, resolveReviewers } from '../request/reviewers.ts'
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
  const { settings, requestedBy, authors: authorsOfCode } = request.identity
  const pull = pullOf(session, request)
  if (pull === undefined) return true
  const resolved = resolveReviewers(settings.reviewers, requestedBy, pull.owner)
  const missing = missingReviewers(resolved, pull.owner)
  if (missing !== '') deps.core.warning(plainText(missing))
  const { people, teams } = resolved
  const task = settingTask('reviewers', pull, context.repository)
  return await warnings.settled(task, async () => {
    const authors = authorsOfCode.length === 0 ? [] : await othersThanAuthor(session, pull, authorsOfCode)
    // Authors may not be collaborators, and the person who asked may be the author, who cannot review.
    const named = people.filter((name) => settings.reviewers.includes(name))
    const all = [[...new Set([...people, ...authors])], people, named]
    const tries = all.filter(({ length }, at) => all.findIndex((one) => one.length === length) === at)
    for (const [at, names] of tries.entries()) {
      if (names.length + teams.length === 0) return
      try {
        return await forge.requestReviews(pull, names, teams)
      } catch (error) {
        if (at === tries.length - 1 || !isRefused(error, 422)) throw error
      }
    }
  })
}

/** Without the author of the docs' pull request, who cannot review it, as far as that can be read. */
async function othersThanAuthor(
  { forge }: Session,
  pull: PullRequestRef,
  logins: readonly string[],
): Promise<readonly string[]> {
  const docs = await forge.pullRequest(pull).catch((error: unknown) => {
    if (isRefused(error)) return undefined
    throw error
  })
  return logins.filter((login) => login !== docs?.author?.login).slice(0, MOST_AUTHORS)
}

/**
 * Remembers who wrote the code that the request is for, as far as `reviewers` asks for them (contract 4.11).
 * @param pulls the newest merge first
 */
export function rememberAuthors(request: Request, pulls: readonly Pick<PullRequest, 'author'>[]): void {
  if (!request.identity.settings.reviewers.includes(AUTHORS)) return
  const people = pulls.flatMap(({ author }) => (author === undefined || author.bot ? [] : author.login))
  // One of them may turn out to be the author of the docs.
  request.amend({ authors: [...new Set(people)].slice(0, MOST_AUTHORS + 1) })
}
