import { orCancelled, throwIfCancelled } from '../base/deps.ts'
import { isAnswered } from '../event/command.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { type beginConversation, readConversation, sentTo } from '../features/conversation/conversation.ts'
import { listChanges, mergedIn, readMerged } from '../features/merges/merges.ts'
import { noteChanges, readReferredDocs } from '../features/pull-request/pull-request.ts'
import { withAuthors } from '../features/reviewers-and-labels/reviewers-and-labels.ts'
import type { PushedChanges } from '../prompt/merged.ts'
import type { Part, RestOfChanges } from '../prompt/parts.ts'
import { type EventTexts, type PromptParts, readEventTexts } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import type { Job } from '../record/job.ts'
import { ending } from '../record/outcome.ts'
import type { AskResult } from '../record/report.ts'
import { isOfSameRun } from '../record/request-identity.ts'
import { jobOf } from '../record/states.ts'
import { acknowledge } from '../thread/asking-comment.ts'
import type { PullChanges } from '../thread/pull-changes.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { CAUSES } from '../words/notes.ts'
import { answerCommand } from './answer-command.ts'
import type { FoundThread } from './locate.ts'
import { planRequest, type Send } from './plan.ts'
import { sendRequest } from './send.ts'

/** What `ask` read together with the thread. */
interface Readings {
  /** What a push brought. */
  readonly pushed: PushedChanges | undefined
  /** The pull request that a status is about. */
  readonly changes: PullChanges | undefined
  /** See `AskOptions`. */
  readonly repeatsInDoubtUntil: number
  /** What the closed tracking issues of the same title covered. */
  readonly coveredByClosed?: FoundThread['coveredByClosed']
  /** The conversation of the pull request, as far as it is read already. */
  readonly discussion: ReturnType<typeof beginConversation> | undefined
}

/** Reads what the agent is to get, plans to which job it goes, and sends it. */
export async function askAgent(session: Session, run: Run, task: Task, read: Readings): Promise<AskResult> {
  acknowledge(session, run)
  const material = await readMaterial(session, run, task, read)
  if ('outcome' in material) return material
  const { texts, conversation, ofPullRequest, merges } = material
  const own = run.records()?.current?.record
  const options = {
    isFresh: texts.command.kind === 'prompt' && texts.command.fresh,
    isReRun: own !== undefined && isOfSameRun(own, run.identity),
    repeatsInDoubtUntil: read.repeatsInDoubtUntil,
  }
  const plan = await planRequest(session, run, task, options)
  if ('outcome' in plan) return plan
  // A job that goes on got them with an earlier request.
  const referredDocs =
    plan.job === undefined ? await readReferredDocs(session, task, read.pushed?.merged) : undefined
  run.updateIdentity({ referredDocs })
  const partsFor = ({ job, note }: Send) => ({
    ...texts,
    conversation: conversation(job === undefined ? [] : sentTo(run.records(), job.id)),
    ...aboutFor(session, run, task, { texts, ofPullRequest, job }),
    changes: merges?.about ?? [],
    references: task.references,
    referredDocs: job === undefined ? referredDocs : undefined,
    isEarlierInDoubt: job !== undefined && note.isEarlierInDoubt === true,
  })
  return await sendRequest(session, run, task, { plan, partsFor, ...options })
}

/** All that may go along, whichever job gets it. @returns how the run ends where nothing is to be asked */
async function readMaterial(session: Session, run: Run, task: Task, read: Readings) {
  const { deps } = session
  const { inputs, trigger } = task
  const { pushed, changes, coveredByClosed } = read
  const reading = Promise.all([
    readEventTexts(session, asOfNow(task, changes), task.text, pushed, changes && Promise.resolve(changes)),
    inputs.changesSince && listChanges(session, task, inputs.changesSince),
    readConversation(session, run.thread, task, read.discussion),
  ])
  const [texts, listing, conversation] = await orCancelled(deps.cancellation, reading)
  // The line comments of a review can turn out to be a command.
  if (isAnswered(texts.command)) return await answerCommand(session, run, task, texts.command)
  throwIfCancelled(deps.cancellation)
  const { subject } = trigger
  if (subject === undefined && pushed === undefined && lacksReferences(task))
    return ending('skipped', 'no-changes', CAUSES.emptyReferences)
  if (subject?.isPullRequest) run.updateIdentity(withAuthors(run.identity.settings, [subject]) ?? {})
  const ofPullRequest = changes && (await noteChanges(session, run, task, changes))
  const merges = listing && (await readMerged(session, run, task, { ...listing, coveredByClosed }))
  if (merges && 'outcome' in merges) return merges
  if (merges?.pulls) noteMerged(run, merges.pulls)
  return { texts, conversation, ofPullRequest, merges }
}

