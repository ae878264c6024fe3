import type { Core } from '../core.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import { type PullRequestRef, pullRequestOf } from '../link.ts'
import { explainGitHub, statusOf } from '../messages/errors.ts'
import { pullRequestLink } from '../messages/report.ts'
import type { RequestIdentity } from '../request/record.ts'
import { fullName, type RunContext } from '../run-context.ts'
import { code, plainText } from '../text.ts'

interface SettingsTarget {
  readonly identity: RequestIdentity
  readonly forge: Forge
  readonly warnings: FailureWarnings
  readonly context: Pick<RunContext, 'serverUrl' | 'repository'>
  readonly deps: { readonly core: Pick<Core, 'warning'> }
}

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
export async function setReviewersAndLabels(target: SettingsTarget, prLink: string): Promise<void> {
  const settings = settingsOf(target.identity)
  const { reviewers, teams, labels } = settings
  if (prLink === '' || reviewers.length + teams.length + labels.length === 0) return
  const { context, deps } = target
  const pull = pullRequestOf(prLink, context.serverUrl)
  if (pull === undefined) {
    const where = `${pullRequestLink(prLink)} is not on ${new URL(context.serverUrl).host}`
    deps.core.warning(
      plainText(`Could not set \`reviewers\` and \`labels\`: ${where}. Set them there by hand.`),
    )
    return
  }
  await Promise.all([requestReviews(target, pull, settings), addLabels(target, pull, labels)])
}

async function addLabels(
  target: SettingsTarget,
  pull: PullRequestRef,
  labels: readonly string[],
): Promise<void> {
  if (labels.length === 0) return
  const task = taskOf(target, pull, 'labels', 'Add the labels by hand.')
  await target.warnings.warnOnFailure(task, () => target.forge.addLabels(pull, pull.number, labels))
}

/**
 * GitHub takes all reviewers or none. Where it refuses one of them, each is asked on its own, so that the others get
 * the request.
 */
async function requestReviews(
  target: SettingsTarget,
  pull: PullRequestRef,
  settings: Settings,
): Promise<void> {
  const { reviewers, teams } = settings
  if (reviewers.length + teams.length === 0) return
  const { forge, warnings, identity } = target
  const task = taskOf(target, pull, 'reviewers', 'Request the review by hand, or correct `reviewers`.')
  const request = (people: readonly string[], ofTeams: readonly string[]) =>
    forge.requestReviews(pull, pull.number, people, ofTeams)
  await warnings.warnOnFailure(task, async () => {
    try {
      await request(reviewers, teams)
    } catch (error) {
      if (statusOf(error) !== 422) throw error
      const each = [
        ...reviewers.map((name) => [[name], []] as const),
        ...teams.map((slug) => [[], [slug]] as const),
      ]
      const results =
        each.length === 1
          ? [{ status: 'rejected', reason: error } as const]
          : await Promise.allSettled(each.map(([people, ofTeams]) => request(people, ofTeams)))
      const refused = results.flatMap((result, at) => {
        const [people = [], ofTeams = []] = each[at] ?? []
        const name = [...people, ...ofTeams].join('')
        if (result.status === 'fulfilled' || isOwnPullRequest(result.reason, name, identity)) return []
        return [{ name, error: result.reason as unknown }]
      })
      const [first] = refused
      if (first === undefined) return
      const names = refused.map(({ name }) => code(name, 60)).join(', ')
      target.deps.core.warning(
        plainText(
          `${explainGitHub(first.error, `request a review from ${names}`, task.permission)} ${task.consequence}`,
        ),
      )
    }
  })
}

/** The person who asked may be the author, who cannot review. */
const isOwnPullRequest = (error: unknown, name: string, { finish, requestedBy }: RequestIdentity): boolean =>
  name === requestedBy &&
  finish.reviewers.includes('requester') &&
  statusOf(error) === 422 &&
  /author/i.test(String((error as Error).message))

/** The token of a workflow can write in its own repository only, so no line helps elsewhere. */
function taskOf({ context }: SettingsTarget, pull: PullRequestRef, input: string, consequence: string) {
  const isOwn = fullName(pull).toLowerCase() === fullName(context.repository).toLowerCase()
  return {
    doing: `set ${code(input)} on ${fullName(pull)}#${pull.number}`,
    permission: isOwn ? 'pull-requests: write' : '',
    consequence: isOwn
      ? consequence
      : `The pull request is in another repository, where the workflow's own token cannot write. ${consequence}`,
  }
}
