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

const onIssue = (doing: string, consequence = ''): SideTask => ({
  doing,
  permission: 'issues: write',
  consequence,
})

const FORGETS = 'The thread gets no answer and does not remember this request, so a re-run sends it again.'
const SHOWS_EARLIER =
  'The thread still shows an earlier comment of this request: the end of the run, a re-run or `collect` corrects it.'

export const readTask = (thread: number): SideTask =>
  onIssue(`read the comments of #${thread}`, 'The run does not know whether this thread has a job.')

/** @param isKnown the thread holds a record of the request already */
export const recordTask = (doing: string, isKnown: boolean, isMadeGood: () => boolean): SideTask => ({
  ...onIssue(doing, isKnown ? SHOWS_EARLIER : FORGETS),
  isMadeGood,
})

export const refusalTask = onIssue('write the comment about the missing permission')
export const deleteTask = onIssue('delete the comment that a newer one replaced')
export const updateTrackingIssueTask = onIssue('update the tracking issue')
export const closeIssueTask = onIssue('close a second tracking issue')
export const findIssueTask = (title: string): SideTask =>
  onIssue(
    `find or create the issue “${title}”`,
    'The run has no thread, so its result is in the log, the summary and the outputs only.',
  )
export const reactTask = (permission: string): SideTask => ({
  doing: 'react to the comment',
  permission,
  consequence: '',
})
export const linkTask: SideTask = {
  doing: 'comment on the pull request',
  permission: 'pull-requests: write',
  consequence: '',
}
