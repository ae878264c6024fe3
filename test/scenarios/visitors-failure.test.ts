import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FaultRule } from '../../emulator/faults.ts'
import { onlyError, visitorsScene } from '../helpers/analytics.ts'
import { IN_BUNDLE } from '../helpers/world.ts'

/** 3 s. */
const SHORT = { 'timeout-minutes': '0.05', 'page-size': '10' }
const ALWAYS = { times: Number.POSITIVE_INFINITY }

/** Two pages arrive before it goes wrong. */
const FAILURES: readonly (readonly [string, FaultRule])[] = [
  ['an outage', { skip: 2, ...ALWAYS, fault: { kind: 'status', status: 503 } }],
  ['a server that hangs', { skip: 2, ...ALWAYS, fault: { kind: 'stall' } }],
  ['the hourly limit', { skip: 2, ...ALWAYS, fault: { kind: 'status', status: 429 } }],
]

describe('7.2 an earlier file survives', () => {
  test.each(FAILURES)('%s', async (_, fault) => {
    const { run, emulator, workspace, text, files } = visitorsScene({ rows: 60 })
    writeFileSync(join(workspace, 'visitors.csv'), 'earlier')
    emulator.faults.add(fault)
    const result = await run(SHORT)
    expect(onlyError(result)).toMatch(/\.$/)
    expect(text('visitors.csv')).toBe('earlier')
    expect(files()).toEqual(['visitors.csv'])
    expect(result.outputs).toMatchObject({ file: '', rows: '', complete: 'false' })
    expect(JSON.parse(result.outputs.result ?? '')).toMatchObject({ requests: result.outputs.requests })
    expect(result.summary).toMatch(/^## ❌ No visitors were exported\n\n./)
    expect(result.log).not.toMatch(/^\s+at /m)
  })

  test('SIGINT leaves no trace but its report', async () => {
    const { start, emulator, workspace, text, files } = visitorsScene({ rows: 60 })
    writeFileSync(join(workspace, 'visitors.csv'), 'earlier')
    const call = () => void action.kill('SIGINT')
    emulator.faults.add({ skip: 2, fault: { kind: 'call', call } })
    emulator.faults.add({ skip: 2, fault: { kind: 'stall' } })
    const action = start({ 'page-size': '10' })
    const result = await action.done
    expect(onlyError(result)).toBe('The run was cancelled, so nothing was written.')
    expect(result.outputs).toMatchObject({ requests: '3', complete: 'false' })
    expect(text('visitors.csv')).toBe('earlier')
    expect(files()).toEqual(['visitors.csv'])
  })

  test.runIf(IN_BUNDLE)('SIGKILL, at any page', { tags: 'bundle' }, async () => {
    const { start, emulator, workspace, text } = visitorsScene({ rows: 60 })
    writeFileSync(join(workspace, 'visitors.csv'), 'earlier')
    for (const skip of [0, 3, 5]) {
      emulator.faults.clear()
      emulator.faults.add({ skip, fault: { kind: 'call', call: () => void action.kill('SIGKILL') } })
      emulator.faults.add({ skip, fault: { kind: 'stall' } })
      const action = start({ 'page-size': '10' })
      expect(await action.done).toMatchObject({ signal: 'SIGKILL' })
      expect(text('visitors.csv')).toBe('earlier')
    }
  })
})

describe('7.4 the hourly limit', () => {
  test('2.5 is waited for as Retry-After says, with a line a minute', async () => {
    const { run, emulator } = visitorsScene({ rows: 25 })
    const headers = { 'retry-after': '120' }
    emulator.faults.add({ skip: 1, fault: { kind: 'status', status: 429, headers } })
    const { exitCode, outputs, log } = await run({ 'page-size': '10' })
    expect({ exitCode, ...outputs }).toMatchObject({ exitCode: 0, rows: '25', requests: '4' })
    expect(log).toMatch(/The run tries again in 2 min\.\n {3}1:00 {2}waiting for the service\n/)
    expect(log).not.toContain('Nothing was written.')
    const [, refused, again] = emulator.requests.map(({ at }) => at)
    expect((again ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(119_000)
  })

  test('ends it at once when the wait would pass timeout-minutes', async () => {
    const { run, emulator, files } = visitorsScene({ rows: 25 })
    emulator.faults.add({
      skip: 1,
      fault: { kind: 'status', status: 429, headers: { 'retry-after': '3000' } },
    })
    const began = emulator.settings.now()
    const message = onlyError(await run({ 'page-size': '10', file: 'reports/v.csv' }))
    expect(message).toContain('100 requests an organization an hour')
    expect(message).toContain('The service says to retry in 50 min.')
    expect(message).toContain('Nothing was written.')
    expect(files()).toEqual([])
    expect(emulator.settings.now() - began).toBeLessThan(5000)
  })
})
