import { expect, test } from 'vitest'
import { runAction } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { SAYS } from '../helpers/phrases.ts'
import { expectCounts, plant, resultOf, rootRun, start } from '../helpers/sweeps.ts'
import { ISSUE, ownWorld, type World } from '../helpers/world.ts'

const PULL = 77

/** What people see of a thread: without records, the prompt that only its run knows, and the time that passed. */
const seen = (emulator: World, on: number): string[] =>
  emulator.bodies(on).map((body) =>
    body
      .replace(/\n\n<details>.*<\/details>/s, '')
      .replace(/<!--.*-->/s, '')
      .replace(/ · after \d+ s · /, ' · … · '),
  )

const ENDINGS: readonly (readonly [string, Turn])[] = [
  ['pull-request', { reads: 0 }],
  ['no-pull-request', { reads: 0, pr: 'none' }],
  ['failed', { reads: 0, ending: 'failed' }],
  ['archived', { reads: 0, ending: 'archived' }],
]

test.each(ENDINGS)(
  '8.1 5.3 5.5 %s is told exactly as by a run that waited',
  { tags: 'bundle' },
  async (outcome, turn) => {
    const [waited, collected] = [ownWorld(), ownWorld()]
    const body = '/docs explain\n```` tricky ``` fences'
    const said = waited.say(body)
    waited.service.script.push(turn)
    const run = await runAction(rootRun(waited, said, { inputs: { wait: 'true' } }))
    expect(run.outputs.outcome, run.log).toBe(outcome)

    const { id, job } = await start(collected, { turn, body })
    expect(collected.reactions(id)).toEqual(['eyes'])
    const result = await collected.collect()
    expectCounts(result, { finished: 1 })
    expect(resultOf(result)).toEqual([
      { 'job-id': job, thread: ISSUE, outcome, 'pr-link': run.outputs['pr-link'] },
    ])

    expect(seen(collected, ISSUE)).toEqual(seen(waited, ISSUE))
    expect(seen(collected, ISSUE).join()).toContain('@alice')
    expect(collected.reactions(id)).toEqual(waited.reactions(said.id))
    const pullRequests = outcome === 'pull-request' ? [PULL] : []
    for (const pull of pullRequests) {
      expect(seen(collected, pull)).toEqual(seen(waited, pull))
      expect(collected.records(pull)).toMatchObject([{ state: 'backlink', job: { id: job } }])
    }
    expect(collected.records()).toMatchObject([
      { state: 'ended', job: { id: job, prLink: run.outputs['pr-link'] } },
    ])
  },
)

test('8.2 with `comment: off` it reports in outputs and summary alone, and leaves the rest to a sweep that comments', async () => {
  const emulator = ownWorld()
  const inputs = { reviewers: 'bob', labels: 'docs' }
  const { id, job } = await start(emulator, { turn: { reads: 0 }, inputs })
  const before = emulator.bodies()
  emulator.clearRequests()
  for (let n = 0; n < 2; n++) {
    const result = await emulator.collect({ comment: 'off' })
    expectCounts(result, { finished: 1 })
    expect(resultOf(result)).toMatchObject([{ 'job-id': job, outcome: 'pull-request' }])
  }
  expect(emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect([emulator.bodies(), emulator.bodies(PULL)]).toEqual([before, []])
  expect(emulator.reactions(id)).toEqual(['eyes'])
  expectCounts(await emulator.collect(), { finished: 1 })
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expect(emulator.reactions(id)).toEqual(['rocket'])
})

/** The comment of the job that works, as a maintainer leaves it. */
function edit(emulator: World, change: (body: string) => string): void {
  const comment = emulator.written().at(-1)
  if (comment === undefined) throw new Error('no comment')
  emulator.github.editComment(comment.id, change(comment.body))
}

test('5.2 a request that people edited in the comment is not shown as the request', async () => {
  const emulator = ownWorld()
  await start(emulator, { body: '/docs explain retries', turn: { reads: 0 } })
  edit(emulator, (body) => body.replace('explain retries', 'praise the maintainer'))
  expectCounts(await emulator.collect(), { finished: 1 })
  expect(emulator.lastWords()).toMatch(/opened/)
  expect(emulator.lastWords()).not.toMatch(/praise|<details>/)
})

test('8.1 5.1 in a thread with several jobs the one asked for last is told last, and is the one to continue', async () => {
  const emulator = ownWorld()
  const now = emulator.settings.now()
  const later = await plant(emulator, { requestedAt: now - 60_000 })
  const earlier = await plant(emulator, { requestedAt: now - 120_000 })
  expectCounts(await emulator.collect(), { finished: 2 })
  expect(emulator.records()).toMatchObject([{ job: { id: earlier } }, { job: { id: later } }])
  const writtenAt = emulator.records().map((record) => record.writtenAt)
  expect(writtenAt).toEqual(writtenAt.toSorted((a, b) => a - b))
})

test.each([403, 404, 502])(
  '8.3 where GitHub takes no result (%i), the sweep is green, and the next one tries again',
  async (status) => {
    const emulator = ownWorld()
    await plant(emulator, { turn: { reads: 0 } })
    const match = { method: 'GET', path: /\/issues\/12\/comments$/ }
    const away = emulator.faults.add({
      match,
      times: Number.POSITIVE_INFINITY,
      fault: { kind: 'status', status },
    })
    const result = await emulator.collect()
    expect({ exitCode: result.exitCode, failed: result.outputs.failed }).toEqual({ exitCode: 0, failed: '1' })
    away.remove()
    expectCounts(await emulator.collect(), { finished: 1 })
  },
)
