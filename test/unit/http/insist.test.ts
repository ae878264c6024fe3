import { expect, test } from 'vitest'
import { Cancelled } from '../../../src/core/errors.ts'
import { insist, type Reply } from '../../../src/http/insist.ts'
import { type Failure, ServiceError } from '../../../src/http/service-error.ts'
import { agentWorld, thrownBy } from '../../helpers/agent.ts'

const failure = (retryAfterMs?: number): Failure => ({
  kind: 'status',
  status: 503,
  detail: '',
  retryAfterMs,
})

/** Asks until the replies run out; the last one is repeated. */
function setUp(replies: readonly Reply<string>[], limitMs = 600_000) {
  const world = agentWorld()
  let asked = 0
  const question = {
    ask: async () => replies[Math.min(asked++, replies.length - 1)] ?? { value: 'none' },
    explain: () => 'It failed.',
    deadline: world.clock.now() + limitMs,
  }
  return { ...world, question, ask: () => insist(world.deps, question), asked: () => asked }
}

test('6.1 told to stop before it is asked, nothing is asked', async () => {
  const { ask, asked, canceller } = setUp([{ value: 'x' }])
  canceller.cancel()
  expect(await thrownBy(ask())).toBeInstanceOf(Cancelled)
  expect(asked()).toBe(0)
})

test('6.1 told to stop while it is asked, an answer that comes all the same is none', async () => {
  const { question, deps, canceller } = setUp([])
  const ask = async () => {
    canceller.cancel()
    return { value: 'x' }
  }
  expect(await thrownBy(insist(deps, { ...question, ask }))).toBeInstanceOf(Cancelled)
})

test('4.4 where the time is up first, the last failure is known', async () => {
  const { ask, clock } = setUp([{ failure: failure() }], 10_000)
  const answer = await ask()
  expect(answer).toEqual({ late: expect.any(ServiceError) })
  expect(answer).toMatchObject({ late: { message: 'It failed.', failure: { status: 503 } } })
  expect(clock.passed()).toBe(10_000)
})

test('4.5 a wait that ends with the deadline does not pass it', async () => {
  const { ask, clock } = setUp([{ failure: failure(60_000) }], 60_000)
  expect(await ask()).toEqual({ late: expect.any(ServiceError) })
  expect(clock.passed()).toBe(60_000)
  const late = setUp([{ failure: failure(60_001) }], 60_000)
  expect(await late.ask()).toMatchObject({ askedMs: 60_001 })
  expect(late.clock.passed()).toBe(0)
})

test('2.5 a long wait is said once a minute, with what is left of it', async () => {
  const { ask, lines } = setUp([{ failure: failure(120_000) }, { value: 'x' }])
  expect(await ask()).toEqual({ value: 'x' })
  expect(lines).toEqual(['It failed. Trying again in 2 min.', 'Waiting for the service, another 2 min.'])
})
