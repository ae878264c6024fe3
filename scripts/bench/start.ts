import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEmulator } from '../../emulator/emulator.ts'
import { ISSUE, processOf, SUBJECTS } from './subjects.ts'
import { median, type Report } from './table.ts'

const ROUNDS = 41
/** The first rounds fill the file cache. */
const WARM_UP = 2
/** Against accidents: processor time, as a ratio to the packages and one request. */
const LIMIT = 1.5

const TOOLKIT = fileURLToPath(new URL('toolkit.ts', import.meta.url))

interface Time {
  readonly wallMs: number
  /** On a processor, all threads; unlike the other it hardly depends on what else the machine does. */
  readonly cpuMs: number
}

interface Contender {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Spawn to first request of each action, as a ratio to the least that Node can do. */
export async function start(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-bench-'))
  const server = await firstRequests()
  try {
    const contenders = contendersAt(server.url, folder)
    const times = contenders.map((): Time[] => [])
    for (let round = 0; round < ROUNDS + WARM_UP; round++) {
      for (const [i, contender] of contenders.entries()) {
        const time = await server.timeOf(contender)
        if (round >= WARM_UP) times[i]?.push(time)
      }
    }
    const wall = times.map((of) => median(of.map(({ wallMs }) => wallMs)))
    const cpu = times.map((of) => median(of.map(({ cpuMs }) => cpuMs)))
    const ratio = (of: readonly number[], i: number) => (of[i] ?? 0) / (of[0] ?? 1)
    return {
      title: 'Start',
      note: `From spawn to the first request, in ms: medians of ${ROUNDS} interleaved rounds.`,
      head: ['', 'wall', 'ratio', 'processor', 'ratio'],
      rows: contenders.map(({ name }, i) => [
        name,
        (wall[i] ?? 0).toFixed(1),
        ratio(wall, i).toFixed(2),
        (cpu[i] ?? 0).toFixed(1),
        ratio(cpu, i).toFixed(2),
      ]),
      goals: contenders.slice(2).map(({ name }, i) => ({
        what: `${name}, to the packages`,
        value: (cpu[i + 2] ?? 0) / (cpu[1] ?? 1),
        limit: LIMIT,
        unit: '',
      })),
    }
  } finally {
    server.close()
    rmSync(folder, { recursive: true })
  }
}

function contendersAt(url: string, folder: string): Contender[] {
  const emulator = createEmulator({ origin: url })
  emulator.github.addIssue({ number: ISSUE, title: 'Retries' })
  const bare = { name: 'node -e fetch', args: ['-e', `fetch('${url}')`], env: {} }
  const actions = SUBJECTS.map((subject, i) => {
    const eventPath = join(folder, `event-${i}.json`)
    const { script, env, event } = processOf(subject, emulator, {
      workspace: folder,
      temp: folder,
      event: eventPath,
    })
    writeFileSync(eventPath, JSON.stringify(event.payload))
    return { name: subject.name, args: [script], env }
  })
  execFileSync('ncc', ['build', TOOLKIT, '--out', folder, '--transpile-only', '--quiet'])
  const toolkit = { name: 'the packages and one fetch', args: [join(folder, 'index.js'), url], env: {} }
  return [bare, toolkit, ...actions]
}

/** A server that answers nothing: whoever asks is stopped. */
async function firstRequests() {
  let asked = (_at: number): void => {}
  const server = createServer(() => asked(performance.now()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
    async timeOf({ name, args, env }: Contender): Promise<Time> {
      const at = new Promise<number>((resolve) => {
        asked = resolve
      })
      const from = performance.now()
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
      const ended = new Promise<never>((_, reject) => {
        child.once('error', reject)
        child.once('exit', () => reject(new Error(`${name} ended without a request`)))
      })
      const wallMs = (await Promise.race([at, ended])) - from
      const cpuMs = cpuTimeOf(child.pid ?? 0)
      child.kill('SIGKILL')
      await ended.catch(() => undefined)
      return { wallMs, cpuMs }
    },
  }
}

/** Of a process that runs, in ms; 0 where the system does not tell (https://docs.kernel.org/scheduler/sched-stats.html). */
function cpuTimeOf(pid: number): number {
  if (process.platform !== 'linux') return 0
  const tasks = `/proc/${pid}/task`
  const ns = readdirSync(tasks).map((task) =>
    Number.parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'utf8'), 10),
  )
  return ns.reduce((sum, value) => sum + value, 0) / 1e6
}
