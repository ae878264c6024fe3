import { isRefused } from '../errors.ts'
import { fullName } from '../event/run-context.ts'
import { isInRepository, type PullRequestRef, pullRequestOf } from '../link.ts'
import { explainGitHub } from '../messages/explain.ts'
import { missingReviewers, pullRequestLink } from '../messages/report.ts'
import type { SideTask } from '../messages/side-tasks.ts'
import type { RequestIdentity } from '../request/record.ts'
import { type Reviewers, resolveReviewers } from '../request/reviewers.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { code, plainText } from '../text.ts'

/** Sets `reviewers` and `labels` on the agent's pull request (contract 4.11). */
export async function setReviewersAndLabels(request: AgentRequest, prLink: string): Promise<void> {
  const { identity, session } = request
  const { context, deps, forge, warnings } = session
  const { labels, reviewers: asked } = identity.settings
  if (prLink === '' || asked.length + labels.length === 0) return
  const pull = pullRequestOf(prLink, context.serverUrl)
  if (pull === undefined) {
    const where = `${pullRequestLink(prLink)} is not on ${new URL(context.serverUrl).host}`
    deps.core.warning(
      plainText(`Could not set \`reviewers\` and \`labels\`: ${where}. Set them there by hand.`),
    )
    return
  }
  const resolved = resolveReviewers(asked, identity.requestedBy, pull.owner)
  const missing = missingReviewers(resolved, pull.owner)
  if (missing !== '') deps.core.warning(plainText(missing))
  const labelling = taskOf(request, pull, 'labels', 'Add the labels by hand.')
  await Promise.all([
    requestReviews(request, pull, resolved),
    labels.length > 0 && warnings.warnOnFailure(labelling, () => forge.addLabels(pull, labels)),
  ])
}

/** GitHub takes all reviewers or none. Where it refuses, each is asked on its own, so that the others get the request. */
async function requestReviews(
  request: AgentRequest,
  pull: PullRequestRef,
  { people, teams }: Reviewers,
): Promise<void> {
  const { identity, session } = request
  const { deps, forge, warnings } = session
  const each = [
    ...people.map((name) => ({ name, people: [name], teams: [] })),
    ...teams.map((name) => ({ name, people: [], teams: [name] })),
  ]
  if (each.length === 0) return
  const task = taskOf(request, pull, 'reviewers', 'Request the review by hand, or correct `reviewers`.')
  await warnings.warnOnFailure(task, async () => {
    try {
      await forge.requestReviews(pull, people, teams)
    } catch (error) {
      if (!isRefused(error, 422)) throw error
      const askAlone = async (one: (typeof each)[number]) => {
        const asking =
          each.length === 1 ? Promise.reject(error) : forge.requestReviews(pull, one.people, one.teams)
        return { name: one.name, cause: await asking.catch((reason: unknown) => reason) }
      }
      const answers = await Promise.all(each.map(askAlone))
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
const isOwnPullRequest = (
  error: unknown,
  name: string,
  { settings, requestedBy }: RequestIdentity,
): boolean =>
  name === requestedBy &&
  settings.reviewers.includes('requester') &&
  isRefused(error, 422) &&
  /author/i.test(String((error as Error).message))

/** The token of a workflow can write in its own repository only, so no line helps elsewhere. */
function taskOf(
  { session }: AgentRequest,
  pull: PullRequestRef,
  input: string,
  consequence: string,
): SideTask {
  const isOwn = isInRepository(session.context.repository, pull)
  return {
    doing: `set ${code(input)} on ${fullName(pull)}#${pull.number}`,
    permission: isOwn ? 'pull-requests: write' : '',
    consequence: isOwn
      ? consequence
      : `The pull request is in another repository, where the workflow's own token cannot write. ${consequence}`,
  }
}
