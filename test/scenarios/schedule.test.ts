import { expect, test } from 'vitest'
import {
  ask,
  bodies,
  expectOutcome,
  ISSUE,
  lastWords,
  ownWorld,
  promptCounts,
  prompts,
  records,
} from './conversation-helpers.ts'
import { refresh } from './refresh-helpers.ts'

test('3.6 4.9 5.4 a scheduled refresh continues its pull request, and mentions nobody', async () => {
  const emulator = await ownWorld()
  const inputs = { 'issue-number': String(ISSUE) }
  for (const runId of [1, 2, 3]) expectOutcome(await refresh(emulator, runId, inputs), 'pull-request')
  expect(promptCounts(emulator)).toEqual([3])
  expect(prompts(emulator).slice(1)).toEqual(['Refresh the docs.', 'Refresh the docs.'])
  expect([...(emulator.github.repository('octo/app')?.pulls.keys() ?? [])]).toEqual([77])
  expect(bodies(emulator)).toHaveLength(3)
  expect(lastWords(emulator)).not.toContain('@')
  expect(records(emulator).at(-1)).toMatchObject({ requestedBy: '', comment: '' })
})

test('3.6 without issue-number there is no memory and no comment', async () => {
  const emulator = await ownWorld()
  for (const runId of [1, 2]) expectOutcome(await refresh(emulator, runId), 'pull-request')
  expect(promptCounts(emulator)).toEqual([1, 1])
  expect(bodies(emulator)).toEqual([])
})

test('3.6 the event’s own thread comes before issue-number', async () => {
  const emulator = await ownWorld()
  emulator.github.addIssue({ number: 20 })
  await ask(emulator, '/docs explain', {}, { inputs: { 'issue-number': '20' } })
  expect(bodies(emulator)).toHaveLength(1)
  expect(bodies(emulator, 20)).toEqual([])
})
