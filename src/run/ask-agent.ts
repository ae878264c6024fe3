import { orCancelled, throwIfCancelled } from '../deps.ts'
import { aboutHead, type Code } from '../docs-with-code/code.ts'
import { describeNew } from '../docs-with-code/same-changes.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import { CAUSES } from '../messages/notes.ts'
import type { AskResult } from '../messages/phrases.ts'
import type { PushedChanges } from '../prompt/merges.ts'
import { type EventTexts, readEventTexts } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import { ending } from '../request/outcome.ts'
import type { Send } from '../request/plan.ts'
import { isOfRun, MOST_MERGED } from '../request/record.ts'
import { withAuthors } from '../request/reviewers.ts'
import { acknowledge } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { answerCommand } from './answer-command.ts'
import { listChanges, readChanges } from './changes.ts'
import { planRequest } from './plan-request.ts'
import { send } from './send.ts'

/** What was read together with the thread. */
interface Read {
  /** What a push brought. */
  readonly pushed: PushedChanges | undefined
  /** The pull request that a status is about. */
  readonly code: Code | undefined
  /** Undefined where they depend on the thread. */
  readonly texts: Promise<EventTexts> | undefined
}

/** Reads what the agent is to get, plans to which job it goes, and sends it. */
export async function askAgent(
  session: Session,
  request: Request,
  task: Task,
  read: Read,
): Promise<AskResult> {
  const { deps } = session
  const { inputs, trigger, references } = task
  const { pushed, code } = read
  const { subject } = trigger
  request.eyesReaction ??= acknowledge(session, request.identity.comment)
  // 1. The texts.
  const reading = Promise.all([
    read.texts ??
      readEventTexts(session, asOfNow(task, code), task.text, pushed, code && Promise.resolve(code)),
    inputs.changesSince && listChanges(session, task, inputs.changesSince),
  ])
  const [texts, listing] = await orCancelled(deps.cancellation, reading)
  const answered = await answerCommand(session, request, task, texts.command)
  if (answered !== undefined) return answered
  if (subject?.isPullRequest === true)
    request.updateIdentity({ ...withAuthors(request.identity.settings, [subject]) })
  throwIfCancelled(deps.cancellation)
  if (subject === undefined && pushed === undefined && lacksReferences(task))
    return { ending: ending('skipped', 'no-changes', CAUSES.emptyReferences) }
  // 2. The changes of the pull request, and those merged since an earlier request.
  const { identity, latest } = request
  if (code !== undefined && !inputs.dryRun)
    request.updateIdentity(await aboutHead(session, identity, inputs.commitStatus, code, latest.job))
  const isAboutCode = isPullRequestEvent(trigger)
  const { step } = identity.head
  const before = latest.code.find((one) => one.step === step)
  const part = isAboutCode && step !== '' && code ? await describeNew(session, before, task, code) : undefined
  const merges = listing && (await readChanges(session, request.reading, listing, task, identity.requestedAt))
  const isNothing = merges !== undefined && 'outcome' in merges
  // What readers miss is worth a request also where nothing was merged.
  if (isNothing && references === '') return { ending: merges }
  const changes = isNothing ? undefined : merges
  if (changes !== undefined) {
    const { coversUntil, pulls } = changes
    const merged = pulls && { merged: pulls.map(({ number }) => number).slice(-MOST_MERGED) }
    const authors = pulls && withAuthors(identity.settings, pulls.toReversed())
    request.updateIdentity({ coversUntil, ...merged, ...authors })
  }
  // 3. The plan.
  const own = request.reading?.own?.record
  const wish = {
    isFresh: texts.command.kind === 'prompt' && texts.command.fresh,
    isReRun: own !== undefined && isOfRun(own, identity),
  }
  const plan = await planRequest(session, request.reading, task, wish)
  if ('ending' in plan) return plan
  // 4. The request itself.
  const whole = isAboutCode ? texts.context : texts.followUpContext
  const partsFor = ({ job }: Send) => ({
    ...texts,
    // A job that failed may have made nothing of the changes that it got, so it gets all of them again.
    followUpContext: job?.status === 'failed' ? whole : (part ?? whole),
    changes: changes?.text ?? { text: '', leftOut: [] },
    references,
  })
  return await send(session, request, task, { plan, partsFor, ...wish })
}

/** The event is about the pull request as it is now. */
function asOfNow(task: Task, code: Code | undefined): Task {
  const { trigger } = task
  const { subject } = trigger
  if (!isPullRequestEvent(trigger) || subject === undefined || code?.pull === undefined) return task
  return { ...task, trigger: { ...trigger, subject: { ...subject, headSha: code.pull.headSha } } }
}

/** What it is asked for by inputs is in files that hold nothing. */
const lacksReferences = ({ inputs, command, references }: Task): boolean =>
  command.kind === 'input' &&
  inputs.referenceFiles.length > 0 &&
  references === '' &&
  inputs.changesSince === undefined
