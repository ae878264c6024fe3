import { isTerminal } from '../emulator/service/turn.ts'
import {
  countedFiles,
  type History,
  isAtWork,
  isPrompt,
  livesOf,
  outcomeOf,
  type Request,
  reasonOf,
  type Sent,
  sentBy,
  UNCERTAIN,
} from './history.ts'
import type { Call, Life } from './life.ts'

/** How the latest of these requests about the changes ended; '' where that cannot be told from outside. */
export function endOfLatest(history: History, asked: readonly Request[], files: readonly string[]): string {
  const { world } = history
  const sent = asked.flatMap((request) => sentBy(history, [request]))
  const skip = asked
    .filter(({ ask }) => ask.event === 'skip')
    // A re-run of a skip says it again, and is no later word.
    .flatMap(({ runs }) => runs.find(({ main }) => reasonOf(main) === 'docs-skipped')?.main.endedAt ?? [])
    .reduce((last, at) => Math.max(last, at), 0)
  // The last skip holds until somebody asks again, whatever changes come.
  if (skip > 0 && sent.every(({ at }) => at <= skip)) return hasErrorAfter(asked, skip) ? '' : 'skipped'
  const last = sent
    .filter((one) => one.files === countedFiles(one.request, files))
    .toSorted((a, b) => a.at - b.at)
    .at(-1)
  // Which request a re-run is later than, only its words tell.
  if (last === undefined || !last.isKnown || sent.some(({ run }) => run.attempt > 1)) return ''
  const { jobId, call, at, request, turn, run } = last
  // With a job of its own each, the one that people asked later may go out first, and runs of one instant have no order.
  if (sent.some((one) => one.jobId !== jobId && one.run.main.bornAt >= run.main.bornAt)) return ''
  const job = world.emulator.service.job(jobId)
  const isLater = world.messages.some((one) => one.jobId === jobId && one.call !== call && one.at >= at)
  if (job === undefined || isLater || hasErrorAfter(asked, at)) return ''
  // Where reads lag and fail besides, they show the end of the turn before for longer than a run waits.
  const isUnreadable = (turn.staleReads ?? 0) > 0 && turn.notFound !== undefined
  if (isAtWork(world, jobId)) return isUnreadable ? '' : 'at work'
  // With checks to follow, these decide. An end that only an answer had, or that people changed, cannot be read later.
  const isWatched = Number(request.inputs['fix-attempts'] ?? 0) > 0 && job.prLink !== ''
  return job.status !== endingOf(last) || (job.status === 'completed' && isWatched) ? '' : job.status
}

/** A later one was refused, or cut off before it went out, or lost once its comment said that it goes out. */
const hasErrorAfter = (asked: readonly Request[], at: number): boolean =>
  asked
    .flatMap(livesOf)
    .filter((life) => life.endedAt > at)
    .some(
      (life) =>
        /^(error|cancelled)$/.test(outcomeOf(life)) || UNCERTAIN.test(life.log.text) || isLostUnsent(life),
    )

const writesComment = ({ method, path }: Call): boolean => method === 'POST' && path.endsWith('/comments')

const isLostUnsent = ({ killedAt, calls }: Life): boolean =>
  killedAt !== undefined && !calls.some(isPrompt) && calls.some(writesComment)

/** An answer that says the end is the end, unless reads are stale: then it may be that of the turn before a message. */
function endingOf({ call, turn }: Sent): string {
  const { ending = 'completed', answerStatus = '', staleReads = 0 } = turn
  const isFirst = call.path.endsWith('/job')
  return isTerminal(answerStatus) && (isFirst || staleReads === 0) ? answerStatus : ending
}
