import { GitHubError } from '../errors.ts'
import { unlistedBot } from '../event/gate.ts'
import { botVerdict, NONE_IN_PATHS } from '../messages/commit-verdict.ts'
import { notListed } from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { Task } from '../prompt/task.ts'
import { ending } from '../request/outcome.ts'
import { changesKey } from '../request/request-key.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { readThread } from '../thread/thread.ts'
import { sayClosed } from './closed.ts'
import { aboutHead, readCode } from './code.ts'
import { setStatus, verdictOfChanges } from './status.ts'

/** A `pull_request` event of a bot asks nothing: known changes keep their verdict, and others wait for a person. */
export async function followBot(session: Session, request: Request, task: Task): Promise<RunEnd> {
  const { inputs, trigger } = task
  try {
    if ((await readThread(session, request.thread)) !== undefined) request.thread = undefined
    if (trigger.action === 'closed') await sayClosed(session, request, task)
    else if (!inputs.dryRun) await keepStatus(session, request, task)
  } catch (error) {
    // What GitHub does not answer changes nothing of how the run ends.
    if (!(error instanceof GitHubError)) throw error
    session.warnings.add('head', error)
  }
  const { login } = unlistedBot(inputs, [trigger.sender, ...trigger.authors]) ?? {}
  return { ending: ending('skipped', 'bot', login && notListed(login)) }
}

async function keepStatus(session: Session, request: Request, task: Task): Promise<void> {
  const { inputs, trigger, origin, distinct } = task
  const { reading, thread } = request
  if (reading === undefined || thread === undefined) return
  const { code: known, skip, job } = reading.memory.latest
  const isKept = known.some(({ step }) => step === request.identity.head.step)
  if (!isKept && skip === undefined) return
  const code = await readCode(session, thread.number, task)
  if (code === undefined) return
  request.updateIdentity(await aboutHead(session, request.identity, inputs.commitStatus, code, job))
  if (code.digest !== '')
    request.updateIdentity({ key: changesKey(origin, distinct, thread.number, code.digest) })
  request.becomeLatest()
  const isPush = trigger.action === 'synchronize'
  const ofPush = code.isInPaths ? botVerdict(trigger.sender?.login ?? '', inputs.command) : NONE_IN_PATHS
  const undecided = isPush ? ofPush : undefined
  const verdict = verdictOfChanges(request.reading ?? reading, request.identity) ?? undecided
  if (verdict !== undefined) await setStatus(session, request, verdict)
}
