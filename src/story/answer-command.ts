import { ifKnown } from '../agent/agent-client.ts'
import { joined } from '../base/text.ts'
import type { AnsweredCommand } from '../event/command.ts'
import { runUrlOf } from '../event/trigger.ts'
import { skipDocs } from '../features/pull-request/pull-request.ts'
import type { Task } from '../prompt/task.ts'
import { reread } from '../record/job.ts'
import { isLeased } from '../record/log.ts'
import { ending, type Reason } from '../record/outcome.ts'
import type { RunEnding } from '../record/report.ts'
import { areChecksFollowed } from '../record/states.ts'
import { acknowledge } from '../thread/asking-comment.ts'
import { endingAfter } from '../thread/ending-after.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { checksSentence } from '../words/checks-words.ts'
import {
  cannotStop,
  describeLast,
  noLastRequest,
  UNREAD_LAST,
  unverifiedLast,
} from '../words/last-request.ts'
import { CAUSES, describeInDoubt, skipOrRequest, unreadStatus, unverifiedStatus } from '../words/notes.ts'

/** Answers a command that asks the agent nothing. */
export async function answerCommand(
  session: Session,
  run: Run,
  task: Task,
  command: AnsweredCommand,
): Promise<RunEnding> {
  if (command.kind === 'status') return await answerStatus(session, run, task)
  if (command.kind === 'skip') return await skipDocs(session, run, task, command.why)
  if (command.kind === 'skip-or-request') return ending('skipped', 'help', skipOrRequest(task.inputs.command))
  if (command.kind === 'again') return ending('skipped', 'help', lastRequestOf(session, run))
  if (command.kind === 'cancel') return ending('skipped', 'help', cannotStop(task.inputs.command))
  return ending('skipped', 'help', command.kind === 'pictures' ? CAUSES.picturesAlone : '')
}

/** Commands that asked for something: what only answered tells nothing of the agent. */
const ANSWERS_ALONE: readonly Reason[] = ['help', 'status', 'docs-skipped', 'dry-run']

/** `/docs retry` and the like start nothing: the answer leads to the run that can. */
function lastRequestOf({ runner, github }: Session, run: Run): string {
  const { command } = run.identity
  const records = run.records()
  if (records === undefined) return UNREAD_LAST
  if (run.thread?.hasUnverifiedRecords) return unverifiedLast(command)
  const last = records.others.find(
    ({ record }) => !(record.state === 'closed' && ANSWERS_ALONE.includes(record.ending.reason)),
  )
  if (last === undefined) return noLastRequest(command)
  const { record, url, updatedAt } = last
  const runUrl = runUrlOf(runner, record.attempt)
  return describeLast({ record, url, updatedAt, runUrl, now: github.clock(), command })
}

/** Of the latest request whose checks no run follows, what sweeps do about them; '' for none. */
function nextLookOf({ github }: Session, run: Run): string {
  const { others = [] } = run.records() ?? {}
  const left = others.find(
    ({ record, updatedAt }) => areChecksFollowed(record) && !isLeased(record, updatedAt, github.clock()),
  )
  const checks = left?.record.state === 'ended' ? left.record.checks : undefined
  if (checks === undefined) return ''
  const { status, sentFor, isLastInDoubt } = checks
  return `${checksSentence({ status, phase: 'left', checks: [], fixes: sentFor.length, isLastInDoubt }, '')}.`
}

/** `/docs status`: reads the thread's job once. */
async function answerStatus(session: Session, run: Run, { inputs, deadline }: Task): Promise<RunEnding> {
  const { deps, client, github, runner } = session
  const status = (message = '') => ending('skipped', 'status', message)
  const { thread } = run
  const records = run.records()
  if (records === undefined) return status(unreadStatus(thread?.readError, inputs.command))
  const { job: recorded, inDoubt } = records.facts
  const asked = inDoubt.map(({ record, updatedAt }) => {
    const isSending = record.state === 'sending' && isLeased(record, updatedAt, github.clock())
    return { ...record, isSending, runUrl: runUrlOf(runner, record.attempt) }
  })
  const unverified = thread?.hasUnverifiedRecords
    ? unverifiedStatus(recorded !== undefined, inputs.command)
    : ''
  const message = joined(' ', unverified, describeInDoubt(asked), nextLookOf(session, run))
  if (recorded === undefined) return status(message)
  if (deps.monotonic() >= deadline) return { ...ending('timed-out'), job: recorded }
  acknowledge(session, run)
  try {
    const read = await ifKnown(client.readOnce(recorded, { deadline }))
    if (read === undefined) return status(joined(' ', CAUSES.goneStatus, message))
    const job = reread(recorded, read)
    const snapshot = { id: job.id, job, at: github.clock(), log: thread?.log ?? [] }
    return { ...status(message), job, snapshot }
  } catch (error) {
    return { ...endingAfter(deps, error), job: recorded }
  }
}
