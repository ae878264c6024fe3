import { expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import { agentClient } from '../../src/agent/agent-client.ts'
import { agentWorld } from '../helpers/agent.ts'

const POLL_MS = 15_000

/** A job that has ended, gets a message, and is polled from its answer on. */
async function afterMessage(
  turn: Turn,
  { pollMs = POLL_MS, baseUrl = 'https://service.test', wasBusy = false, readings = [] as string[] } = {},
) {
  const world = agentWorld()
  const { deps, emulator, clock } = world
  const fetch: typeof deps.fetch = (url, init) => deps.fetch(url.replace(baseUrl, emulator.serviceUrl), init)
  const client = agentClient({ ...deps, fetch }, { ...world.client.access, baseUrl })
  emulator.service.script.push({ answerStatus: 'completed' }, turn)
  const created = await client.postPrompt({ prompt: 'x', deadline: 0 })
  const messaged = await client.postPrompt({ prompt: 'y', jobId: created.id, deadline: 0 })
  emulator.clearRequests()
  for (const status of readings) {
    const body = JSON.stringify({ id: created.id, status })
    emulator.faults.add({ match: { method: 'GET' }, fault: { kind: 'wrongType', body } })
  }
  const messagedAt = clock.passed()
  const polled = await client.poll({
    job: messaged,
    messagedAt,
    wasBusy,
    deadline: messagedAt + 30 * 60_000,
    pollMs,
    startedAt: messagedAt,
    onJob: () => {},
  })
  return { ...world, polled, prompts: emulator.service.job(created.id)?.prompts }
}

test('4.8 once the answer to the message was active, the first terminal status counts', async () => {
  const { polled, requests } = await afterMessage({ answerStatus: 'active', reads: 0 })
  expect(polled.job.status).toBe('completed')
  expect(requests()).toHaveLength(1)
})

test('4.8 once active has been read, the next terminal status counts', async () => {
  const { polled, clock } = await afterMessage({ answerStatus: 'completed', staleReads: 1, reads: 1 })
  expect(polled.job.status).toBe('completed')
  expect(clock.passed()).toBeLessThan(2 * POLL_MS)
})

test.each([
  ['https://service.test', false, 30_000],
  ['https://service.test', true, 30_000],
  ['http://127.0.0.1:1', false, 2000],
  ['http://127.0.0.1:1', true, 2000],
])(
  '4.8 a short poll interval does not hurry the service at %s, busy: %s',
  async (baseUrl, wasBusy, settledMs) => {
    const turn: Turn = { answerStatus: 'completed', staleReads: 1000 }
    const { polled, clock } = await afterMessage(turn, { pollMs: 1000, baseUrl, wasBusy })
    expect(polled.job.status).toBe('completed')
    expect(clock.passed()).toBe(settledMs)
  },
)

test.each([
  [1000, 30_000],
  [15_000, 30_000],
  [20_000, 40_000],
  [60_000, 120_000],
])('4.8 with a reading every %i ms, an end counts %i ms after the message', (pollMs, afterMessage) => {
  const { deps, client } = agentWorld()
  const { lagOf: settlingOf } = agentClient(deps, { ...client.access, baseUrl: 'https://service.test' })
  expect(settlingOf(pollMs)).toEqual({ afterMessage, betweenTurns: 30_000 })
})

test.each([
  ['works once more', ['completed', 'active']],
  ['ends otherwise', ['failed', 'failed']],
])('4.8 the end of a turn before stands from its first reading on, if the job %s', async (_, readings) => {
  const turn: Turn = { answerStatus: 'completed', staleReads: 1000 }
  const { polled, requests, clock } = await afterMessage(turn, { pollMs: 5000, wasBusy: true, readings })
  expect(polled.job.status).toBe('completed')
  const from = requests()[readings.length]?.at ?? 0
  expect(clock.passed()).toBeGreaterThanOrEqual(from + 30_000)
})
