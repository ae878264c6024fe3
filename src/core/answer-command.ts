import { ifKnown } from '../agent/agent-client.ts'
import type { AnsweredCommand } from '../event/command.ts'
import { runUrlOf } from '../event/trigger.ts'
import { withoutInvisible } from '../invisible.ts'
import type { Task } from '../prompt/task.ts'
import { redact } from '../redact.ts'
import { joined, oneLine } from '../text.ts'
import { skipComment, skipSentence } from '../words/comments.ts'
import { cannotStop, describeLast, noLastRequest, UNREAD_LAST } from '../words/last-request.ts'
import { CAUSES, endingAfter, inDoubt, skipsPullRequests, unreadStatus } from '../words/notes.ts'
import { aboutHead } from './code.ts'
import { writeComment } from './comment.ts'
import { reread } from './job.ts'
import { ending, type Reason } from './outcome.ts'
import { acknowledge } from './reactions.ts'
import type { RunEnd } from './report.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'
import { close } from './states.ts'

/** Answers a command that asks the agent nothing. */
export async function answerCommand(
  session: Session,
  request: Request,
  task: Task,
  command: AnsweredCommand,
): Promise<RunEnd> {
  if (command.kind === 'status') return await answerStatus(session, request, task)
  if (command.kind === 'skip') return await skipDocs(session, request, task, command.why)
  if (command.kind === 'again') return ending('skipped', 'help', lastRequestOf(session, request))
  if (command.kind === 'cancel') return ending('skipped', 'help', cannotStop(task.inputs.command))
  return ending('skipped', 'help')
}

/** Commands that asked for something: what only answered tells nothing of the agent. */
const ANSWERS_ALONE: readonly Reason[] = ['help', 'status', 'docs-skipped', 'dry-run']

/** `/docs retry` and the like start nothing: the answer leads to the run that can. */
function lastRequestOf({ context, github }: Session, request: Request): string {
  const { command } = request.identity
  const records = request.records()
  if (records === undefined) return UNREAD_LAST
  const last = records.others.find(
    ({ record }) => !(record.state === 'closed' && ANSWERS_ALONE.includes(record.ending.reason)),
  )
  if (last === undefined) return noLastRequest(command)
  const { record, updatedAt } = last
  const runUrl = runUrlOf(context, record.run)
  return describeLast({ record, updatedAt, runUrl, now: github.clock(), command })
}

/** `/docs status`: reads the thread's job once. */
async function answerStatus(session: Session, request: Request, { inputs, deadline }: Task): Promise<RunEnd> {
  const { deps, client, github } = session
  const status = (message = '') => ending('skipped', 'status', message)
  const { thread } = request
  const records = request.records()
  if (records === undefined) return status(unreadStatus(thread?.refusal))
  const { job: known, doubts } = records.known
  const doubt = inDoubt(doubts.map(({ record }) => record))
  if (known === undefined || inputs.dryRun) return { ...status(doubt), job: known }
  if (deps.monotonic() >= deadline) return { ...ending('timed-out'), job: known }
  request.eyesReaction = acknowledge(session, request.identity.comment)
  try {
    const read = await ifKnown(client.readOnce(known, { deadline }))
    if (read === undefined) return status(joined(' ', CAUSES.goneStatus, doubt))
    const job = reread(known, read)
    request.seen = { id: job.id, job, at: github.clock(), log: thread?.log ?? [] }
    return { ...status(doubt), job }
  } catch (error) {
    return { ...endingAfter(deps, error), job: known }
  }
}

/** Characters of a reason: one sentence, in a comment, a record and a commit status. */
const MAX_WHY = 120

/**
 * `/docs skip`: a person says that the changes of a pull request need no documentation. The thread knows it until somebody asks
 * again; the agent is asked nothing.
 */
async function skipDocs(session: Session, request: Request, task: Task, reason: string): Promise<RunEnd> {
  const { inputs, trigger } = task
  const { thread, identity } = request
  if (trigger.subject?.isPullRequest !== true || thread === undefined)
    return ending('skipped', 'help', skipsPullRequests(inputs.command))
  if (inputs.dryRun) return ending('skipped', 'dry-run')
  const why = oneLine(withoutInvisible(redact(reason, session.deps.secrets)), MAX_WHY)
  const { requestedBy } = identity
  const said = { requestedBy, why }
  if (inputs.commitStatus !== '') {
    const pull = await session.warnings.warnIfRefused('head', () =>
      session.github.pullRequest({ ...session.github.repository, number: thread.number }),
    )
    // It holds for the status also where its head cannot be read.
    request.updateIdentity({ commitStatus: { name: inputs.commitStatus, sha: '' } })
    // It is about whatever the pull request changes.
    const code = { pull, digest: '' }
    request.updateIdentity(await aboutHead(session, identity, inputs.commitStatus, code, request.known.job))
  }
  const end = ending('skipped', 'docs-skipped', skipSentence(said))
  // The status leads to the comment, so that comes first.
  request.become(close(request.in('idle'), end, why))
  const words = skipComment(said, inputs.command, inputs.commitStatus !== '')
  await writeComment(session, request, 'result', joined('\n', words, session.warnings.leftOut))
  if (request.commentUrl !== '') return end
  return { ...end, message: joined(' ', end.message, CAUSES.skipForgotten) }
}
