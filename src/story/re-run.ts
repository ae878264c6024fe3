import { orCancelled } from '../base/deps.ts'
import { checkReRun, isPullRequestEvent } from '../event/gate.ts'
import type { Task } from '../prompt/task.ts'
import type { RequestComment } from '../record/fold.ts'
import { isLeased } from '../record/log.ts'
import { ending } from '../record/outcome.ts'
import type { AskResult, RunEnding } from '../record/report.ts'
import { isSameRequest } from '../record/request-identity.ts'
import { isInDoubt, withoutRunEnding } from '../record/states.ts'
import { acknowledge } from '../thread/asking-comment.ts'
import { uncertainAtReRun } from '../thread/ending-after.ts'
import { noteHead, type PullChanges } from '../thread/pull-changes.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { CAUSES, unreadPermission } from '../words/notes.ts'

// What a re-run does, by the record that the thread has of its request (`Run.resumeOrStart`, `resume`):
//
//   none                asks
//   sending             asks nothing, where nobody has said so yet: the end is `creation-uncertain`, and the next re-run asks
//   sending, in doubt   as `closed`: a sweep has said so in the thread
//   running             follows the job
//   ended               leaves it as it stands, and reads checks that did not pass again
//   ended, job failed   asks again
//   closed              asks again; in doubt, only for a person who has the permission now

/** Until when what is in doubt may be asked by this run, a person's re-run, in the order of `writtenAt`; 0 for none. */
export function repeatableInDoubtUntil({ runner, github }: Session, run: Run): number {
  const { current, others = [], facts } = run.records() ?? {}
  if (runner.runAttempt === 1 || facts === undefined) return 0
  const same = others.filter(({ record }) => isSameRequest(record, run.identity, run.thread?.number ?? 0))
  const own = [...(current ? [current] : []), ...same].filter(({ record }) => isInDoubt(record))
  const isLost = ({ record, updatedAt }: RequestComment) => !isLeased(record, updatedAt, github.clock())
  const about = current === undefined && facts.job === undefined ? facts.inDoubt.filter(isLost) : own
  return Math.max(0, ...about.map(({ record }) => record.writtenAt))
}

/**
 * Only a person who may ask now repeats what is in doubt, whoever asked first.
 * @returns how the run ends for everybody else @throws {GitHubError}
 */
export async function checkReRunner(
  { deps, github, runner }: Session,
  { inputs }: Task,
): Promise<RunEnding | undefined> {
  const checking = checkReRun(github, runner.triggeringActor, inputs.minPermission)
  const access = await orCancelled(deps.cancellation, checking)
  if (access === 'bot') return ending('skipped', 'bot', CAUSES.botReRun)
  if (access.granted) return undefined
  const { login, has, unreadable } = access
  if (unreadable !== undefined) deps.core.warning(unreadPermission(login, unreadable))
  return { ...ending('skipped', 'permission-denied'), denied: { login, has, isSilent: true } }
}

/** Goes on with what an earlier attempt, or the run of an earlier head, sent. */
export async function resume(
  session: Session,
  run: Run,
  { trigger, inputs }: Task,
  changes: PullChanges | undefined,
): Promise<AskResult> {
  // The end that the earlier run wrote, such as its time-out, no longer holds.
  const { state } = run
  if (state.state === 'running') run.setState(withoutRunEnding(state))
  run.keepForPostStep(session)
  if (state.state === 'sending') return uncertainAtReRun(state.to?.id ?? '')
  session.deps.core.info(`Job ${run.job?.id} resumed: an earlier run started it`)
  if (state.state === 'ended') return state.ending
  acknowledge(session, run)
  if (isPullRequestEvent(trigger) && changes?.digest === run.identity.head.digest)
    await noteHead(session, run, inputs.commitStatus, changes)
  return { outcome: 'accepted' }
}
