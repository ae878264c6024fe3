import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { FIX, fixes } from '../helpers/checked-world.ts'
import { MINUTE, red, steppedWorld, sweep } from '../helpers/stepped-world.ts'

// 8.6: one request of the sweep that sends failures back breaks, each in turn. The message goes at most once, and later sweeps bring
// the request to its end, which says what is known.

test.each<[string, Fault]>([
  ['is reset before it arrives', { kind: 'reset' }],
  ['loses its answer', { kind: 'reset', when: 'after' }],
  ['is carried out, and answered with 502', { kind: 'status', status: 502, when: 'after' }],
  ['takes effect 40 s later', { kind: 'reset', when: 'late', lateMs: 40_000 }],
  ['is refused', { kind: 'status', status: 403 }],
])('8.6 each request %s', async (_, fault) => {
  for (let at = 0; ; at += 1) {
    const emulator = await steppedWorld({ heads: [red()] })
    await sweep(emulator, { afterMs: 0 })
    await emulator.pass(5 * MINUTE)
    emulator.clearRequests()
    let seen = 0
    let call = ''
    emulator.faults.source = ({ method, path }) => {
      seen += 1
      if (seen !== at + 1) return undefined
      call = `request ${at + 1} (${method} ${path})`
      return fault
    }
    await emulator.collect(FIX, { runId: 9_300_000 })
    emulator.faults.source = () => undefined
    for (let n = 0; n < 5; n += 1) await sweep(emulator, { afterMs: 10 * MINUTE })
    const got = emulator.service.jobs().flatMap(({ prompts }) => prompts.slice(1))
    expect(got.length, call).toBeLessThanOrEqual(1)
    const words = emulator.lastWords().split('\n')[0] ?? ''
    expect(words, call).not.toContain('next sweep')
    // Red where the agent got nothing, or nobody knows; green after a fix.
    if (got.length === 0 && fixes(emulator).length > 0)
      expect(words, call).toMatch(/may have gone|No further/)
    if (got.length === 1) expect(words, call).toContain('checks pass')
    if (seen <= at) break
  }
})
