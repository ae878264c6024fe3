import pLimit from 'p-limit'
import { type AgentClient, agentClient } from '../agent/client.ts'
import type { Job } from '../agent/job.ts'
import type { Deps } from '../deps.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import { ServiceError } from '../http/errors.ts'
import { promptOf } from '../messages/comments.ts'
import { explainFailure } from '../messages/errors.ts'
import { namedMerges, type Report } from '../messages/report.ts'
import { replacedBy } from '../request/history.ts'
import { ending, jobOf, transition } from '../request/lifecycle.ts'
import { isTerminal } from '../request/outcome.ts'
import { identityOf, type RepositoryScope, type RequestRecord, stateOf } from '../request/record.ts'
import { type PreviewOptions, showPreview } from '../run/preview.ts'
import { reactionOfRecord } from '../run/reactions.ts'
import { Thread } from '../run/thread.ts'
import { reportInThread } from '../run/thread-report.ts'
import { type RunContext, runUrlOf } from '../run-context.ts'
import type { CollectInputs } from './inputs.ts'
import type { OpenRecord, OpenRequest } from './open-requests.ts'

/** What became of one open request. */
export type Collected = { readonly request: OpenRequest } & (
  | { readonly kind: 'finished'; readonly report: Report }
  | { readonly kind: 'active'; readonly job: Job }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another run took it up, or reported it, since the sweep began. */
  | { readonly kind: 'taken' }
)

export type Of<K extends Collected['kind']> = Extract<Collected, { kind: K }>

export function ofKind<K extends Collected['kind']>(collected: readonly Collected[], kind: K): Of<K>[] {
  return collected.filter((one): one is Of<K> => one.kind === kind)
}

/** Jobs read at a time (contract 8.1), and threads written to at a time. */
const AT_A_TIME = 8

/** What the reports of one sweep share. */
export interface Sweep {
  readonly deps: Deps
  readonly inputs: CollectInputs
  readonly context: RunContext
  readonly scope: RepositoryScope
  readonly forge: Forge
  readonly secrets: readonly string[]
  readonly warnings: FailureWarnings
  /** Jobs that are known to have ended, by their ids: they are not read again. */
  readonly ended: ReadonlyMap<string, Job>
  /** Waited for after the last report, so that no thread waits for the preview of another. */
  readonly previews: Promise<unknown>[]
}

/** What a read tells: the job, or that the service no longer knows it. */
type Reading = Job | 'gone' | { readonly error: unknown }

/**
 * Reads each job once, for all the requests that it serves, and reports those that ended. A thread gets its reports in
 * the order of its requests, so that the last one is the one to continue.
 */
export async function sweep(all: Sweep, requests: readonly OpenRequest[]): Promise<readonly Collected[]> {
  const { deps, inputs } = all
  const client = agentClient(deps, inputs.access)
  const [reads, reports] = [pLimit(AT_A_TIME), pLimit(AT_A_TIME)]
  const readings = new Map(
    [...new Set(requests.map(({ record }) => record.job.id))].map((jobId) => [
      jobId,
      all.ended.get(jobId) ??
        reads(() => readOnce(client, jobId, deps.cancellation.requested)).catch((error: unknown) => ({
          error,
        })),
    ]),
  )
  const threads = new Map<number, OpenRequest[]>()
  for (const request of requests) {
    threads.set(request.thread, [...(threads.get(request.thread) ?? []), request])
  }
  const collected = [...threads.values()].map((inThread) =>
    reports(async () => {
      const done: Collected[] = []
      for (const request of inThread) {
        const reading = (await readings.get(request.record.job.id)) ?? 'gone'
        done.push(await collect(all, request, reading))
      }
      return done
    }),
  )
  return (await Promise.all(collected)).flat()
}

/** Without a second try: what fails is left to the next sweep. */
async function readOnce(client: AgentClient, jobId: string, signal: AbortSignal): Promise<Reading> {
  const answer = await client.read(jobId, undefined, signal)
  if ('job' in answer) return answer.job
  const error = new ServiceError(answer.failure, explainFailure('read', answer.failure, client.access, jobId))
  return error.reason === 'job-not-found' ? 'gone' : { error }
}

/** One job's trouble does not stop the others (contract 8.3). */
async function collect(all: Sweep, request: OpenRequest, reading: Reading): Promise<Collected> {
  if (reading !== 'gone' && 'error' in reading) return { kind: 'failed', request, error: reading.error }
  if (reading !== 'gone' && !hasEnded(reading, request.record, all.deps.now())) {
    return { kind: 'active', request, job: reading }
  }
  return await report(all, request, reading).catch((error: unknown) => ({
    kind: 'failed',
    request,
    error,
  }))
}

