import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a process has cost when it ends, on Linux. */
export interface Cost {
  /** Processor time of user and system, in ms. */
  readonly ms: number
  /** The most memory that it held, in MiB. */
  readonly peakMiB: number
}

// `maxRSS` begins with the memory of the process that started this one.
const REPORT = `const { readFileSync, writeFileSync } = require('node:fs')
process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const [, peakKiB] = /VmHWM:\\s*(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))
  writeFileSync(process.env.COST_FILE, JSON.stringify([(userCPUTime + systemCPUTime) / 1000, peakKiB / 1024]))
})
`

/** A minute of the process passes in a second. Its requests have their usual time on the clock, and end in a sixtieth. */
const FAST_CLOCK = `const promises = require('node:timers/promises')
const { setTimeout: wait } = promises
promises.setTimeout = (ms, ...more) => wait(ms / 60, ...more)
const [start, from] = [Date.now(), performance.now()]
const passed = performance.now.bind(performance)
performance.now = () => (passed() - from) * 60
Date.now = () => start + performance.now()
require('node:module').syncBuiltinESMExports()
`

/** What a process costs that `act` starts with these variables. @param clock `fast`: 60 times as fast as it is */
export async function costOf(
  act: (env: Readonly<Record<string, string>>) => Promise<unknown>,
  clock: 'real' | 'fast' = 'real',
): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-bench-'))
  try {
    const [hook, report] = [join(folder, 'hook.cjs'), join(folder, 'cost')]
    writeFileSync(hook, REPORT + (clock === 'fast' ? FAST_CLOCK : ''))
    await act({ NODE_OPTIONS: `--require=${hook}`, COST_FILE: report })
    const [ms, peakMiB] = JSON.parse(readFileSync(report, 'utf8')) as [number, number]
    return { ms, peakMiB }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A process of Node that runs this text. */
export const costOfScript = async (script: string): Promise<Cost> =>
  await costOf(async (env) =>
    promisify(execFile)(process.execPath, ['--eval', script], { env: { PATH: process.env.PATH, ...env } }),
  )

/** @param key of the figure whose median counts */
export const median = (costs: readonly Cost[], key: keyof Cost): number =>
  costs.map((cost) => cost[key]).toSorted((a, b) => a - b)[costs.length >> 1] ?? 0
