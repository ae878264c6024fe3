import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { startEmulator } from '../../emulator/emulator.ts'
import { runAction } from '../../emulator/runner.ts'
import { ACTIONS, access, comment } from '../demo/actions.ts'
import { type Cost, costOf, costOfScript, median } from './cost.ts'
import type { Report } from './table.ts'

const RUNS = 7
const MOST = 1.8
const ISSUE = 12

/**
 * A whole run of the bundle in a thread, beside a process of Node that makes one request.
 * @param beside folder of another checkout, whose bundle is measured in turn with this one
 */
export async function startUp(beside?: string): Promise<Report> {
  const other = beside === undefined ? [] : [join(resolve(beside), 'action.yml')]
  const times = new Map<string, Cost[]>()
  const note = (name: string, cost: Cost) => times.set(name, [...(times.get(name) ?? []), cost])
  for (let run = 0; run < RUNS; run++) {
    note('a bare fetch', await bareFetch())
    note('bundle', await threadRun(ACTIONS.root))
    for (const action of other) note(`bundle of ${basename(resolve(beside ?? ''))}`, await threadRun(action))
  }
  const bare = median(times.get('a bare fetch') ?? [], 'ms')
  const rows = [...times].map(([name, costs]) => {
    const ms = median(costs, 'ms')
    return [name, { ms, 'of a fetch': ms / bare, 'peak in MiB': median(costs, 'peakMiB') }] as const
  })
  const value = median(times.get('bundle') ?? [], 'ms') / bare
  return {
    title: 'Start-up',
    note: `Processor time in ms, the median of ${RUNS}: a whole run for a command in a thread, and a bare fetch.`,
    rows: Object.fromEntries(rows),
    goals: [{ what: 'a run by a bare fetch', value, limit: MOST }],
  }
}

/** The main step of a command: the thread is read, the agent asked, its end written down. */
async function threadRun(action: string): Promise<Cost> {
  const emulator = await startEmulator()
  try {
    emulator.github.setPermission('alice', 'write')
    emulator.github.addIssue({ number: ISSUE, title: 'Retries', user: 'carol', body: 'How do retries work?' })
    const event = comment(emulator, { issue: ISSUE, login: 'alice', body: '/docs explain it' })
    const inputs = { ...access(emulator), 'poll-interval-seconds': '0.05' }
    return await costOf(async (env) => {
      const { exitCode, log } = await runAction({ action, emulator, event, inputs, env, post: false })
      if (exitCode !== 0) throw new Error(log)
    })
  } finally {
    await emulator.close()
  }
}

async function bareFetch(): Promise<Cost> {
  const server = createServer((_, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    return await costOfScript(`fetch('http://127.0.0.1:${port}').then((answer) => answer.text())`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
