import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { agentClient } from '../../src/agent/agent-client.ts'
import { cancellation } from '../../src/base/deps.ts'
import type { RetryDeps } from '../../src/http/retry.ts'

/**
 * The agent's client in front of an emulated service, on a clock that takes no time. The monotonic clock starts at 0:
 * code that takes one clock for the other does not get far.
 */
export function agentWorld({ random = () => 0.5 }: { readonly random?: () => number } = {}) {
  const { passed, sleep } = simulatedClock(0)
  const start = Date.UTC(2026, 0, 1)
  const clock = { passed, sleep, now: () => start + passed() }
  const emulator = createEmulator({ now: clock.now, sleep: clock.sleep })
  const canceller = cancellation(clock.sleep)
  /** What was logged. */
  const lines: string[] = []
  const deps: RetryDeps = {
    now: clock.now,
    monotonic: clock.passed,
    sleep: clock.sleep,
    fetch: emulator.fetch,
    random,
    cancellation: canceller,
    core: { info: (line: string) => void lines.push(line) },
  }
  const { apiKey, projectId } = emulator.settings
  const memoryKey = 'test-memory-of-threads'
  const client = agentClient(deps, { baseUrl: emulator.serviceUrl, apiKey, memoryKey, projectId })
  /** The requests so far, with the ms since the start. */
  const requests = () => emulator.requests.map(({ at }) => ({ at: at - start }))
  return { clock, emulator, canceller, deps, client, lines, requests }
}

export type AgentWorld = ReturnType<typeof agentWorld>

/** What was thrown; fails where nothing was. */
export async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
}
