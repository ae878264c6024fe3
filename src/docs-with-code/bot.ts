import { ForgeError } from '../errors.ts'
import { unlistedBot } from '../event/gate.ts'
import { botVerdict } from '../messages/commit-verdict.ts'
import { notListed } from '../messages/notes.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import { ending } from '../request/outcome.ts'
import { type Answer, answer } from '../thread/answer.ts'
import { readThread } from '../thread/read-thread.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { carryStatus, claimHead, pullRequestOfThread, setStatus } from './commit-status.ts'
import { digestChanges, rememberChanges } from './digest.ts'
import { tellOfEnd } from './end.ts'
import { decisionsOf, verdictBefore } from './verdict.ts'

/**
 * A `pull_request` event of a bot that may ask nothing does what needs no asking (contract 3.4). In a thread that is
 * kept in step, the status goes to the new head if the changes are the same; for other changes, it says who decides.
 * `closed` says that the code ended. Nothing of this depends on what the bot says, and the agent is asked nothing.
 */
export async function followBot(session: Session, request: Request, asked: PromptSource): Promise<Answer> {
  const { inputs, trigger } = asked
  try {
    if (trigger.action === 'closed') await tellOfEnd(session, request, asked)
    else if (!inputs.dryRun) await keepStatus(session, request, asked)
  } catch (error) {
    // What GitHub does not answer changes nothing of how the run ends.
    if (!(error instanceof ForgeError)) throw error
    session.warnings.add('head', error)
  }
  const { login } = unlistedBot(inputs, [trigger.sender, ...trigger.authors]) ?? {}
  return answer(ending('skipped', 'bot', login && notListed(login)))
}

async function keepStatus(session: Session, request: Request, asked: PromptSource): Promise<void> {
  const { inputs, trigger } = asked
  const { subject } = trigger
  await readThread(session, request, asked)
  if (subject === undefined || !wasAskedFor(request)) return
  const [pull, changes] = await Promise.all([
    pullRequestOfThread(session, request, asked),
    digestChanges(session, subject),
  ])
  // Another head took its place, and the event of that head decides.
  if (changes.pull !== undefined && changes.pull.headSha !== subject.headSha) return
  if (pull !== undefined) claimHead(session, request, inputs.commitStatus, pull)
  rememberChanges(request, trigger, changes, pull)
  if (verdictBefore(request) === undefined && trigger.action === 'synchronize') {
    const { login = '' } = trigger.sender ?? {}
    await setStatus(session, request, botVerdict(login, inputs.command))
    // Somebody may have decided it meanwhile, in view of the status before.
    await request.thread?.readOrWarn(session)
  }
  request.orderAfterOthers()
  await carryStatus(session, request)
}

/** A request of this step, however it ended, or a skip in force: other threads get nothing from a bot. */
function wasAskedFor({ history, identity }: Request): boolean {
  const { requests, skip } = decisionsOf(history)
  return (
    skip !== undefined ||
    requests.some(
      ({ head, state }) => state !== 'idle' && head.sha !== '' && head.step === identity.head.step,
    )
  )
}
