import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insightsScene, onlyError } from '../helpers/analytics.ts'

test('9.4 an earlier file survives answers of another kind', async () => {
  const { run, emulator, workspace, text, files } = insightsScene({})
  writeFileSync(join(workspace, 'insights.md'), 'earlier')
  const fault = { kind: 'wrongType', body: '{"conversations":[7]}' } as const
  emulator.faults.add({ skip: 1, times: Number.POSITIVE_INFINITY, fault })
  const result = await run()
  expect(onlyError(result)).toContain('row 1 cannot be used')
  expect([text('insights.md'), files()]).toEqual(['earlier', ['insights.md']])
  expect(result.outputs).toMatchObject({ file: '', findings: '', pages: '', complete: 'false' })
  expect(Number(result.outputs.requests)).toBe(emulator.requests.length)
})

test.each([
  ['include', { include: 'feedback, complaints' }],
  ['min-count', { 'min-count': '0' }],
  ['top', { top: '251' }],
  ['file', { file: '../insights.md' }],
] as const)('9 bad input: one error that names %s, and no request', async (name, inputs) => {
  const { run, emulator } = insightsScene({})
  expect(onlyError(await run(inputs))).toMatch(new RegExp(`^Input ${name} .+\\. .+\\.$`))
  expect(emulator.requests).toEqual([])
})
