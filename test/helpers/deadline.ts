import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import type { FaultMatch } from '../../emulator/faults.ts'
import { READ } from '../scenarios/conversation-helpers.ts'

const PRELOAD = new URL('jump-clock.ts', import.meta.url)

/**
 * Lets the deadline of a run pass at its first such request, a read of the job unless told otherwise, however busy the
 * machine is.
 * @returns the environment of that run
 */
export function deadlineAtFirst(
  { faults }: Emulator,
  match: FaultMatch = READ,
): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'deadline-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const signal = join(folder, 'passed')
  faults.add({ match, fault: { kind: 'call', call: () => writeFileSync(signal, '') } })
  return { NODE_OPTIONS: `--import=${PRELOAD.href}`, CLOCK_JUMPS_WITH: signal }
}
