import pLimit from 'p-limit'
import type { AgentClient } from '../agent/client.ts'
import type { Deps } from '../deps.ts'
import { type RunContext, runUrlOf } from '../event/run-context.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import type { CommentMode } from '../inputs.ts'
import { DEFAULT_POLL_MS } from '../inputs.ts'
import { foldedPromptOf } from '../messages/comments.ts'
import { namedMerges, type Report } from '../messages/report.ts'
import { replacedBy } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { ending, jobOf, type RequestEvent, transition } from '../request/lifecycle.ts'
import { identityOf, type RepositoryScope, type RequestRecord } from '../request/record.ts'
import { reportInThread, showPreview } from '../run/thread-report.ts'
import { Thread } from '../thread/thread.ts'
import { hasEnded, type OpenRequest } from './open-requests.ts'

/** What became of one open request. */
export type Collected = { readonly request: OpenRequest } & (
  | { readonly kind: 'finished'; readonly report: Report }
  | { readonly kind: 'active'; readonly job: Job }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another run took it up, or reported it, since the sweep began. */
  | { readonly kind: 'taken' }
)

/** Jobs read at a time (contract 8.1), and threads written to at a time. */
export const AT_A_TIME = 8

/** What all parts of one sweep share. */
export interface Sweep {
  readonly deps: Deps
  readonly client: AgentClient
  readonly context: RunContext
  readonly scope: RepositoryScope
  readonly forge: Forge
  readonly mode: CommentMode
  readonly secrets: readonly string[]
  readonly warnings: FailureWarnings
  /** Jobs that are known to have ended, by their ids: they are not read again. */
  readonly ended: Map<string, Job>
  /** Waited for after the last report, so that no thread waits for the preview of another. */
  readonly previews: Promise<unknown>[]
}

/** What a read tells: the job, undefined where the service no longer knows it. */
type Reading = Promise<Job | undefined>

/**
 * Reads each job once, for all the requests that it serves, and reports those that ended. A thread gets its reports in
 * the order of its requests, so that the last one is the one to continue.
 */
export async function sweep(all: Sweep, requests: readonly OpenRequest[]): Promise<readonly Collected[]> {
  const [reads, reports] = [pLimit(AT_A_TIME), pLimit(AT_A_TIME)]
  const readings = new Map<string, Reading>()
  const threads = new Map<number, { request: OpenRequest; reading: Reading }[]>()
  for (const request of requests) {
    const { thread, record } = request
    const { id } = record.job
    const reading = readings.get(id) ?? reads(() => readOnce(all, id))
    // Each request that waits for it reports why it failed, and may come to that late.
    reading.catch(() => undefined)
    readings.set(id, reading)
    threads.set(thread, [...(threads.get(thread) ?? []), { request, reading }])
  }
  const collected = await reports.map(threads.values(), async (inThread) => {
    const done: Collected[] = []
    for (const { request, reading } of inThread) done.push(await collectOne(all, request, reading))
    return done
  })
  return collected.flat()
}

/** Without a second try: what fails is left to the next sweep. */
async function readOnce({ deps, client, ended }: Sweep, jobId: string): Reading {
  const known = ended.get(jobId)
  if (known !== undefined) return known
  const answer = await client.read(jobId, undefined, deps.cancellation.requested)
  if ('job' in answer) return answer.job
  if (answer.reason === 'job-not-found') return undefined
  throw answer
}

/** One job's trouble does not stop the others (contract 8.3). */
async function collectOne(all: Sweep, request: OpenRequest, reading: Reading): Promise<Collected> {
  try {
    const job = await reading
    if (job !== undefined && !hasEnded(job, request, all.deps.now())) return { kind: 'active', request, job }
    return await finish(all, request, job)
  } catch (error) {
    return { kind: 'failed', request, error }
  }
}

async function finish(all: Sweep, request: OpenRequest, job: Job | undefined): Promise<Collected> {
  const { deps, context, forge, mode, previews } = all
  const { thread: number, record } = request
  const thread = openThread(all, request)
  // Right before the report the record is read again (contract 8.2): another run may have been faster.
  const history = await thread.read()
  if (history === undefined) throw new Error(`The thread #${number} could not be read.`)
  const { own } = history
  if (own?.record.writtenAt !== record.writtenAt) return { kind: 'taken', request }
  const { command, requestedAt, requestedBy, messagedAt } = record
  const event: RequestEvent =
    job === undefined
      ? { type: 'failed', reason: 'job-not-found', message: goneMessage(command) }
      : { type: 'ended', job }
  const { state, ending: end = ending('error', 'internal') } = transition(record, event)
  const report: Report = {
    ...end,
    job: jobOf(state),
    jobAction: messagedAt === 0 ? 'created' : 'continued',
    followUp: messagedAt > 0,
    note: '',
    requestedBy,
    merged: namedMerges(record, number),
    request: foldedPromptOf(own.body),
    prompt: '',
    durationMs: Math.max(0, deps.now() - (requestedAt || deps.now())),
  }
  const messages = { command, timeoutMs: 0, minPermission: '', runUrl: runUrlOf(context, record.run, forge) }
  const startedAt = deps.monotonic()
  const waiting = { deadline: startedAt + PREVIEW_MS, pollMs: DEFAULT_POLL_MS, startedAt }
  const target = { ...all, thread, state }
  const { url, preview } = await reportInThread(target, report, messages, waiting, history)
  if (url === '' && mode !== 'off') throw new Error(`The result could not be written in #${number}.`)
  if (preview !== undefined) {
    previews.push(preview.then((shown) => shown && showPreview(thread, shown, report, messages)))
  }
  return { kind: 'finished', request, report }
}

/** No job's preview holds up a sweep for longer than this (contract 8.1). */
const PREVIEW_MS = 60_000

const goneMessage = (command: string): string =>
  `The service no longer knows it. Look at the dashboard, or reply \`${command} new …\` to start again.`

function openThread(
  { deps, scope, forge, mode, secrets, warnings }: Sweep,
  { thread: number, record, updatedAt }: OpenRequest<RequestRecord>,
): Thread {
  const signing = { ...scope, thread: number }
  const identity = identityOf(record)
  // What matters to the request is no older; a busy thread has pages of what is. Counted from the request, which is
  // signed: a copy of its record is younger than the result that stands, and must not hide it.
  const since = new Date(Math.min(updatedAt, record.requestedAt) - CLOCK_SKEW_MS).toISOString()
  return new Thread({ forge, warnings, now: deps.now, signing, mode, identity, secrets, since })
}

/** How far the clocks of a runner and of the forge may be apart. */
const CLOCK_SKEW_MS = 300_000

/** Finishes what a run began that was killed right after it wrote the result: the reaction, and the old comments. */
export async function tidyUp(all: Sweep, untidy: readonly OpenRequest<RequestRecord>[]): Promise<void> {
  await pLimit(AT_A_TIME).map(untidy, async (request) => {
    const thread = openThread(all, request)
    const history = await thread.read()
    const own = history?.own
    if (own?.record.state !== 'reported') return
    await thread.settle(replacedBy(own, history?.ownComments ?? []))
  })
}
