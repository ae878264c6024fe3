import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import {
  act,
  ask,
  bodies,
  expectOutcome,
  ISSUE,
  lastWords,
  ownWorld,
  prompts,
  records,
} from './conversation-helpers.ts'

const EVENT = { name: 'schedule', payload: { schedule: '0 6 * * 1' } }
const inputs = (more: Record<string, string> = {}) => ({
  prompt: 'Refresh the docs.',
  'issue-number': String(ISSUE),
  ...more,
})
const run = (emulator: Emulator, runId: number, more: Record<string, string> = {}, attempt = 1) =>
  act(emulator, EVENT, { runId, attempt, inputs: inputs(more) })
const started = ({ service }: Emulator) => service.jobs().map(({ prompts: all }) => all.length)

test('3.6 4.9 a scheduled refresh continues its pull request, so that none pile up', async () => {
  const emulator = await ownWorld()
  for (const runId of [1, 2, 3]) expectOutcome(await run(emulator, runId), 'pull-request')
  expect(started(emulator)).toEqual([3])
  expect(prompts(emulator).slice(1)).toEqual(['Refresh the docs.', 'Refresh the docs.'])
  expect([...(emulator.github.repository('octo/app')?.pulls.keys() ?? [])]).toEqual([77])
  expect(bodies(emulator)).toHaveLength(3)
})

test('4.9 or skips while it is open, and starts again when it is merged', async () => {
  const emulator = await ownWorld()
  expectOutcome(await run(emulator, 1, { conversation: 'skip' }), 'pull-request')
  expectOutcome(await run(emulator, 2, { conversation: 'skip' }), 'skipped', 'pull-request-open')
  expect(bodies(emulator)).toHaveLength(1)
  emulator.github.closePullRequest(77, { merged: true })
  expectOutcome(await run(emulator, 3, { conversation: 'skip' }), 'pull-request')
  expect(started(emulator)).toEqual([1, 1])
})

test('5.4 a schedule mentions nobody', async () => {
  const emulator = await ownWorld()
  await run(emulator, 1)
  expect(lastWords(emulator)).not.toContain('@')
  expect(records(emulator)).toMatchObject([{ requestedBy: '', comment: '' }])
})

test('5.2 a re-run of the same run resumes, another run does not', async () => {
  const emulator = await ownWorld()
  await run(emulator, 1)
  const again = await run(emulator, 1, {}, 2)
  expect(again.outputs['job-action']).toBe('resumed')
  expect(started(emulator)).toEqual([1])
  expect((await run(emulator, 2)).outputs['job-action']).toBe('continued')
})

test('3.6 without issue-number there is no memory and no comment', async () => {
  const emulator = await ownWorld()
  const alone = (runId: number) => act(emulator, EVENT, { runId, inputs: { prompt: 'Refresh the docs.' } })
  expectOutcome(await alone(1), 'pull-request')
  expectOutcome(await alone(2), 'pull-request')
  expect(started(emulator)).toEqual([1, 1])
  expect(bodies(emulator)).toEqual([])
})

test('4.9 people go on with the scheduled job in its thread', async () => {
  const emulator = await ownWorld()
  await run(emulator, 1)
  const { result } = await ask(emulator, '/docs leave out the changelog')
  expect(result.outputs['job-action']).toBe('continued')
  expect(started(emulator)).toEqual([2])
})

test('3.6 the event’s own thread comes before issue-number', async () => {
  const emulator = await ownWorld()
  emulator.github.addIssue({ number: 20 })
  await ask(emulator, '/docs explain', {}, { inputs: { 'issue-number': '20' } })
  expect(bodies(emulator)).toHaveLength(1)
  expect(bodies(emulator, 20)).toEqual([])
})
