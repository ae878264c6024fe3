import { expect, test } from 'vitest'
import { retryRead } from '../../src/http/retry.ts'
import { ServiceError } from '../../src/http/service.ts'
import { agentWorld } from '../helpers/agent.ts'

const failure = (retryAfterMs?: number): ServiceError =>
  new ServiceError({ kind: 'status', status: 503, detail: '', retryAfterMs }, 'It failed.')

/** Asks until the replies run out; the last one is repeated. */
function setUp(replies: readonly (ServiceError | { value: string })[], limitMs = 600_000) {
  const world = agentWorld()
  let reads = 0
  const read = async () => {
    const reply = replies[Math.min(reads++, replies.length - 1)] ?? { value: 'none' }
    if (reply instanceof ServiceError) throw reply
    return reply
  }
  const options = { deadline: world.clock.passed() + limitMs }
  return { ...world, read, options, ask: () => retryRead(world.deps, options, read), reads: () => reads }
}

test('4.4 where the time is up first, the last failure is known', async () => {
  const { ask, clock } = setUp([failure()], 10_000)
  const answer = await ask()
  expect(answer).toEqual({ timedOut: '', failed: expect.any(ServiceError) })
  expect(answer).toMatchObject({ failed: { message: 'It failed.', failure: { status: 503 } } })
  expect(clock.passed()).toBe(10_000)
})

test('2.5 a long wait is said once a minute, with what is left of it', async () => {
  const { ask, lines } = setUp([failure(120_000), { value: 'x' }])
  expect(await ask()).toEqual({ value: 'x' })
  expect(lines).toEqual(['It failed. Trying again in 2 min.', 'Waiting for the service, another 2 min.'])
})
