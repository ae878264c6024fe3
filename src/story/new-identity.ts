import { isPullRequestEvent, requesterOf } from '../event/gate.ts'
import { type Runner, runName, type Trigger } from '../event/trigger.ts'
import type { Inputs } from '../inputs/inputs.ts'
import { textOfPaths } from '../inputs/paths.ts'
import type { Section } from '../prompt/parts.ts'
import type { Task } from '../prompt/task.ts'
import type { RequestIdentity } from '../record/record.ts'
import {
  digestOfAttempts,
  digestOfRequest,
  digestOfWorkflowStep,
  type RequestSource,
} from '../record/request-identity.ts'
import { commentRef } from '../thread/asking-comment.ts'

export function sourceOf(
  { access, matrixIndex }: Inputs,
  { runId, workflow, workflowJob, stepId }: Runner,
  { comment }: Trigger,
): RequestSource {
  const asked = comment === undefined ? '' : `${comment.kind}:${comment.id}`
  return { runId, workflow, workflowJob, matrixIndex, stepId, projectId: access.projectId, comment: asked }
}

/** Two calls of one reusable workflow, or two jobs of a matrix, can differ by nothing else. */
export const distinguishingIn = (
  inputs: Inputs,
  text: string,
  references: readonly Section[],
): readonly unknown[] => [
  text,
  references,
  inputs.guidelines,
  inputs.context,
  inputs.jobId,
  inputs.conversation,
  inputs.issueNumber,
  inputs.issueTitle,
  inputs.changesSince,
  inputs.mergedLabels,
  inputs.reviewers,
  inputs.labels,
  inputs.commitStatus,
]

/** Of a request that no attempt asked before. @param requestedAt in ms since the epoch */
export function newIdentity(
  { inputs, trigger, source, distinguishing }: Pick<Task, 'inputs' | 'trigger' | 'source' | 'distinguishing'>,
  runner: Runner,
  requestedAt: number,
): RequestIdentity {
  const { fixAttempts, dailyLimit, minPermission, checkLogs, prompt, promptFile, referenceFiles } = inputs
  const isOfChanges = isPullRequestEvent(trigger)
  const paths = textOfPaths(inputs.paths)
  const requestedBy = requesterOf(trigger)
  return {
    // Two calls that differ only in `paths` are two requests; about the same changes, their digests tell.
    requestDigest: digestOfRequest(source, [...distinguishing, paths]),
    attemptsDigest: digestOfAttempts(source),
    attempt: runName(runner),
    requestedAt,
    requestedBy,
    command: inputs.command,
    comment: commentRef(trigger.comment),
    settings: {
      reviewers: [...inputs.reviewers],
      labels: [...inputs.labels],
      fixAttempts,
      dailyLimit: dailyLimit ?? 0,
      // What an event brings, or a bot asks, goes on as its workflow was allowed to.
      ...(trigger.comment !== undefined && requestedBy !== '' && { minPermission }),
      checkLogs,
    },
    commitStatus: { name: '', sha: '' },
    head: {
      sha: isOfChanges ? (trigger.subject?.headSha ?? '') : '',
      digest: '',
      workflowStep: isOfChanges
        ? digestOfWorkflowStep(source, [
            prompt,
            promptFile,
            referenceFiles,
            ...distinguishingIn(inputs, '', []),
            paths,
          ])
        : '',
    },
    paths: inputs.commitStatus === '' ? '' : paths,
    coversUntil: 0,
    merged: [],
    authors: [],
    tracking: false,
    asks: [],
    reviewersSetOn: [],
    rest: {},
  }
}
