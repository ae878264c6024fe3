import { isGone, isRefused } from '../errors.ts'
import { fullName, isInRepository, type PullRequestRef, type RepositoryName } from '../link.ts'
import { code, joined } from '../text.ts'
import { explainGitHub } from './explain.ts'

/** Something that the action does on GitHub and that never decides the outcome (contract 5.6). */
export interface SideTask {
  /** Completes "Could not …". */
  readonly doing: string
  /** The workflow permissions that it takes, such as `issues: write`, by `, `; '' where none gives it. */
  readonly permission: string
  /** What people lose; '' for a detail that only matters where nothing more important failed. */
  readonly consequence: string
  /** Whether the step did it later after all, so that people lose nothing. */
  readonly isMadeGood?: () => boolean
}

function task(doing: string, permission: string, consequence = ''): SideTask {
  return { doing, permission, consequence }
}

const ISSUES = 'issues: write'
const PULLS = 'pull-requests: read'

const FORGETS = 'The thread gets no answer and does not remember this request, so a re-run sends it again.'
const SHOWS_EARLIER =
  'The thread still shows an earlier comment of this request: the end of the run, a re-run or `collect` corrects it.'

export const readTask = (thread: number): SideTask =>
  task(`read the comments of #${thread}`, ISSUES, 'The run does not know whether this thread has a job.')

/**
 * @param comment what it is to people
 * @param isKnown the thread holds a record of the request already
 */
export function recordTask(
  comment: string,
  isKnown: boolean,
  error: unknown,
  isMadeGood: () => boolean,
): SideTask {
  // What GitHub did not answer it may have taken.
  const unknown = isRefused(error) ? FORGETS : ''
  const consequence = isKnown ? SHOWS_EARLIER : unknown
  return { ...task(`write the ${comment}`, ISSUES, isGone(error) ? '' : consequence), isMadeGood }
}

export const refusalTask = task('write the comment about the missing permission', ISSUES)
export const deleteTask = task('delete the comment that a newer one replaced', ISSUES)
export const updateTrackingIssueTask = task('update the tracking issue', ISSUES)
export const closeIssueTask = task('close a second tracking issue', ISSUES)
export const findIssueTask = (title: string): SideTask =>
  task(
    `find or create the issue “${title}”`,
    ISSUES,
    'The run has no thread, so its result is in the log, the summary and the outputs only.',
  )
export const reactTask = (permission: string): SideTask => task('react to the comment', permission)
export const linkTask = task('comment on the pull request', 'pull-requests: write')

export const lookUpTask = task(
  'look up the pull requests that the push merged',
  PULLS,
  'The run describes the push by its commits and has no thread.',
)
export const compareTask = task('compare the push', 'contents: read')
export const listMergedTask = task(
  'list the merged pull requests',
  PULLS,
  'The request goes out without them; a later run with `changes-since: last-run` covers them.',
)
export const reviewTask = task('read the line comments of the review', PULLS, 'The agent does not get them.')
export const filesTask = task('read the changed files', PULLS)
export const textTask = (permission: string): SideTask => task('read the rendered text', permission)
export const markdownTask = task('render a text', '')
export const annotationsTask = task('read the annotations of a check', 'checks: read')

/** @param isReadable whether the pull request itself can be read */
export function checksTask(pull: PullRequestRef, isReadable: boolean, own: RepositoryName): SideTask {
  const permission = joined(', ', isReadable ? '' : PULLS, 'checks: read, statuses: read')
  const loss = 'What fails there does not go back to the agent.'
  const elsewhere = `The pull request is in another repository, which the workflow's own token may not be able to read. ${loss}`
  const consequence = isInRepository(own, pull) ? loss : elsewhere
  return task(`read the checks of ${nameOf(pull)}`, permission, consequence)
}

const nameOf = (pull: PullRequestRef): string => `${fullName(pull)}#${pull.number}`

const BY_HAND = {
  reviewers: 'Request the review by hand, or correct `reviewers`.',
  labels: 'Add the labels by hand.',
}

/** The token of a workflow can write in its own repository only, so no line helps elsewhere. */
export function settingTask(name: keyof typeof BY_HAND, pull: PullRequestRef, own: RepositoryName): SideTask {
  const doing = `set ${code(name)} on ${nameOf(pull)}`
  const remedy = BY_HAND[name]
  if (isInRepository(own, pull)) return task(doing, 'pull-requests: write', remedy)
  const elsewhere = "The pull request is in another repository, where the workflow's own token cannot write."
  return task(doing, '', `${elsewhere} ${remedy}`)
}

export interface FailedTask {
  readonly task: SideTask
  readonly error: unknown
}

const consequenceOf = ({ consequence, isMadeGood }: SideTask): string =>
  isMadeGood?.() === true ? '' : consequence

export const explainFailed = ({ task, error }: FailedTask): string =>
  joined(' ', explainGitHub(error, task.doing, task.permission), consequenceOf(task))

/**
 * One warning a step, for the most important thing that failed, with every permission that is missing: what
 * refuses one comment refuses the others, too.
 */
export function explainAllFailed(failed: readonly FailedTask[]): string {
  const main = failed.find(({ task }) => consequenceOf(task) !== '') ?? failed[0]
  if (main === undefined) return ''
  // GitHub answers 404 as well where a permission is missing, but 401 only to a bad token.
  const refused = failed.filter(({ error }) => isRefused(error, 403, 404)).map(({ task }) => task.permission)
  const others = [...new Set(refused)].filter((one) => one !== '' && one !== main.task.permission)
  const lacking = others.length === 0 ? '' : `Other steps may lack ${others.join(' and ')}.`
  return joined(' ', explainFailed(main), lacking, 'The run goes on.')
}
