import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { Deployment } from '../../emulator/service/previews.ts'
import { deployPreview } from '../../src/agent/preview.ts'
import { agentWorld } from '../helpers/agent.ts'

interface Options {
  readonly deployment?: Deployment
  readonly branch?: string
  readonly minutes?: number
}

function setUp({ deployment = {}, branch = 'docs/retries', minutes = 30 }: Options = {}) {
  const world = agentWorld()
  const { emulator, deps, client } = world
  emulator.service.previews.everyDeployment = deployment
  const deploy = () =>
    deployPreview(deps, client.access, branch, { deadline: minutes * 60_000, pollMs: 15_000, startedAt: 0 })
  const strike = (method: string, fault: Fault, times = Number.POSITIVE_INFINITY) =>
    emulator.faults.add({ match: { method }, times, fault })
  const sent = (method: string) => world.requests().filter(({ call }) => call === method).length
  return { ...world, deploy, strike, sent }
}

const status = (code: number, headers = {}): Fault => ({
  kind: 'status',
  status: code,
  body: { error: 'no' },
  headers,
})

test.each<[string, Fault, number]>([
  ['a reset', { kind: 'reset' }, 1],
  ['an outage', status(500), 1],
  ['a refusal', status(403), 1],
  ['no such project', status(404), 1],
  ['an answer that is none', { kind: 'html', status: 200 }, 1],
  [
    'an id that leads elsewhere',
    { kind: 'status', status: 202, body: { statusId: '..', previewUrl: 'x' } },
    1,
  ],
  ['a limit', status(429), 5],
  ['a refused connection', { kind: 'refuse' }, 5],
])('4.10 %s ends it, after as many requests as surely were not processed', async (_, fault, tries) => {
  const { deploy, strike, sent } = setUp()
  strike('POST', fault)
  expect(await deploy()).toMatchObject({ status: 'unavailable', why: expect.stringMatching(/\.$/) })
  expect(sent('POST')).toBe(tries)
  expect(sent('GET')).toBe(0)
})

test('4.10 a limit that passes is waited out', async () => {
  const { deploy, strike, clock } = setUp()
  strike('POST', status(429, { 'retry-after': '60' }), 1)
  expect(await deploy()).toMatchObject({ status: 'success' })
  expect(clock.passed()).toBeGreaterThanOrEqual(60_000)
})

test('4.10 reads that fail are repeated', async () => {
  const { deploy, strike } = setUp()
  strike('GET', status(502), 3)
  expect(await deploy()).toMatchObject({ status: 'success' })
})

test('4.10 a status that this version does not know is not the end', async () => {
  const { deploy, strike, lines } = setUp()
  strike('GET', { kind: 'status', status: 200, body: { status: 'paused' } }, 1)
  expect(await deploy()).toMatchObject({ status: 'success' })
  expect(lines.join('\n')).toMatch(/preview paused .*does not know/)
})

test.each<[string, Options, string]>([
  ['without a branch', { branch: '' }, 'unavailable'],
  ['after the deadline', { minutes: 0 }, 'timed-out'],
])('4.10 %s nothing is sent', async (_, options, expected) => {
  const { deploy, requests } = setUp(options)
  expect(await deploy()).toMatchObject({ status: expected })
  expect(requests()).toEqual([])
})