/** Notes the pull requests that the request is for. @param pulls in the order of their merges */
export function noteMerged(run: Run, pulls: readonly PullRequest[]): void {
  const { settings } = run.identity
  run.updateIdentity({ ...mergedIn(pulls), ...withAuthors(settings, pulls.toReversed()) })
}

/** The task about the pull request as it is now: the event may tell of an older head. */
function asOfNow(task: Task, changes: PullChanges | undefined): Task {
  const { trigger } = task
  const { subject } = trigger
  if (!isPullRequestEvent(trigger) || subject === undefined || changes?.pull === undefined) return task
  return { ...task, trigger: { ...trigger, subject: { ...subject, headSha: changes.pull.headSha } } }
}

/** The inputs ask about reference files, and these are empty. */
const lacksReferences = ({ inputs, command, references }: Task): boolean =>
  command.kind === 'input' &&
  inputs.referenceFiles.length > 0 &&
  references.length === 0 &&
  inputs.changesSince === undefined

// Changed lines of a pull request that have no room go with the next command of the thread. Records remember that there are some,
// and not their text: the command reads the same changes, chooses the same lines again, and sends others.

interface AboutSource {
  readonly texts: Pick<EventTexts, 'about' | 'followUpAbout'>
  /** What an event of a pull request brings to the job of its thread; undefined where it brings nothing of its own. */
  readonly ofPullRequest: readonly Part[] | undefined
  /** Undefined for a new one. */
  readonly job: Job | undefined
}

/** Of what triggered the run, what goes to a job, and what its record says of the lines that have no room. */
function aboutFor(
  session: Session,
  run: Run,
  task: Task,
  { texts, ofPullRequest, job }: AboutSource,
): Pick<PromptParts, 'about' | 'omittedLines'> {
  const whole = job === undefined || isPullRequestEvent(task.trigger) ? texts.about : texts.followUpAbout
  // A job that failed may have made nothing of the changes that it got, and another one has none of them.
  const isGoingOn = job !== undefined && job.status !== 'failed' && job.id === run.facts.job?.id
  const about = isGoingOn ? (ofPullRequest ?? whole) : whole
  const omitted = restIn(about)
  if (omitted !== undefined) {
    const given = canSendRestLater(session, run, task) ? about.map(withRestLater) : about
    return { about: given, omittedLines: { digest: omitted.digest, isSent: false } }
  }
  const rest = restIn(texts.about)
  const sendsRest =
    rest !== undefined && task.command.kind !== 'input' && job !== undefined && lacksRest(run, job, rest)
  return sendsRest
    ? { about: [...about, rest.part], omittedLines: { digest: rest.digest, isSent: true } }
    : { about, omittedLines: undefined }
}

const restIn = (parts: readonly Part[]): RestOfChanges | undefined =>
  parts.flatMap(({ rest }) => rest ?? [])[0]

/** The job got these very changes without the rest, and nothing more of them since. */
function lacksRest(run: Run, job: Job, { digest }: RestOfChanges): boolean {
  const { current, replaced = [], others = [] } = run.records() ?? {}
  const sent = [...(current ? [current] : []), ...replaced, ...others].flatMap(({ record }) =>
    jobOf(record)?.id === job.id && record.omittedLines?.digest === digest ? [record.omittedLines] : [],
  )
  return sent.length > 0 && sent.every(({ isSent }) => !isSent)
}

/** The next command of the thread finds the record, and is about the same pull request. */
const canSendRestLater = (session: Session, run: Run, { inputs, trigger }: Task): boolean =>
  !inputs.dryRun &&
  inputs.conversation !== 'new' &&
  trigger.subject !== undefined &&
  trigger.subject.number === run.writableThread(session)?.number

/** Says that the next command can send the rest. */
const withRestLater = (part: Part): Part =>
  part.rest === undefined
    ? part
    : {
        ...part,
        omissions: part.omissions.map((one) => (one.kind === 'changes' ? { ...one, goesOn: true } : one)),
      }
