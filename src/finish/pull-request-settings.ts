import { isRefused } from '../errors.ts'
import { type PullRequestRef, pullRequestOf } from '../link.ts'
import { settingsElsewhere } from '../messages/notes.ts'
import { missingReviewers } from '../messages/report.ts'
import { refusedReviewers, settingTask } from '../messages/side-tasks.ts'
import type { RequestIdentity } from '../request/record.ts'
import { type Reviewers, resolveReviewers } from '../request/reviewers.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import { plainText } from '../text.ts'

/** Sets `reviewers` and `labels` on the agent's pull request (contract 4.11). */
export async function setReviewersAndLabels(request: AgentRequest, prLink: string): Promise<void> {
  const { identity, session } = request
  const { context, deps, forge, warnings } = session
  const { labels, reviewers: asked } = identity.settings
  if (prLink === '' || asked.length + labels.length === 0) return
  const pull = pullRequestOf(prLink, context.serverUrl)
  if (pull === undefined) {
    deps.core.warning(plainText(settingsElsewhere(prLink, new URL(context.serverUrl).host)))
    return
  }
  const resolved = resolveReviewers(asked, identity.requestedBy, pull.owner)
  const missing = missingReviewers(resolved, pull.owner)
  if (missing !== '') deps.core.warning(plainText(missing))
  const labelling = settingTask('labels', pull, context.repository)
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
  const { context, deps, forge, warnings } = session
  const each = [
    ...people.map((name) => ({ name, people: [name], teams: [] })),
    ...teams.map((name) => ({ name, people: [], teams: [name] })),
  ]
  if (each.length === 0) return
  const task = settingTask('reviewers', pull, context.repository)
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
        ({ name, cause }) => cause !== undefined && !isAuthor(cause, name, identity),
      )
      const [first] = refused
      if (first === undefined) return
      const names = refused.map(({ name }) => name)
      deps.core.warning(refusedReviewers(names, first.cause, task))
    }
  })
}

/** The person who asked may be the author, who cannot review. */
const isAuthor = (error: unknown, name: string, { settings, requestedBy }: RequestIdentity): boolean =>
  name === requestedBy &&
  settings.reviewers.includes('requester') &&
  isRefused(error, 422) &&
  /author/i.test(String((error as Error).message))
