import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { agentWorld, thrownBy } from '../helpers/agent.ts'

async function setUp({ minutes = 30, pollMs = 15_000 } = {}) {
  const world = agentWorld()
  const { client, clock, emulator } = world
  emulator.service.script.push({ ending: 'active-forever' })
  const { id } = await client.postPrompt({ prompt: 'x', deadline: 0 })
  emulator.clearRequests()
  const start = clock.passed()
  const request = { deadline: start + minutes * 60_000, pollMs }
  const strike = (fault: Fault, times = 1) => emulator.faults.add({ match: { method: 'GET' }, times, fault })
  const ask = () => client.read(id, request)
  return { ...world, id, ask, strike, request }
}

const passing: readonly (readonly [string, Fault])[] = [
  ['connection refused', { kind: 'refuse' }],
  ['reset', { kind: 'reset' }],
  ['reset in the middle of the body', { kind: 'resetMidBody' }],
  ['no answer', { kind: 'stall' }],
  ['half of an answer', { kind: 'stallMidBody' }],
  ['408', { kind: 'status', status: 408 }],
  ['429', { kind: 'status', status: 429 }],
  ['500', { kind: 'status', status: 500 }],
  ['502', { kind: 'html', status: 502 }],
  ['bare 503', { kind: 'status', status: 503 }],
  ['504', { kind: 'status', status: 504 }],
]

test.each(passing)('4.4 %s: read again until it passes', async (_, fault) => {
  const { ask, strike, emulator } = await setUp()
  strike(fault, 7)
  expect(await ask()).toMatchObject({ status: 'active' })
  expect(emulator.requests).toHaveLength(8)
})

test('4.4 pauses grow, up to poll-interval-seconds', async () => {
  const { ask, strike, requests } = await setUp({ pollMs: 5000 })
  strike({ kind: 'status', status: 500 }, 5)
  await ask()
  expect(requests().map(({ at }) => at)).toEqual([0, 1000, 3000, 7000, 12_000, 17_000])
})

const noJob: readonly (readonly [string, Fault])[] = [
  ['another shape', { kind: 'wrongType' }],
  ['half of a job', { kind: 'truncated' }],
  ['another job', { kind: 'wrongType', body: '{"id":"j_other","status":"active"}' }],
  ['no status', { kind: 'wrongType', body: '{"id":"j_1"}' }],
  ['more than 5 MiB', { kind: 'oversize', bytes: 6 * 2 ** 20 }],
]

test.each(noJob)('4.4 %s: tried three times in all, then bad-response', async (_, fault) => {
  const { ask, strike, emulator } = await setUp()
  strike(fault, Number.POSITIVE_INFINITY)
  expect(await thrownBy(ask())).toMatchObject({ reason: 'bad-response' })
  expect(emulator.requests).toHaveLength(3)
})

const foreign: readonly (readonly [string, Fault])[] = [
  ...[200, 400, 401, 403, 404, 407, 451].map((status): [string, Fault] => [
    `a page with ${status}`,
    { kind: 'html', status },
  ]),
  ['a login', { kind: 'redirect', location: 'https://login.example.com/', status: 302 }],
  ['401 without a body', { kind: 'status', status: 401, body: '' }],
  ['403 as text', { kind: 'status', status: 403, body: 'Access denied' }],
  ['404 in another shape', { kind: 'status', status: 404, body: { message: 'no Route matched' } }],
  ['401 that is cut', { kind: 'status', status: 401, body: '{"error":"Invalid API k' }],
]

test.each(foreign)('4.4 %s: read again until it passes', async (_, fault) => {
  const { ask, strike } = await setUp()
  strike(fault, 20)
  expect(await ask()).toMatchObject({ status: 'active' })
})

test.each(foreign)('4.4 %s: ten minutes without an answer of the service', async (_, fault) => {
  const { ask, strike, clock } = await setUp()
  const began = clock.passed()
  strike(fault, Number.POSITIVE_INFINITY)
  expect(await thrownBy(ask())).toMatchObject({ reason: 'service-unavailable' })
  const minutes = (clock.passed() - began) / 60_000
  expect(minutes).toBeGreaterThanOrEqual(10)
  expect(minutes).toBeLessThan(10.5)
})

