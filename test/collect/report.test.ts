import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import { runAction } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { BOT, bodies, ISSUE, reactions, records, say, signingOf } from '../scenarios/conversation-helpers.ts'
import {
  collect,
  expectCounts,
  plant,
  reads,
  resultOf,
  rootRun,
  start,
  statusBody,
  world,
} from './helpers.ts'

const PULL = 77

/** What people see of a thread: without records and the time that passed. */
const seen = (emulator: Emulator, on: number): string[] =>
  bodies(emulator, on).map((body) => body.replace(/<!--.*-->/s, '').replace(/ · \d+ s · /, ' · … · '))

const ENDINGS: readonly (readonly [string, Turn])[] = [
  ['pull-request', { reads: 0 }],
  ['no-pull-request', { reads: 0, pr: 'none' }],
  ['failed', { reads: 0, ending: 'failed' }],
  ['archived', { reads: 0, ending: 'archived' }],
]

test.each(ENDINGS)('8.1 5.3 5.5 %s is told exactly as by a run that waited', async (outcome, turn) => {
  const [waited, collected] = [await world(), await world()]
  const body = '/docs explain\n```` tricky ``` fences'
  const said = say(waited, body)
  waited.service.script.push(turn)
  const run = await runAction(rootRun(waited, said, { inputs: { wait: 'true' } }))
  expect(run.outputs.outcome, run.log).toBe(outcome)

  const { id, job } = await start(collected, { turn, body })
  expect(reactions(collected, id)).toEqual(['eyes'])
  const result = await collect(collected)
  expectCounts(result, { finished: 1 })
  expect(resultOf(result)).toEqual([
    { 'job-id': job, thread: ISSUE, outcome, 'pr-link': run.outputs['pr-link'] },
  ])

  expect(seen(collected, ISSUE)).toEqual(seen(waited, ISSUE))
  expect(seen(collected, ISSUE).join()).toContain('@alice')
  expect(seen(collected, ISSUE).join()).toContain('tricky ``` fences')
  expect(reactions(collected, id)).toEqual(reactions(waited, said.id))
  const pullRequests = outcome === 'pull-request' ? [PULL] : []
  for (const pull of pullRequests) {
    expect(seen(collected, pull)).toEqual(seen(waited, pull))
    expect(records(collected, pull)).toMatchObject([{ state: 'link', job: { id: job } }])
  }
  expect(records(collected)).toMatchObject([
    { state: 'reported', job: { id: job, prLink: run.outputs['pr-link'] } },
  ])
})

test('8.1 the report names the command word of the request, also on the pull request', async () => {
  const emulator = await world()
  await start(emulator, { body: '/write explain', turn: { reads: 0 }, inputs: { command: '/write' } })
  expectCounts(await collect(emulator), { finished: 1 })
  for (const on of [ISSUE, PULL]) {
    expect(bodies(emulator, on)).toEqual([expect.stringContaining('`/write …`')])
    expect(bodies(emulator, on).join()).not.toContain('`/docs')
  }
})

test('8.2 with `comment: off` it reports in outputs and summary alone, and leaves the rest to a sweep that comments', async () => {
  const emulator = await world()
  const inputs = { preview: 'true', reviewers: 'bob', labels: 'docs' }
  const { id, job } = await start(emulator, { turn: { reads: 0 }, inputs })
  const before = bodies(emulator)
  emulator.clearRequests()
  for (let n = 0; n < 2; n++) {
    const result = await collect(emulator, { comment: 'off' })
    expectCounts(result, { finished: 1 })
    expect(resultOf(result)).toMatchObject([{ 'job-id': job, outcome: 'pull-request' }])
  }
  expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect([bodies(emulator), bodies(emulator, PULL)]).toEqual([before, []])
  expect(reactions(emulator, id)).toEqual(['eyes'])
  expectCounts(await collect(emulator), { finished: 1 })
  expect(bodies(emulator)).toEqual([expect.stringContaining('opened')])
  expect(reactions(emulator, id)).toEqual(['rocket'])
})

test('8.1 4.8 half a minute after the message, or once it was answered `active`, a terminal status counts', async () => {
  const emulator = await world()
  const now = Date.now()
  await plant(emulator, { messagedAt: now - 31_000, job: { status: 'completed' } })
  await plant(emulator, { messagedAt: now - 1_000, job: { status: 'active' } })
  await plant(emulator, { messagedAt: now - 1_000, job: { status: 'completed' } })
  expectCounts(await collect(emulator), { finished: 2, active: 1 })
})

test('8.1 two requests of one job cost one read, and both are told', async () => {
  const emulator = await world()
  const job = await plant(emulator)
  emulator.github.addIssue({ number: 13 })
  emulator.github.addComment(13, {
    login: BOT,
    body: statusBody({ key: 'second', jobId: job }, signingOf(13)),
  })
  expectCounts(await collect(emulator), { finished: 2 })
  expect(reads(emulator)).toEqual([`GET /v2/agent/docs/job/${job}`])
  expect(bodies(emulator)).toEqual([expect.stringContaining('opened')])
  expect(bodies(emulator, 13)).toEqual([expect.stringContaining('opened')])
})

test('8.1 5.1 in a thread with several jobs the one asked for last is told last, and is the one to continue', async () => {
  const emulator = await world()
  const now = Date.now()
  const later = await plant(emulator, { requestedAt: now - 60_000 })
  const earlier = await plant(emulator, { requestedAt: now - 120_000 })
  expectCounts(await collect(emulator), { finished: 2 })
  expect(records(emulator)).toMatchObject([{ job: { id: earlier } }, { job: { id: later } }])
  const writtenAt = records(emulator).map((record) => record.writtenAt)
  expect(writtenAt).toEqual(writtenAt.toSorted((a, b) => a - b))
})
