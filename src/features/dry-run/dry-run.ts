// Off without `dry-run`.

import { isJobNotFound } from '../../agent/agent-client.ts'
import { GitHubError, isGone } from '../../base/errors.ts'
import { isPullRequestEvent, needsPermission } from '../../event/gate.ts'
import type { CheckRun } from '../../github/answers.ts'
import type { GitHub } from '../../github/github.ts'
import { isReadTimeout } from '../../http/retry.ts'
import { ServiceError } from '../../http/service.ts'
import { memoryKeyFault, readInputs } from '../../inputs/inputs.ts'
import type { Task } from '../../prompt/task.ts'
import { ending } from '../../record/outcome.ts'
import type { RunEnding } from '../../record/report.ts'
import { endingAfter } from '../../thread/ending-after.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { tokenKind, tryDocs } from './docs-repository.ts'
import { type SetupCheckName, type SetupResult, setupSection } from './setup-table.ts'
import { tryWorkflowNames } from './workflow-names.ts'

/** GitHub answers a token without the permission as if there were no repository, or no files. */
const withoutNames = (error: unknown): SetupResult =>
  error instanceof GitHubError && error.httpStatus >= 500
    ? { error, doing: 'read the workflow files' }
    : 'unproven'

type Results = Partial<Record<SetupCheckName, SetupResult>>
type Reads = Partial<Record<SetupCheckName, () => Promise<unknown>>>

/**
 * In place of the first write: finds out what the event and the inputs of a run need. That is the key, each read, and the eyes on
 * the comment, which the end of the run replaces. What only a trace for good or credits would prove stays unproven.
 */
export async function reportDryRun(session: Session, run: Run, task: Task): Promise<RunEnding> {
  const { deps } = session
  const results: Results = { ...unprovenOf(session, run) }
  const fault = memoryKeyFault(task.inputs, task.trigger)
  if (fault !== undefined) results.memory = { fault: fault.message }
  if (needsPermission(task.trigger) && task.inputs.minPermission !== 'none') results.permission = 'works'
  const reads = Object.entries(readsOf(session, run.thread?.number, task)) as [SetupCheckName, SetupRead][]
  const token = await tokenKind(session.github)
  const docs = { link: run.facts.job?.prLink ?? '', withChecks: task.inputs.fixAttempts > 0, token }
  const { wait, fixAttempts } = task.inputs
  const leavesChecks = !wait && fixAttempts > 0
  const [key, elsewhere, workflows] = await Promise.all([
    tryKey(session, task.deadline).catch((error: unknown) => endingAfter(deps, error)),
    tryDocs(session, docs).catch((error: unknown) => ({ error })),
    leavesChecks ? tryWorkflowNames(session.github).catch(withoutNames) : undefined,
    ...reads.map(async ([name, read]) => {
      results[name] = await read().then(
        (answer) => (answer === UNPROVEN ? 'unproven' : 'works'),
        (error: unknown) => ({ error }),
      )
    }),
  ])
  if (typeof key === 'object' && 'outcome' in key) return key
  const [, kind] = /^(issue|review):/.exec(run.identity.comment) ?? []
  const { error } = (await run.eyes) ?? {}
  if (kind !== undefined)
    results[`${kind as 'issue' | 'review'}-reaction`] = error === undefined ? 'works' : { error }
  if (elsewhere !== undefined) results.docs = elsewhere
  if (workflows !== undefined) results.workflows = workflows
  const all = { ...results, key }
  // The comment that the run has written proves that comments can be written.
  const setup = (commentUrl: string, failure: unknown) => {
    if (all.comment === undefined || (failure === undefined && commentUrl === ''))
      return setupSection(all, token)
    return setupSection({ ...all, comment: failure === undefined ? 'works' : { error: failure } }, token)
  }
  return { ...ending('skipped', 'dry-run'), setup }
}

type SetupRead = () => Promise<unknown>

/** @throws where the service does not take the key, or the run is cancelled */
async function tryKey({ client }: Session, deadline: number): Promise<SetupResult> {
  try {
    const answer = await client.tryKey(deadline)
    if (!isReadTimeout(answer)) return 'works'
    return answer.failed === undefined ? 'unproven' : { why: answer.failed.message }
  } catch (error) {
    if (isJobNotFound(error)) return 'works'
    if (!(error instanceof ServiceError) || ['unauthorized', 'forbidden'].includes(error.reason)) throw error
    return { why: error.message }
  }
}

/** What a dry run can read in advance, for what a run will need. */
function readsOf({ github, runner }: Session, thread: number | undefined, { inputs, trigger }: Task): Reads {
  const { repository } = github
  const { branch } = runner
  const { subject, push } = trigger
  const reads: Reads = {}
  let reading: Promise<readonly CheckRun[]> | undefined
  const runs = () => {
    reading ??= github.checkRuns(repository, branch)
    return reading
  }
  if (thread !== undefined) reads.thread = () => github.listComments(thread)
  if (push !== undefined || inputs.changesSince !== undefined) reads.merged = () => github.mergedInto(branch)
  // They tell the agent's own pull requests from those of people.
  if (reads.merged !== undefined || isPullRequestEvent(trigger))
    reads['repository-comments'] = () => github.recentComments()
  if (push?.change === 'updated') reads.comparison = () => github.compare(push.before, push.after)
  if (subject?.isPullRequest === true) {
    const { number } = subject
    reads.pull = () => github.pullRequest({ ...repository, number })
    reads.files = () => github.pullRequestFiles(number, 1)
  }
  if (inputs.fixAttempts > 0 && branch !== '')
    reads.checks = () => Promise.all([runs(), github.commitStatuses(repository, branch)])
  const sendsLogs = trigger.isPublic || inputs.checkLogs
  if (reads.checks !== undefined && sendsLogs) reads.logs = () => tryLog(github, runs)
  return reads
}

/** Asks where the log of a job of the branch is, without reading it. @returns undefined where there is no job to try that with */
async function tryLog(
  { logAddress, repository }: GitHub,
  runs: () => Promise<readonly CheckRun[]>,
): Promise<unknown> {
  const all = await runs().catch(() => [])
  const job = all.find(({ app, status }) => app === 'github-actions' && status === 'completed')
  if (job === undefined) return UNPROVEN
  return await logAddress(repository, job.id).catch((error: unknown) => {
    // It was kept for as long as the repository says.
    if (!isGone(error)) throw error
  })
}

const UNPROVEN = Symbol('unproven')

/** What leaves a trace for good, or costs credits. */
function unprovenOf({ commentMode, deps }: Session, { thread }: Run): Results {
  const { issueTitle, commitStatus, reviewers, labels } = readInputs(deps.core.getInput)
  const comments = commentMode !== 'off' && (thread !== undefined || issueTitle !== undefined)
  return {
    project: 'unproven',
    credits: 'unproven',
    ...(comments && { comment: 'unproven' }),
    ...(issueTitle !== undefined && { 'issue-title': 'unproven' }),
    ...(commitStatus !== '' && { 'commit-status': 'unproven' }),
    ...((comments || reviewers.length + labels.length > 0) && { 'pull-request': 'unproven' }),
  }
}
