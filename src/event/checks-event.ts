import { asArray, asId, asObject, asString, type JsonObject } from '../base/json.ts'
import { fullName, isInRepository, type PullRequestRef, pullRequestOf } from '../base/link.ts'
import type { Runner } from './trigger.ts'

// An event that may be about the checks of the agent's pull request starts a sweep. It decides only what is read: anyone can cause
// the end of a workflow.

/** What an event names: pull requests, and branches of this repository. */
export interface ChecksEvent {
  /** Such as `end of a workflow`. */
  readonly name: string
  readonly pulls: readonly PullRequestRef[]
  readonly branches: readonly string[]
}

type EventSource = Pick<Runner, 'eventName' | 'payload' | 'repository' | 'repositoryId' | 'serverUrl'>

/** @returns undefined for an event that names no one pull request, such as the schedule */
export function readChecksEvent(runner: EventSource): ChecksEvent | undefined {
  const { eventName, payload, repository, repositoryId, serverUrl } = runner
  const isHere = (named: unknown): boolean => {
    const { id, full_name } = asObject(named)
    if (repositoryId > 0 && asId(id) !== undefined) return asId(id) === repositoryId
    return asString(full_name).toLowerCase() === fullName(repository).toLowerCase()
  }
  /** Of a head in this repository, into this repository. */
  const pullsIn = (about: JsonObject): readonly PullRequestRef[] =>
    asArray(about.pull_requests).flatMap((one) => {
      const { number, head, base } = asObject(one)
      const areHere = isHere(asObject(head).repo) && isHere(asObject(base).repo)
      const known = asId(number)
      return areHere && known !== undefined ? { ...repository, number: known } : []
    })
  switch (eventName) {
    case 'workflow_run': {
      const run = asObject(payload.workflow_run)
      const pulls = isHere(run.head_repository) ? pullsIn(run) : []
      return { name: 'end of a workflow', pulls, branches: [] }
    }
    case 'check_suite':
      return { name: 'check suite', pulls: pullsIn(asObject(payload.check_suite)), branches: [] }
    case 'status': {
      const branches = asArray(payload.branches).flatMap((one) => {
        const { name, commit } = asObject(one)
        const sha = asString(asObject(commit).sha)
        return sha !== '' && sha === asString(payload.sha) ? asString(name) || [] : []
      })
      return { name: 'commit status', pulls: [], branches }
    }
    case 'repository_dispatch': {
      const link = asString(asObject(payload.client_payload)['pull-request'])
      const pull = pullRequestOf(link, serverUrl)
      return { name: 'dispatch', pulls: pull === undefined ? [] : [pull], branches: [] }
    }
    default:
      return undefined
  }
}

/** What a record knows of a pull request of the agent. */
interface KnownPullRequest {
  /** '' for none. */
  readonly link: string
  /** Its branch; '' where it is not read. */
  readonly branch: string
}

/** Whether an event is about the pull request. */
export function isAboutPullRequest(
  { pulls, branches }: ChecksEvent,
  { link, branch }: KnownPullRequest,
  { repository, serverUrl }: Pick<Runner, 'repository' | 'serverUrl'>,
): boolean {
  const known = pullRequestOf(link, serverUrl)
  if (known === undefined) return false
  if (pulls.some((pull) => pull.number === known.number && isInRepository(pull, known))) return true
  return branch !== '' && isInRepository(repository, known) && branches.includes(branch)
}
