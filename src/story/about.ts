import { isPullRequestEvent } from '../event/gate.ts'
import type { Part, RestOfChanges } from '../prompt/parts.ts'
import type { EventTexts, PromptParts } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import type { Job } from '../record/job.ts'
import { jobOf } from '../record/states.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'

// Changed lines of a pull request that have no room go with the next command of the thread. Records remember that there are some,
// and not their text: the command reads the same changes, chooses the same lines again, and sends others.

interface Given {
  readonly texts: Pick<EventTexts, 'about' | 'followUpAbout'>
  /** What an event of a pull request brings to the job of its thread; undefined where it brings nothing of its own. */
  readonly ofPullRequest: readonly Part[] | undefined
  /** Undefined for a new one. */
  readonly job: Job | undefined
}

/** Of what triggered the run, what goes to a job, and what its record says of the rest. */
export function aboutFor(
  session: Session,
  run: Run,
  task: Task,
  { texts, ofPullRequest, job }: Given,
): Pick<PromptParts, 'about' | 'omittedLines'> {
  const whole = job === undefined || isPullRequestEvent(task.trigger) ? texts.about : texts.followUpAbout
  // A job that failed may have made nothing of the changes that it got, and another one has none of them.
  const isGoingOn = job !== undefined && job.status !== 'failed' && job.id === run.facts.job?.id
  const about = isGoingOn ? (ofPullRequest ?? whole) : whole
  const left = restIn(about)
  if (left !== undefined) {
    const given = canGoOn(session, run, task) ? about.map(goingOn) : about
    return { about: given, omittedLines: { digest: left.digest, isSent: false } }
  }
  const rest = restIn(texts.about)
  const goes =
    rest !== undefined && task.command.kind !== 'input' && job !== undefined && lacks(run, job, rest)
  return goes
    ? { about: [...about, rest.part], omittedLines: { digest: rest.digest, isSent: true } }
    : { about, omittedLines: undefined }
}

const restIn = (parts: readonly Part[]): RestOfChanges | undefined =>
  parts.flatMap(({ rest }) => rest ?? [])[0]

/** The job got these very changes without the rest, and nothing more of them since. */
function lacks(run: Run, job: Job, { digest }: RestOfChanges): boolean {
  const { current, replaced = [], others = [] } = run.records() ?? {}
  const sent = [...(current ? [current] : []), ...replaced, ...others].flatMap(({ record }) =>
    jobOf(record)?.id === job.id && record.omittedLines?.digest === digest ? [record.omittedLines] : [],
  )
  return sent.length > 0 && sent.every(({ isSent }) => !isSent)
}

/** The next command of the thread finds the record, and is about the same pull request. */
const canGoOn = (session: Session, run: Run, { inputs, trigger }: Task): boolean =>
  !inputs.dryRun &&
  inputs.conversation !== 'new' &&
  trigger.subject !== undefined &&
  trigger.subject.number === run.writableThread(session)?.number

const goingOn = (part: Part): Part =>
  part.rest === undefined
    ? part
    : {
        ...part,
        omissions: part.omissions.map((one) => (one.kind === 'changes' ? { ...one, goesOn: true } : one)),
      }