test('4.4 the ten minutes begin anew with each answer of the service, and no broken connection ends them', async () => {
  const { ask, strike, clock } = await setUp()
  const began = clock.passed()
  strike({ kind: 'html', status: 403 }, 20)
  strike({ kind: 'status', status: 500, body: { error: 'Internal' } })
  strike({ kind: 'html', status: 403 }, 20)
  strike({ kind: 'reset' }, 5)
  strike({ kind: 'html', status: 403 }, Number.POSITIVE_INFINITY)
  expect(await thrownBy(ask())).toMatchObject({ reason: 'service-unavailable' })
  expect((clock.passed() - began) / 60_000).toBeGreaterThan(14)
  expect((clock.passed() - began) / 60_000).toBeLessThan(16)
})

test.each<[number, string, string]>([
  [401, 'Invalid API key', 'unauthorized'],
  [403, 'Your trial has ended', 'payment-required'],
  [451, 'Not here', 'rejected'],
])("4.4 %i in the service's own words ends it at once", async (status, error, reason) => {
  const { ask, strike, emulator } = await setUp()
  strike({ kind: 'status', status, body: { error } })
  expect(await thrownBy(ask())).toMatchObject({ reason })
  expect(emulator.requests).toHaveLength(1)
})

const MISSING: Fault = { kind: 'status', status: 404, body: { error: 'Job not found' } }

test.each<[string, readonly Fault[], readonly number[], string | undefined]>([
  ['twice in a row', [MISSING, MISSING], [0, 30_000], 'job-not-found'],
  ['once', [MISSING], [0, 30_000], undefined],
  [
    'twice, with a 500 between',
    [MISSING, { kind: 'status', status: 500 }, MISSING],
    [0, 30_000, 32_000, 62_000],
    undefined,
  ],
])('4.4 a job that works and is missing %s', async (_, faults, at, reason) => {
  const { client, id, request, strike, requests } = await setUp()
  for (const fault of faults) strike(fault)
  const read = client.read(id, { ...request, isKnown: true })
  if (reason === undefined) expect(await read).toMatchObject({ status: 'active' })
  else expect(await thrownBy(read)).toMatchObject({ reason })
  expect(requests().map((one) => one.at)).toEqual(at)
})

test.each([429, 503, 500])(
  '4.5 Retry-After of a %i is obeyed, even beyond the poll interval',
  async (status) => {
    const { ask, strike, requests } = await setUp()
    strike({ kind: 'status', status, headers: { 'retry-after': '100' } })
    await ask()
    expect(requests().map(({ at }) => at)).toEqual([0, 100_000])
  },
)

test('4.7 a read that stalls ends after 30 s, or with the deadline', async () => {
  const { ask, strike, requests, clock, lines } = await setUp({ minutes: 1 })
  strike({ kind: 'stall' }, Number.POSITIVE_INFINITY)
  expect(await ask()).toMatchObject({ kind: 'timeout', why: '' })
  // The last one is at the deadline itself.
  expect(requests().map(({ at }) => at)).toEqual([0, 31_000, 60_000])
  expect(clock.passed()).toBe(70_000)
  // The log announces the tries that come, when they come.
  const waits = ['1 s.', '0 s.', '   1:00  waiting for the service']
  expect(lines.map((line) => line.split(' in ').at(-1))).toEqual(waits)
})

test.each<Fault>([{ kind: 'stall' }, { kind: 'stallMidBody' }, { kind: 'delay', ms: 25_000 }])(
  '4.7 a read ends with the signal of the one who asks: %j',
  async (fault) => {
    const { client, id, strike, requests, clock } = await setUp()
    strike(fault)
    const enough = new AbortController()
    void clock.sleep(10_000).then(() => enough.abort())
    await thrownBy(client.read(id, { signal: enough.signal }))
    expect(clock.passed()).toBe(10_000)
    expect(requests()).toHaveLength(1)
  },
)

test.each([
  ['api-key', '\\u0074est-key'],
  ['memory-key', 'test-memory-of-threads'],
])('1.1 a key that an answer has, also with escapes, is taken out: %s', async (_, model) => {
  const { ask, strike, id } = await setUp()
  strike({ kind: 'wrongType', body: `{"id":"${id}","status":"active","model":"${model}"}` })
  expect(await ask()).toMatchObject({ model: '***' })
})
