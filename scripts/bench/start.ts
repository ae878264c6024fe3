import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { startEmulator } from '../../emulator/emulator.ts'
import type { StepProcess } from '../../emulator/runner/step.ts'
import { startAction } from '../../emulator/runner.ts'
import { ACTIONS, access, comment } from '../demo/actions.ts'
import type { Report } from './table.ts'

const ROUNDS = 21
/** The first rounds fill the file cache. */
const WARM_UP = 2
/** What version 1.1 takes for a command, as a ratio to one `fetch` of Node. */
const LIMIT = 2.3
const ISSUE = 12

/** Processor time of each action until its first request, as a ratio to one `fetch`. Linux alone tells it. */
export async function start(): Promise<Report> {
  const emulator = await startEmulator()
  emulator.github.addIssue({ number: ISSUE, title: 'Retries' })
  const command = comment(emulator, { issue: ISSUE, login: 'alice', body: '/docs explain it' })
  const dispatch = { name: 'workflow_dispatch', payload: {} }
  const inputs = access(emulator)
  const action = (name: keyof typeof ACTIONS, event: typeof dispatch | typeof command) => () =>
    startAction({ action: ACTIONS[name], event, emulator, inputs, post: false })
  const bare = () => {
    const child = spawn(process.execPath, ['-e', `fetch('${emulator.serviceUrl}')`], { stdio: 'ignore' })
    return { child, done: new Promise((resolve) => child.once('exit', resolve)) }
  }
  const contenders = [
    { name: 'node -e fetch', begin: bare },
    { name: 'comment on an issue', begin: action('root', command) },
    { name: 'visitors', begin: action('visitors', dispatch) },
    { name: 'insights', begin: action('insights', dispatch) },
    { name: 'collect', begin: action('collect', dispatch) },
  ].map((contender) => ({ ...contender, times: [] as number[] }))
  try {
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const { begin, times } of contenders) {
        let child: StepProcess | undefined
        const call = () => {
          if (round >= WARM_UP) times.push(cpuTimeOf(child?.pid ?? 0))
          child?.kill('SIGKILL')
        }
        emulator.faults.add({ fault: { kind: 'call', call } })
        const running = begin()
        child = running.child
        await running.done
      }
    }
  } finally {
    await emulator.close()
  }
  const medians = contenders.map(({ times }) => times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0)
  const found = contenders.map(({ name }, at) => {
    const processor = medians[at] ?? 0
    return { name, processor, ratio: processor / (medians[0] ?? 1) }
  })
  return {
    title: 'Start',
    note: `Processor time until the first request, in ms: medians of ${ROUNDS} rounds.`,
    rows: Object.fromEntries(found.map(({ name, ...figures }) => [name, figures])),
    goals: found.slice(1).map(({ name, ratio }) => ({ what: name, value: ratio, limit: LIMIT })),
  }
}

/** Of all threads of a process that runs, in ms (https://docs.kernel.org/scheduler/sched-stats.html). */
function cpuTimeOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const ns = readdirSync(tasks).map((task) =>
    Number.parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'utf8'), 10),
  )
  return ns.reduce((sum, value) => sum + value, 0) / 1e6
}
