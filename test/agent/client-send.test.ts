import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { Cancelled, CreationUncertain } from '../../src/base/errors.ts'
import { ServiceError } from '../../src/http/service.ts'
import { agentWorld, thrownBy } from '../helpers/agent.ts'

const MINUTES = 60_000

function setUp() {
  const world = agentWorld()
  const { client, clock } = world
  const deadline = clock.passed() + 30 * MINUTES
  const create = () => client.postPrompt({ prompt: 'x', deadline })
  const message = (jobId: string) => client.postPrompt({ prompt: 'y', jobId, deadline })
  const strike = (fault: Fault, times = 1) =>
    world.emulator.faults.add({ match: { method: 'POST' }, times, fault })
  return { ...world, create, message, strike }
}

const surelyNot: readonly (readonly [string, Fault])[] = [
  ['connection refused', { kind: 'refuse' }],
  ['503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '1' } }],
  ['429 that asks for no wait', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
]

test.each(surelyNot)('4.3 %s: five tries in all, with growing pauses', async (_, fault) => {
  const { create, strike, requests, emulator } = setUp()
  strike(fault, Number.POSITIVE_INFINITY)
  expect(await thrownBy(create())).toBeInstanceOf(ServiceError)
  const at = requests().map((request) => request.at)
  expect(at).toHaveLength(5)
  for (const [i, least] of [1000, 2000, 4000, 8000].entries()) {
    expect((at[i + 1] ?? 0) - (at[i] ?? 0)).toBeGreaterThanOrEqual(least)
  }
  expect(emulator.service.jobs()).toHaveLength(0)
})

test('4.3 a request says that it holds JSON, and the log why it is made again, without Markdown', async () => {
  const { create, strike, emulator, lines } = setUp()
  strike({ kind: 'refuse' })
  await create()
  expect(emulator.requests.at(-1)?.headers['content-type']).toBe('application/json')
  expect(lines[0]).toMatch(/ Check the proxy and the firewall of the runner.* The run tries again in /)
})

test.each(['', 'Too many requests'])(
  '4.3 a 429 %j that names no time is waited out: the limit is one of an hour',
  async (body) => {
    const { create, strike, requests } = setUp()
    strike({ kind: 'status', status: 429, body }, 25)
    expect(await create()).toMatchObject({ status: 'active' })
    const at = requests().map((request) => request.at)
    const pauses = at.slice(1).map((time, i) => time - (at[i] ?? 0))
    expect(pauses[0]).toBe(1000)
    expect(Math.max(...pauses)).toBeGreaterThan(50_000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000)
  },
)

test("4.9 a 404 that is not the service's own ends no job", async () => {
  const { create, message, strike } = setUp()
  const { id } = await create()
  strike({ kind: 'html', status: 404 })
  expect(await thrownBy(message(id))).toMatchObject({ reason: 'bad-response' })
  strike({ kind: 'status', status: 404, body: { error: 'Job not found' } })
  expect(await thrownBy(message(id))).toMatchObject({ reason: 'job-not-found' })
})

const open: readonly (readonly [string, Fault, string])[] = [
  ['reset', { kind: 'reset' }, 'connection reset'],
  ['reset after it was processed', { kind: 'reset', when: 'after' }, 'connection reset'],
  [
    'reset in the middle of the answer',
    { kind: 'resetMidBody' },
    "accepted the request (HTTP 201), and the job's id was lost with the rest of the answer (connection broken (UND_ERR_SOCKET))",
  ],
  ['500 that breaks', { kind: 'resetMidBody', status: 500 }, 'answered HTTP 500.'],
  ['408 that breaks', { kind: 'resetMidBody', status: 408 }, 'answered HTTP 408.'],
  ['no answer', { kind: 'stall' }, 'no answer within 90 s'],
  ['half of an answer', { kind: 'stallMidBody' }, 'no answer within 90 s'],
  ['500', { kind: 'status', status: 500 }, 'HTTP 500'],
  ['500 with Retry-After', { kind: 'status', status: 500, headers: { 'retry-after': '1' } }, 'HTTP 500'],
  ['502', { kind: 'html', status: 502 }, 'HTTP 502'],
  ['504', { kind: 'status', status: 504 }, 'HTTP 504'],
  ['bare 503', { kind: 'status', status: 503 }, 'HTTP 503'],
  ['2xx that is no job', { kind: 'wrongType' }, 'held no job'],
  ['2xx that is cut', { kind: 'truncated' }, 'held no job'],
  ['2xx without a body', { kind: 'status', status: 204, body: '' }, 'held no job'],
  ['2xx over 5 MiB', { kind: 'oversize', bytes: 6 * 2 ** 20 }, 'more than 5 MiB'],
]

test.each(open)('4.3 %s: never tried again, creation-uncertain', async (_, fault, cause) => {
  const { create, strike, emulator } = setUp()
  strike(fault)
  const error = await thrownBy(create())
  expect(error).toBeInstanceOf(CreationUncertain)
  expect((error as Error).message).toMatch(/^The service.*\.$/)
  expect((error as Error).message).toContain(cause)
  expect(emulator.requests).toHaveLength(1)
})

test('4.3 an answer about another job leaves open whether this one got the message', async () => {
  const { create, message, strike, emulator } = setUp()
  const { id } = await create()
  strike({ kind: 'wrongType', body: '{"id":"j_other","status":"active"}' })
  const error = await thrownBy(message(id))
  expect(error).toBeInstanceOf(CreationUncertain)
  expect(error).toMatchObject({ jobId: id })
  expect(emulator.requests).toHaveLength(2)
})

test('4.3 a failure that is open after one that was not ends it all the same', async () => {
  const { create, strike, emulator } = setUp()
  strike({ kind: 'refuse' }, 2)
  strike({ kind: 'reset', when: 'after' })
  expect(await thrownBy(create())).toBeInstanceOf(CreationUncertain)
  expect(emulator.requests).toHaveLength(3)
  expect(emulator.service.jobs()).toHaveLength(1)
})

test('6.1 a cancelled run sends nothing more, and no pause holds it', async () => {
  const { create, strike, emulator, canceller, clock } = setUp()
  strike({ kind: 'call', call: () => canceller.cancel() })
  strike({ kind: 'status', status: 429, headers: { 'retry-after': '60' } })
  expect(await thrownBy(create())).toBeInstanceOf(Cancelled)
  expect(await thrownBy(create())).toBeInstanceOf(Cancelled)
  expect(emulator.requests).toHaveLength(1)
  expect(clock.passed()).toBe(0)
})

test('4.5 a wait that ends with the deadline does not pass it', async () => {
  const { create, strike, requests } = setUp()
  strike({ kind: 'status', status: 429, headers: { 'retry-after': '1800' } })
  await create()
  expect(requests().map(({ at }) => at)).toEqual([0, 30 * MINUTES])
})

test('4.5 a service that asks to come back after the deadline limits the rate, whatever the status', async () => {
  const { create, strike } = setUp()
  strike({ kind: 'status', status: 503, headers: { 'retry-after': '1801' } })
  expect(await thrownBy(create())).toMatchObject({ reason: 'rate-limited' })
})

test('4.5 a pause of our own that would pass the deadline ends it with the reason of the failure', async () => {
  const { client, clock, strike } = setUp()
  strike({ kind: 'refuse' }, Number.POSITIVE_INFINITY)
  const sent = client.postPrompt({ prompt: 'x', deadline: clock.passed() + 500 })
  expect(await thrownBy(sent)).toMatchObject({ reason: 'network' })
})
