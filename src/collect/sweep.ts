import pLimit from 'p-limit'
import { agentClient } from '../agent/client.ts'
import type { Ending } from '../core/ending.ts'
import type { Job } from '../core/job.ts'
import { type Attempt, forgiving } from '../github/attempt.ts'
import type { Everywhere } from '../github/marked-comment.ts'
import type { GitHub } from '../github/octokit.ts'
import type { Deps } from '../runner/deps.ts'
import { type Environment, runUrlOf } from '../runner/environment.ts'
import { promptOf } from '../thread/bodies.ts'
import { reportEnding } from '../thread/report.ts'
import { openThread } from '../thread/thread.ts'
import { endingOf, hasEnded, type Reading, readOnce } from './collected.ts'
import type { CollectInputs } from './inputs.ts'
import type { OpenRequest } from './open-requests.ts'

/** What became of one open request. */
export type Collected = { readonly request: OpenRequest } & (
  | { readonly kind: 'finished'; readonly ending: Ending }
  | { readonly kind: 'active'; readonly job: Job }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another run has taken it up, or reported it, since the sweep began. */
  | { readonly kind: 'left' }
)

export type Of<K extends Collected['kind']> = Extract<Collected, { kind: K }>

export function ofKind<K extends Collected['kind']>(collected: readonly Collected[], kind: K): Of<K>[] {
  return collected.filter((one): one is Of<K> => one.kind === kind)
}

/** Jobs read at a time (contract 8.1), and threads written to at a time. */
const AT_A_TIME = 8

/** What the reports of one sweep share. */
interface Sweep {
  readonly deps: Deps
  readonly inputs: CollectInputs
  readonly environment: Environment
  readonly everywhere: Everywhere
  readonly github: GitHub
  readonly attempt: Attempt
}

/**
 * Reads each job once, for all the requests that it serves, and reports those that ended. Within a thread they are
 * reported in the order in which they were asked, so that the last one is the one to continue.
 */
export async function sweep(
  all: Omit<Sweep, 'attempt'>,
  requests: readonly OpenRequest[],
): Promise<readonly Collected[]> {
  const { deps, inputs } = all
  const client = agentClient(deps, inputs.access)
  const [reads, reports] = [pLimit(AT_A_TIME), pLimit(AT_A_TIME)]
  const { requested } = deps.cancellation
  const readings = new Map(
    [...new Set(requests.map(({ marker }) => marker.job))].map((jobId) => {
      const reading = reads(() => readOnce(client, jobId, requested))
      return [jobId, reading.catch((error: unknown) => ({ error }))] as const
    }),
  )
  const sharing = { ...all, attempt: forgiving(deps.runner) }
  const threads = Map.groupBy(requests, ({ thread }) => thread).values()
  const collected = [...threads].map((inThread) =>
    reports(async () => {
      const done: Collected[] = []
      for (const request of inThread) {
        const reading = await readings.get(request.marker.job)
        done.push(await collect(sharing, request, reading))
      }
      return done
    }),
  )
  return (await Promise.all(collected)).flat()
}

/** One job's trouble does not stop the others (contract 8.3). */
async function collect(
  all: Sweep,
  request: OpenRequest,
  reading: Reading | { readonly error: unknown } | undefined,
): Promise<Collected> {
  if (reading === undefined || (reading !== 'gone' && 'error' in reading)) {
    return { kind: 'failed', request, error: reading?.error }
  }
  if (reading !== 'gone' && !hasEnded(reading, request.marker, all.deps.now())) {
    return { kind: 'active', request, job: reading }
  }
  return await report(all, request, reading).catch((error) => ({ kind: 'failed', request, error }))
}

async function report(all: Sweep, request: OpenRequest, reading: Reading): Promise<Collected> {
  const { deps, inputs, environment, github, attempt } = all
  const { thread: number, marker, touched } = request
  const { key, run, from, asker, comment } = marker
  const asked = { key, run, from, asker, comment }
  const scope = { ...all.everywhere, thread: number }
  const mode = inputs.comment
  // What matters to the request is no older; a busy thread has pages of what is. Counted from the request, which is
  // signed: a copy of its marker is younger than the result that stands, and must not hide it.
  const since = new Date(Math.min(touched, marker.from) - CLOCK_SKEW_MS).toISOString()
  const thread = openThread({ github, attempt, now: deps.now }, { scope, mode, request: asked, since })
  // Right before reporting, the marker is read again (contract 8.2): somebody may have been faster.
  const memory = await thread.recall()
  if (memory === undefined) throw new Error(`The thread #${number} could not be read.`)
  const { own } = memory
  if (own?.marker.at !== marker.at) return { kind: 'left', request }
  const ending = endingOf(marker, reading, promptOf(own.comment.body), deps.now())
  const desk = {
    thread,
    scope,
    request: asked,
    mode,
    github,
    attempt,
    serverUrl: environment.serverUrl,
    runUrl: runUrlOf(environment, marker.run),
    now: deps.now,
  }
  const kept = { targetJob: marker.job, messagedAt: marker.messaged }
  const url = await reportEnding(desk, ending, kept, SETTING, memory)
  if (url === '' && mode !== 'off') throw new Error(`The result could not be written in #${number}.`)
  return { kind: 'finished', request, ending }
}

/** How far the clocks of a runner and of GitHub may be apart. */
const CLOCK_SKEW_MS = 300_000

/** What an ending's words may need beyond it; none of those that a sweep reports asks for time or permission. */
const SETTING = { command: '/docs', timeoutMs: 0, needs: 'write' } as const
