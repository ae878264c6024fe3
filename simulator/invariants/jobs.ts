import { parseAcceptedJob } from '../../src/agent/parse-job.ts'
import {
  bodyOf,
  type History,
  isPrompt,
  livesOf,
  processedCalls,
  type Request,
  type Run,
  requestOf,
  type Sent,
  sentFor,
} from '../history.ts'
import type { Life } from '../life.ts'
import { type World, written } from '../world.ts'
import type { Invariant } from './invariant.ts'

/** A request starts one job, or sends one message, unless a comment or the log said that it may have, and ran it again. */
export const neverTwice: Invariant = {
  name: 'never-twice',
  clause: '4.3, 5.2',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined) return []
    const sent = sentFor(history, request)
    return sent.slice(1).flatMap((next, n) => {
      const before = sent[n]
      if (before === undefined || isExcused(history, request, before, next)) return []
      return [`${request.name} was sent by attempt ${before.run.attempt} and again by ${next.run.attempt}`]
    })
  },
}

const UNCERTAIN = /not known whether a job was started/
/** 5.6: GitHub did not take that note, and a warning said so. */
const NOT_NOTED = /Could not .* The run goes on\./
/** Where there is no thread, or no comments are wanted, nothing can be remembered; the run says so. */
const NO_MEMORY = /a second job may be under way/

function isExcused({ world }: History, request: Request, before: Sent, next: Sent): boolean {
  if (before.run === next.run) return false
  const between = request.runs.filter(
    ({ attempt }) => attempt >= before.run.attempt && attempt < next.run.attempt,
  )
  const said = (run: Run, what: RegExp) =>
    livesOf({ ...request, runs: [run] }).some((life) => what.test(life.log.text))
  if (between.some((run) => said(run, UNCERTAIN))) return true
  if (said(before.run, NOT_NOTED) && !isNoted(world, before)) return true
  if (NO_MEMORY.test(next.run.main.log.text)) return true
  // Who closes the tracking issue starts afresh (3.9).
  if (request.inputs['issue-title'] !== undefined && world.closedTracking.size > 0) return true
  // Who may delete or edit comments can make the thread forget; that person may also push.
  const touched = world.touched.get(request.thread ?? 0)
  return touched?.has('deleted') === true || touched?.has('edited') === true
}

/** GitHub has taken the comment that says that the request is about to be sent. */
function isNoted(world: World, { run, call }: Sent): boolean {
  const processed = processedCalls(world)
  const before = run.main.calls.slice(0, run.main.calls.indexOf(call))
  return before.some(
    (other) => other.path.includes('/comments') && bodyOf(other) !== '' && processed.has(other.id),
  )
}

/** The id of a job that a living process has heard of is in its outputs or in the thread. */
export const nothingLost: Invariant = {
  name: 'nothing-lost',
  clause: '2, 5.2',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined || life.role !== 'main') return []
    const thread = request.thread
    return jobsHeardOf(life)
      .filter((id) => {
        const shown =
          thread === undefined
            ? ''
            : written(history.world, thread)
                .map(({ body }) => body)
                .join('\n')
        return life.footprint.outputs.get('job-id') !== id && !shown.includes(id)
      })
      .map((id) => `${life.name} knew the job ${id} and left no trace of it`)
  },
}

function jobsHeardOf(life: Life): string[] {
  return life.calls.flatMap((call, n) => {
    const sends = isPrompt(call) && call.text !== undefined
    if (!sends || (call.status ?? 0) >= 300 || (call.status ?? 0) < 200) return []
    // Killed in the very step in which it got the answer, or before its first output: no process could have written it.
    const atOnce = life.fate === 'killed' && (life.killedAt === 'body' || life.killedAt === 'output')
    if (atOnce && n === life.calls.length - 1) return []
    const id = parseAcceptedJob(call.text ?? '')?.id
    return id === undefined || !hasThatId(call.path, id) ? [] : [id]
  })
}

/** The answer to a message about another job is none. */
const hasThatId = (path: string, id: string): boolean =>
  !path.endsWith('/message') || path.includes(`/${encodeURIComponent(id)}/`)