/** After a message, a terminal status younger than this may be the last turn's (contract 4.8 at its default pause). */
const SETTLED_MS = 30_000

/** Whether the job ended this request, and not only the one before it (contract 4.8). */
export function hasEnded(job: Job, record: OpenRecord, now: number): boolean {
  const { messagedAt } = record
  const turnBegan = messagedAt === 0 || record.job.status === 'active'
  return isTerminal(job.status) && (turnBegan || now - messagedAt >= SETTLED_MS)
}

async function report(all: Sweep, request: OpenRequest, reading: Job | 'gone'): Promise<Collected> {
  const { deps, inputs, context, forge, warnings } = all
  const { thread: number, record } = request
  const { signing, identity, thread } = openThread(all, request)
  // Right before the report the record is read again (contract 8.2): another run may have been faster.
  const history = await thread.read()
  if (history === undefined) throw new Error(`The thread #${number} could not be read.`)
  const { own } = history
  if (own?.record.writtenAt !== record.writtenAt) return { kind: 'taken', request }
  const event =
    reading === 'gone'
      ? ({ type: 'failed', reason: 'job-not-found', message: goneMessage(record.command) } as const)
      : ({ type: 'ended', job: reading } as const)
  const { state, ending: end = ending('error', 'internal') } = transition(stateOf(record), event)
  const { requestedAt, requestedBy, messagedAt } = record
  const done: Report = {
    ...end,
    job: jobOf(state),
    jobAction: messagedAt === 0 ? 'created' : 'continued',
    followUp: messagedAt > 0,
    note: '',
    requestedBy,
    merged: namedMerges(record, number),
    request: promptOf(own.body),
    prompt: '',
    durationMs: Math.max(0, deps.now() - (requestedAt || deps.now())),
  }
  const messages = {
    command: record.command,
    timeoutMs: 0,
    minPermission: '',
    runUrl: runUrlOf(context, record.run, forge),
  }
  const preview = previewOptions(all)
  const target = { thread, state, identity, signing, forge, warnings, context, deps, known: history, preview }
  const { url, preview: deployed } = await reportInThread(target, done, messages)
  if (url === '' && inputs.comment !== 'off') {
    throw new Error(`The result could not be written in #${number}.`)
  }
  if (deployed !== undefined) {
    all.previews.push(deployed.then((shown) => shown && showPreview(thread, shown, done, messages)))
  }
  return { kind: 'finished', request, report: done }
}

function openThread(
  { deps, inputs, forge, scope, secrets, warnings }: Sweep,
  { thread: number, record, updatedAt }: OpenRequest<RequestRecord>,
) {
  const signing = { ...scope, thread: number }
  const identity = identityOf(record)
  // What matters to the request is no older; a busy thread has pages of what is. Counted from the request, which is
  // signed: a copy of its record is younger than the result that stands, and must not hide it.
  const since = new Date(Math.min(updatedAt, record.requestedAt) - CLOCK_SKEW_MS).toISOString()
  const options = { signing, mode: inputs.comment, identity, secrets, since }
  return { signing, identity, thread: new Thread({ forge, warnings, now: deps.now }, options) }
}

/** Finishes what a run began that was killed right after it wrote the result: the reaction, and the old comments. */
export async function tidyUp(all: Sweep, untidy: readonly OpenRequest<RequestRecord>[]): Promise<void> {
  const limit = pLimit(AT_A_TIME)
  await Promise.all(untidy.map((request) => limit(() => tidyRequest(all, request))))
}

async function tidyRequest(all: Sweep, request: OpenRequest<RequestRecord>): Promise<void> {
  const { thread } = openThread(all, request)
  const history = await thread.read()
  const own = history?.own
  if (own?.record.state !== 'reported') return
  await Promise.all([
    thread.reactions.conclude(reactionOfRecord(own.record)),
    thread.deleteOthers(replacedBy(own, history?.ownComments ?? []), own),
  ])
}

/** No job's preview holds up a sweep for longer than this (contract 8.1). */
const PREVIEW_MS = 60_000
const PREVIEW_POLL_MS = 15_000

const previewOptions = ({ deps, inputs }: Sweep): PreviewOptions => ({
  access: inputs.access,
  deadline: deps.monotonic() + PREVIEW_MS,
  pollMs: PREVIEW_POLL_MS,
  startedAt: deps.monotonic(),
})

/** How far the clocks of a runner and of the forge may be apart. */
const CLOCK_SKEW_MS = 300_000

const goneMessage = (command: string): string =>
  `The service no longer knows it. Look at the dashboard, or reply \`${command} new …\` to start again.`
