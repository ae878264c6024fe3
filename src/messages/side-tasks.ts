import { fullName, isInRepository, type PullRequestRef, type RepositoryName } from '../link.ts'
import { code, joined } from '../text.ts'
import { explainGitHub } from './explain.ts'

/** Something that the action does on GitHub and that never decides the outcome (contract 5.6). */
export interface SideTask {
  /** Completes "Could not …". */
  readonly doing: string
  /** The workflow permissions that it takes, such as `issues: write`, by `, `; '' where none gives it. */
  readonly permission: string
}

const task = (doing: string, permission: string): SideTask => ({ doing, permission })

const ISSUES = 'issues: write'
const PULLS = 'pull-requests: read'

export const readTask = (thread: number): SideTask => task(`read the comments of #${thread}`, ISSUES)
/** @param comment what it is to people */
export const writeTask = (comment: string): SideTask => task(`write the ${comment}`, ISSUES)
export const deleteTask = task('delete the comment that a newer one replaced', ISSUES)
export const updateTrackingIssueTask = task('update the tracking issue', ISSUES)
export const closeIssueTask = task('close a second tracking issue', ISSUES)
export const findIssueTask = (title: string): SideTask => task(`find or create the issue “${title}”`, ISSUES)
export const reactTask = (permission: string): SideTask => task('react to the comment', permission)
export const commitStatusTask = task('set the commit status', 'statuses: write')
export const headTask = task('read the head of the pull request for the commit status', 'pull-requests: read')
export const endTask = task(
  'say on the pull request of the docs that the code’s one is closed',
  'pull-requests: write',
)
export const linkTask = task('comment on the pull request', 'pull-requests: write')

export const lookUpTask = task('look up the pull requests that the push merged', PULLS)
export const compareTask = task('compare the push', 'contents: read')
export const listMergedTask = task('list the merged pull requests', PULLS)
export const reviewTask = task('read the line comments of the review', PULLS)
export const filesTask = task('read the changed files', PULLS)
export const textTask = (permission: string): SideTask => task('read the rendered text', permission)
export const markdownTask = task('render a text', '')
export const annotationsTask = task('read the annotations of a check', 'checks: read')

/** @param isReadable whether the pull request itself can be read */
export const checksTask = (pull: PullRequestRef, isReadable: boolean, own: RepositoryName): SideTask =>
  task(
    `read the checks of ${nameOf(pull, own)}`,
    joined(', ', isReadable ? '' : PULLS, 'checks: read, statuses: read'),
  )

/** The token of a workflow can write in its own repository only, so no line helps elsewhere. */
export const settingTask = (
  name: 'reviewers' | 'labels',
  pull: PullRequestRef,
  own: RepositoryName,
): SideTask =>
  task(`set ${code(name)} on ${nameOf(pull, own)}`, isInRepository(own, pull) ? 'pull-requests: write' : '')

const nameOf = (pull: PullRequestRef, own: RepositoryName): string =>
  `${fullName(pull)}#${pull.number}${isInRepository(own, pull) ? '' : ' in another repository'}`

/** What is true of the thread at the end of a step in which GitHub did not do all (contract 5.6). */
export const THREAD_NOW = {
  none: 'The run has no thread: its result is in the log, the summary and the outputs only.',
  unknown: 'The run does not know what this thread remembers.',
  forgets: 'The thread does not remember this request, so a re-run sends it again.',
  showsEarlier:
    'The thread still shows an earlier state of this request: a re-run or `collect` corrects it, if the end of this run does not.',
  isOpen: 'A re-run or `collect` tries again, if the end of this run does not.',
} as const

export interface FailedTask {
  readonly task: SideTask
  readonly error: unknown
}

export const explainFailed = ({ task: { doing, permission }, error }: FailedTask): string =>
  explainGitHub(error, doing, permission)

/** So many tasks and causes are named; the debug log has all. */
const MOST = 4
const LIST = new Intl.ListFormat('en')

/**
 * One warning a step: for each cause what could not be done, why, and which lines to add, because what refuses one
 * comment refuses the others, too.
 * @param now what is true of the thread, one of `THREAD_NOW`
 */
export function explainAllFailed(failed: readonly FailedTask[], now: string): string {
  const causeOf = ({ error }: FailedTask): string => explainGitHub(error, '', '')
  const sentences = [...new Set(failed.map(causeOf))].slice(0, MOST).map((cause) => {
    const group = failed.filter((one) => causeOf(one) === cause)
    const names = [...new Set(group.map(({ task }) => task.doing))]
    const more = names.length > MOST ? [`${names.length - MOST} more`] : []
    const needed = new Set(group.flatMap(({ task }) => task.permission.split(', ')).filter(Boolean))
    const isImplied = (one: string) => one.endsWith(': read') && needed.has(one.replace(/read$/, 'write'))
    const permissions = [...needed].filter((one) => !isImplied(one)).join(', ')
    const doing = LIST.format([...names.slice(0, MOST), ...more])
    return explainFailed({ task: task(doing, permissions), error: group[0]?.error })
  })
  return joined(' ', ...sentences, now)
}
