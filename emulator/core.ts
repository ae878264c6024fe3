import { channel } from 'node:diagnostics_channel'
import { type Fault, type Faults, passesOn, type When, whenOf } from './faults.ts'
import { answer, type EmulatedRequest, type EmulatedResponse, json, type Outcome } from './http.ts'
import type { Settings } from './options.ts'
import { entryOf, type RequestEntry } from './requests.ts'
import { strike } from './strike.ts'

export interface Backends {
  /** Lets time do its work (jobs that end by the clock) before anything is answered. */
  readonly tick: () => void
  readonly service: (request: EmulatedRequest) => EmulatedResponse
  readonly github: (request: EmulatedRequest) => EmulatedResponse
  readonly storage: (request: EmulatedRequest) => EmulatedResponse
}

/** A request and the answer that it would have without faults. */
export interface Exchange {
  readonly request: EmulatedRequest
  readonly response: EmulatedResponse
}

/** Publishes every exchange of every emulator of this thread. */
export const exchanges = channel('docs-agent-emulator')

/** GitHub ends a request by itself after so long. */
const GITHUB_ENDS_MS = 10_000
const LATE_MS = 5000

/** One request through log, faults and state. Rejects only where `signal` aborts or a test's callback throws. */
export async function handle(
  request: EmulatedRequest,
  parts: { settings: Settings; log: RequestEntry[]; faults: Faults; backends: Backends },
  signal?: AbortSignal,
): Promise<Outcome> {
  const { settings, log, faults, backends } = parts
  const entry = entryOf(request, settings.now())
  log.push(entry)
  const drawn = faults.draw(request, settings.now())

  const outcome = dated(await settleOutcome(), settings)
  entry.status = outcome.kind === 'answer' ? outcome.response.status : null
  entry.faults = drawn.map((fault) => fault.kind)
  entry.answeredAt = settings.now()
  settings.onRequest(entry)
  return outcome

  async function settleOutcome(): Promise<Outcome> {
    const early = (await pass('before')) ?? (await pass('late'))
    if (early) {
      if (whenOf(early) === 'late') void settings.sleep(early.lateMs ?? LATE_MS).then(process)
      return strike(early)
    }
    const real = process()
    const late = await pass('after')
    return late ? strike(late, real) : answer(real)
  }

  /** Runs calls and delays; hands back the fault that ends the request, if there is one. */
  async function pass(when: When) {
    for (const fault of drawn.filter((one) => whenOf(one) === when)) {
      if (!passesOn(fault)) return fault
      if (fault.kind === 'call') {
        await fault.call(entry)
        continue
      }
      const over = request.host === 'github' ? fault.ms - GITHUB_ENDS_MS : 0
      await settings.sleep(fault.ms - Math.max(0, over), signal)
      if (over > 0) return gaveUp(when, over)
    }
    return undefined
  }

  function process(): EmulatedResponse {
    backends.tick()
    const response = respond(request, backends)
    entry.processed = response.status
    exchanges.publish({ request, response } satisfies Exchange)
    return response
  }
}

/** Every server says what time it is there. */
function dated(outcome: Outcome, settings: Settings): Outcome {
  if (outcome.kind !== 'answer') return outcome
  const { response } = outcome
  const date = new Date(settings.now()).toUTCString()
  return { ...outcome, response: { ...response, headers: { date, ...response.headers } } }
}

/** What becomes of a request that GitHub has ended: it may go on behind the answer. */
const gaveUp = (when: When, lateMs: number) =>
  ({ kind: 'html', status: 504, when: when === 'before' ? 'late' : when, lateMs }) satisfies Fault

function respond(request: EmulatedRequest, backends: Backends): EmulatedResponse {
  try {
    return backends[request.host](request)
  } catch (error) {
    return json(500, { error: `Emulator failed: ${error instanceof Error ? error.message : String(error)}` })
  }
}
