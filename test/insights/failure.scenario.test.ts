import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FaultRule } from '../../emulator/faults.ts'
import { onlyError } from '../visitors/helpers.ts'
import { scene } from './helpers.ts'

const ALWAYS = { times: Number.POSITIVE_INFINITY }

/** The feedback arrives before it goes wrong. */
const FAILURES: readonly (readonly [string, FaultRule, string])[] = [
  ['a wrong key', { skip: 1, fault: { kind: 'status', status: 401 } }, 'refused to read the assistant'],
  [
    'the hourly limit',
    { skip: 1, ...ALWAYS, fault: { kind: 'status', status: 429 } },
    '100 requests an organization an hour',
  ],
  [
    'an outage',
    { skip: 2, ...ALWAYS, fault: { kind: 'status', status: 500 } },
    'refused to read the searches',
  ],
  ['a server that hangs', { skip: 1, ...ALWAYS, fault: { kind: 'stall' } }, 'got no answer'],
  [
    'answers of another kind',
    { skip: 1, ...ALWAYS, fault: { kind: 'wrongType', body: '{"conversations":[7]}' } },
    'row 1 cannot be used',
  ],
]

describe('9.4 an earlier file survives', () => {
  test.each(FAILURES)(
    '%s',
    async (_, fault, said) => {
      const { run, emulator, workspace, text, files } = await scene({})
      writeFileSync(join(workspace, 'insights.md'), 'earlier')
      emulator.faults.add(fault)
      const result = await run({ 'timeout-minutes': '0.1' })
      expect(onlyError(result)).toContain(said)
      expect([text('insights.md'), files()]).toEqual(['earlier', ['insights.md']])
      const { requests } = result.outputs
      expect(result.outputs).toMatchObject({ file: '', findings: '', pages: '', complete: 'false' })
      expect(Number(requests)).toBe(emulator.requests.length)
    },
    20_000,
  )

  test('SIGINT', async () => {
    const { start, emulator, workspace, text, files } = await scene({})
    writeFileSync(join(workspace, 'insights.md'), 'earlier')
    emulator.faults.add({ skip: 1, fault: { kind: 'call', call: () => void action.kill('SIGINT') } })
    emulator.faults.add({ skip: 1, fault: { kind: 'stall' } })
    const action = start()
    expect(onlyError(await action.done)).toBe('The run was cancelled, so nothing was written.')
    expect([text('insights.md'), files()]).toEqual(['earlier', ['insights.md']])
  })
})

test('9.4 a run that is too slow says what to change', async () => {
  const { run, emulator } = await scene({ searches: 2000 })
  emulator.faults.add({ ...ALWAYS, fault: { kind: 'delay', ms: 400 } })
  const result = await run({ 'timeout-minutes': '0.05', 'min-count': '1' })
  expect(onlyError(result)).toMatch(
    /Only [\d,]+ rows could be read within 3 s.*shorter period|no answer within/,
  )
})

test.each([
  ['include', { include: 'feedback, complaints' }],
  ['include', { include: ',' }],
  ['min-count', { 'min-count': '0' }],
  ['top', { top: '251' }],
  ['file', { file: 'insights.csv' }],
  ['file', { file: '../insights.md' }],
  ['period', { period: 'yesterday' }],
] as const)('9 bad input: one error that names %s, and no request', async (name, inputs) => {
  const { run, emulator } = await scene({})
  expect(onlyError(await run(inputs))).toMatch(new RegExp(`^Input ${name} .+\\. .+\\.$`))
  expect(emulator.requests).toEqual([])
})
