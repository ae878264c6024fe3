import type { RepositoryName } from '../github/answers.ts'
import type { SideTask } from '../github/warn-on-failure.ts'
import { type PullRequestRef, pullRequestOf } from '../link.ts'
import { explainGitHub, statusOf } from '../messages/errors.ts'
import { pullRequestLink } from '../messages/report.ts'
import type { RequestIdentity } from '../request/record.ts'
import { fullName } from '../run-context.ts'
import { code, plainText } from '../text.ts'
import type { ReportTarget } from './request-run.ts'

/** Who and what the inputs name, for one request. */
interface Settings {
  readonly reviewers: readonly string[]
  /** Slugs. */
  readonly teams: readonly string[]
  readonly labels: readonly string[]
}

/** `requester` is the person who asked; where no person did, it is left out. */
export function settingsOf({
  finish,
  requestedBy,
}: Pick<RequestIdentity, 'finish' | 'requestedBy'>): Settings {
  const names = finish.reviewers.map((name) => (name === 'requester' ? requestedBy : name))
  const unique = [...new Set(names.filter(Boolean))]
  return {
    reviewers: unique.filter((name) => !name.includes('/')),
    teams: unique.filter((name) => name.includes('/')).map((name) => name.replace(/^.*\//, '')),
    labels: finish.labels,
  }
}

/** Sets `reviewers` and `labels` on the agent's pull request (contract 4.11). */
export async function setReviewersAndLabels(target: ReportTarget, prLink: string): Promise<void> {
  const { context, deps, forge, warnings, identity } = target
  const { reviewers, teams, labels } = settingsOf(identity)
  const hasReviewers = reviewers.length + teams.length > 0
  if (prLink === '' || (!hasReviewers && labels.length === 0)) return
  const pull = pullRequestOf(prLink, context.serverUrl)
  if (pull === undefined) {
    const where = `${pullRequestLink(prLink)} is not on ${new URL(context.serverUrl).host}`
    deps.core.warning(
      plainText(`Could not set \`reviewers\` and \`labels\`: ${where}. Set them there by hand.`),
    )
    return
  }
  const labelling = taskOf(target, pull, 'labels', 'Add the labels by hand.')
  await Promise.all([
    hasReviewers && requestReviews(target, pull, reviewers, teams),
    labels.length > 0 && warnings.warnOnFailure(labelling, () => forge.addLabels(pull, labels)),
  ])
}

/**
 * GitHub takes all reviewers or none. Where it refuses one of them, each is asked on its own, so that the others get
 * the request.
 */
async function requestReviews(
  target: ReportTarget,
  pull: PullRequestRef,
  reviewers: readonly string[],
  teams: readonly string[],
): Promise<void> {
  const { deps, forge, warnings, identity } = target
  const task = taskOf(target, pull, 'reviewers', 'Request the review by hand, or correct `reviewers`.')
  const request = (people: readonly string[], ofTeams: readonly string[]) =>
    forge.requestReviews(pull, people, ofTeams)
  await warnings.warnOnFailure(task, async () => {
    try {
      await request(reviewers, teams)
    } catch (error) {
      if (statusOf(error) !== 422) throw error
      const each = [
        ...reviewers.map((name) => ({ name, ask: () => request([name], []) })),
        ...teams.map((name) => ({ name, ask: () => request([], [name]) })),
      ]
      const answers = await Promise.all(
        each.map(async ({ name, ask }) => {
          const cause = each.length === 1 ? error : await ask().catch((reason: unknown) => reason)
          return { name, cause }
        }),
      )
      const refused = answers.filter(
        ({ name, cause }) => cause !== undefined && !isOwnPullRequest(cause, name, identity),
      )
      const [first] = refused
      if (first === undefined) return
      const names = refused.map(({ name }) => code(name, 60)).join(', ')
      const sentence = explainGitHub(first.cause, `request a review from ${names}`, task.permission)
      deps.core.warning(plainText(`${sentence} ${task.consequence}`))
    }
  })
}

/** The person who asked may be the author, who cannot review. */
const isOwnPullRequest = (error: unknown, name: string, { finish, requestedBy }: RequestIdentity): boolean =>
  name === requestedBy &&
  finish.reviewers.includes('requester') &&
  statusOf(error) === 422 &&
  /author/i.test(String((error as Error).message))

/** Whether the pull request is one of the repository. */
export const isIn = (repository: RepositoryName, pull: PullRequestRef): boolean =>
  fullName(pull).toLowerCase() === fullName(repository).toLowerCase()

/** The token of a workflow can write in its own repository only, so no line helps elsewhere. */
function taskOf(
  { context }: ReportTarget,
  pull: PullRequestRef,
  input: string,
  consequence: string,
): SideTask {
  const isOwn = isIn(context.repository, pull)
  return {
    doing: `set ${code(input)} on ${fullName(pull)}#${pull.number}`,
    permission: isOwn ? 'pull-requests: write' : '',
    consequence: isOwn
      ? consequence
      : `The pull request is in another repository, where the workflow's own token cannot write. ${consequence}`,
  }
}
