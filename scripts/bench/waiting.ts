import { startEmulator } from '../../emulator/emulator.ts'
import { runAction } from '../../emulator/runner.ts'
import { ACTIONS, access, comment } from '../demo/actions.ts'
import { costOf, costOfScript } from './cost.ts'
import type { Report } from './table.ts'

const ISSUE = 12
const MOST = 1.5

/** The memory of a run that waits 50 minutes for a job, on a clock that is 60 times as fast. */
export async function waiting(): Promise<Report> {
  const emulator = await startEmulator()
  emulator.service.everyTurn = { reads: Number.POSITIVE_INFINITY }
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: ISSUE, title: 'Retries', user: 'carol', body: 'How do retries work?' })
  const event = comment(emulator, { issue: ISSUE, login: 'alice', body: '/docs explain it' })
  const inputs = { ...access(emulator), 'wait-minutes': '50' }
  const run = await costOf(async (env) => {
    const { outputs, log } = await runAction({
      ...{ action: ACTIONS.root, emulator, event, inputs, env },
      post: false,
    })
    if (outputs.outcome !== 'timed-out') throw new Error(log)
  }, 'fast')
  await emulator.close()
  const sleep = await costOfScript('setTimeout(() => {}, 1000)')
  return {
    title: 'Waiting',
    note: 'Memory at its peak, in MiB: a run that waits 50 minutes, and a bare process of Node that sleeps.',
    rows: {
      bundle: { 'peak in MiB': run.peakMiB, 'of a sleep': run.peakMiB / sleep.peakMiB, ms: run.ms },
      'a bare sleep': { 'peak in MiB': sleep.peakMiB, 'of a sleep': 1, ms: sleep.ms },
    },
    goals: [{ what: 'memory by a bare sleep', value: run.peakMiB / sleep.peakMiB, limit: MOST }],
  }
}
