import { type Fault, type Faults, passesOn, whenOf } from './faults.ts'
import { answer, type EmulatedRequest, type EmulatedResponse, json, type Outcome } from './http.ts'
import type { Settings } from './options.ts'
import type { RequestLog } from './requests.ts'
import { strike } from './strike.ts'

export interface Backends {
  /** Lets time do its work (jobs that end by the clock) before anything is answered. */
  readonly tick: () => void
  readonly service: (request: EmulatedRequest) => EmulatedResponse
  readonly github: (request: EmulatedRequest) => EmulatedResponse
}

/** One request through log, faults and state. Rejects only where `signal` aborts or a test's callback throws. */
export async function handle(
  request: EmulatedRequest,
  parts: { settings: Settings; log: RequestLog; faults: Faults; backends: Backends },
  signal?: AbortSignal,
): Promise<Outcome> {
  const { settings, log, faults, backends } = parts
  const index = log.add(request, settings.now())
  const drawn = faults.draw(request)

  const outcome = await settleOutcome()
  const status = outcome.kind === 'answer' ? outcome.response.status : null
  const entry = log.answered(
    index,
    status,
    drawn.map((fault) => fault.kind),
  )
  if (entry) settings.onRequest(entry)
  return outcome

  async function settleOutcome(): Promise<Outcome> {
    const early = await pass(drawn.filter((fault) => whenOf(fault) === 'before'))
    if (early) return strike(early)
    backends.tick()
    const real = process(request, backends)
    log.processed(index, real.status)
    const late = await pass(drawn.filter((fault) => whenOf(fault) === 'after'))
    return late ? strike(late, real) : answer(real)
  }

  /** Runs calls and delays; hands back the fault that ends the request, if there is one. */
  async function pass(due: readonly Fault[]) {
    for (const fault of due) {
      if (!passesOn(fault)) return fault
      const entry = log.at(index)
      if (fault.kind === 'delay') await settings.sleep(fault.ms, signal)
      else if (entry) await fault.call(entry)
    }
    return undefined
  }
}

function process(request: EmulatedRequest, backends: Backends): EmulatedResponse {
  try {
    return backends[request.host](request)
  } catch (error) {
    return json(500, { error: `Emulator failed: ${error instanceof Error ? error.message : String(error)}` })
  }
}
