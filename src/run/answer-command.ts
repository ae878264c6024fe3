import { ifKnown } from '../agent/agent-client.ts'
import { skipDocs } from '../docs-with-code/skip.ts'
import { CAUSES, endingAfter } from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { EventTexts } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import { reread } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { acknowledge } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'

/** Answers what asks the agent nothing. @returns undefined for what goes to the agent */
export async function answerCommand(
  session: Session,
  request: Request,
  task: Task,
  command: EventTexts['command'],
): Promise<RunEnd | undefined> {
  if (command.kind === 'status') return await answerStatus(session, request, task)
  if (command.kind === 'skip') return await skipDocs(session, request, task, command.why)
  return command.kind === 'help' ? { ending: ending('skipped', 'help') } : undefined
}

/** `/docs status`: reads the thread's job once. */
async function answerStatus(session: Session, request: Request, { inputs, deadline }: Task): Promise<RunEnd> {
  const { deps, client } = session
  const status = (message = '') => ending('skipped', 'status', message)
  if (request.reading === undefined) return { ending: status(CAUSES.unreadStatus) }
  const { job: known } = request.latest
  if (known === undefined || inputs.dryRun) return { ending: status(), job: known }
  if (deps.monotonic() >= deadline) return { ending: ending('timed-out'), job: known }
  request.eyesReaction = acknowledge(session, request.identity.comment)
  try {
    const read = await ifKnown(client.readOnce(known, { deadline }))
    return { ending: status(read === undefined ? CAUSES.goneStatus : ''), job: read && reread(known, read) }
  } catch (error) {
    return { ending: endingAfter(deps, error), job: known }
  }
}
