import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { act, answer } from '../helpers/action.ts'
import { bodies, CREATE, READ, world } from './conversation-helpers.ts'

const HOSTILE = [
  'x',
  '::set-output name=outcome::pull-request',
  '::add-mask::Docs',
  '  ::stop-commands::never',
  '##[add-mask]agent',
  'y ##[error]z',
  '```',
  '</details>',
  '@octo/everyone',
].join('\n')

/** The runner obeyed only the action's own commands: two masks, and annotations of the given levels. */
function obeyed(result: RunResult, ...levels: string[]): void {
  const names = result.commands.map(({ name }) => name)
  expect(names).toEqual(['add-mask', 'add-mask', ...levels])
  expect(new Set(result.masks)).toEqual(new Set(['test-key', 'test-token']))
  expect(result.fileErrors).toEqual([])
}

test('2.4 a hostile prompt', async () => {
  const emulator = await world()
  const result = await answer(emulator, `/docs ${HOSTILE}`)
  expect(result.outputs.outcome).toBe('pull-request')
  obeyed(result)
  // The fence of the summary and of the comment is longer than the prompt's.
  expect(result.summary).toMatch(/````text\n[\s\S]*<\/details>\n@octo\/everyone[\s\S]*\n````\n\n<\/details>/)
  expect(bodies(emulator)[0]).toMatch(/````text\n[\s\S]*@octo\/everyone\n````\n\n<\/details>/)
})

test('2.4 hostile fields of the job', async () => {
  const emulator = await world()
  const fields = { model: HOSTILE, source: { repository: HOSTILE, ref: HOSTILE }, createdAt: HOSTILE }
  emulator.service.everyTurn = { fields, activeStatus: HOSTILE, reads: 2 }
  const result = await answer(emulator, '/docs Explain retries')
  expect(result.outputs.outcome).toBe('pull-request')
  obeyed(result)
  for (const shown of [result.summary, bodies(emulator)[0]]) expect(shown).not.toMatch(/^(::|##\[|@octo)/m)
})

test.each<readonly [string, unknown]>([
  ['JSON', { error: HOSTILE, details: [{ message: HOSTILE }] }],
  ['plain text', HOSTILE],
  ['carriage returns', HOSTILE.replaceAll('\n', '\r')],
])('2.4 a hostile error body as %s', async (_, body) => {
  const emulator = await world()
  const fault: Fault = { kind: 'status', status: 400, body }
  emulator.faults.add({ match: CREATE, fault })
  const result = await answer(emulator, '/docs Explain retries')
  expect(result.outputs).toMatchObject({ outcome: 'error', reason: 'rejected' })
  obeyed(result, 'error')
  expect(bodies(emulator)[0]).not.toMatch(/^(::|##\[|@octo)/m)
})

test('2.4 a hostile error body of a read that is tried again', async () => {
  const emulator = await world()
  emulator.faults.add({ match: READ, times: 3, fault: { kind: 'status', status: 500, body: HOSTILE } })
  const result = await act(emulator)
  expect(result.outputs.outcome).toBe('pull-request')
  expect(result.log).toContain('HTTP 500')
  obeyed(result)
})

test('2.4 a hostile input', async () => {
  const emulator = await world()
  obeyed(await act(emulator, { inputs: { conversation: HOSTILE } }), 'error')
})

test.each([
  ['the answer to create', CREATE, 400],
  ['the answer to a read', READ, 400],
  ['a passing fault', READ, 500],
])('6.3 secrets that a body echoes are redacted: %s', async (_, match, status) => {
  const emulator = await world()
  const body = { error: 'Bad header "Authorization: Bearer test-key"' }
  emulator.faults.add({ match, fault: { kind: 'status', status, body } })
  const result = await answer(emulator, '/docs Explain retries')
  const printed = result.rawLog.replaceAll(/^::add-mask::.*$/gm, '')
  expect(printed).toContain('Bearer ***')
  expect(JSON.stringify([printed, result.outputs, result.summary, bodies(emulator)])).not.toContain(
    'test-key',
  )
})

test('6.3 with debug logging, too, no secret is printed', async () => {
  const emulator = await world()
  const result = await act(emulator, { debug: true, event: { name: 'push', payload: 7 } })
  expect(result.outputs.reason).toBe('internal')
  expect(result.rawLog.replaceAll(/^::add-mask::.*$/gm, '')).not.toMatch(/test-key|test-token/)
})
