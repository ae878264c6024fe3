import { expect, test } from 'vitest'
import { Cancelled } from '../../src/errors.ts'
import { retryRead } from '../../src/http/retry.ts'
import { type Reply, ServiceError } from '../../src/http/service.ts'
import { agentWorld, thrownBy } from '../helpers/agent.ts'

const failure = (retryAfterMs?: number): ServiceError =>
  new ServiceError({ kind: 'status', status: 503, detail: '', retryAfterMs }, 'It failed.')

/** Asks until the replies run out; the last one is repeated. */
function setUp(replies: readonly Reply<{ value: string }>[], limitMs = 600_000) {
  const world = agentWorld()
  let reads = 0
  const read = async () => replies[Math.min(reads++, replies.length - 1)] ?? { value: 'none' }
  const options = { deadline: world.clock.passed() + limitMs }
  return { ...world, read, options, ask: () => retryRead(world.deps, options, read), reads: () => reads }
}

test('6.1 cancelled before it reads, it reads nothing', async () => {
  const { ask, reads, canceller } = setUp([{ value: 'x' }])
  canceller.cancel()
  expect(await thrownBy(ask())).toBeInstanceOf(Cancelled)
  expect(reads()).toBe(0)
})

test('6.1 cancelled while it reads, an answer that comes all the same does not count', async () => {
  const { options, deps, canceller } = setUp([])
  const read = async () => {
    canceller.cancel()
    return { value: 'x' }
  }
  expect(await thrownBy(retryRead(deps, options, read))).toBeInstanceOf(Cancelled)
})

test('4.4 where the time is up first, the last failure is known', async () => {
  const { ask, clock } = setUp([failure()], 10_000)
  const answer = await ask()
  expect(answer).toEqual({ timedOut: '', failed: expect.any(ServiceError) })
  expect(answer).toMatchObject({ failed: { message: 'It failed.', failure: { status: 503 } } })
  expect(clock.passed()).toBe(10_000)
})

test('4.5 a wait that ends with the deadline does not pass it', async () => {
  const { ask, clock } = setUp([failure(60_000)], 60_000)
  expect(await ask()).toEqual({ timedOut: '', failed: expect.any(ServiceError) })
  expect(clock.passed()).toBe(60_000)
  const late = setUp([failure(60_001)], 60_000)
  expect(await late.ask()).toMatchObject({ timedOut: 'The service says to retry in 1 min.' })
  expect(late.clock.passed()).toBe(0)
})

test('2.5 a long wait is said once a minute, with what is left of it', async () => {
  const { ask, lines } = setUp([failure(120_000), { value: 'x' }])
  expect(await ask()).toEqual({ value: 'x' })
  expect(lines).toEqual(['It failed. Trying again in 2 min.', 'Waiting for the service, another 2 min.'])
})

test('4.4 pauses grow up to the longest, and a longer one is asked for by the service only', async () => {
  const { deps, options, clock } = setUp([])
  const replies: Reply<{ value: string }>[] = [500, undefined, undefined, 90_000].map((ms) => failure(ms))
  const at: number[] = []
  const read = async () => {
    at.push(clock.passed())
    return replies.shift() ?? { value: 'x' }
  }
  await retryRead(deps, { ...options, pollMs: 3000 }, read)
  expect(at).toEqual([0, 1000, 3000, 6000, 96_000])
})

test('4.4 a wall clock that jumps changes nothing', async () => {
  const { deps, options, read, clock } = setUp([failure()], 10_000)
  const set = { ...deps, now: () => Date.UTC(2000, 0) }
  expect(await retryRead(set, options, read)).toEqual({ timedOut: '', failed: expect.any(ServiceError) })
  expect(clock.passed()).toBe(10_000)
})
