import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const VARIABLE = 'DOCS_AGENT_FORGE'

export interface Keeper {
  /** For every process that is to end with the folder. */
  readonly env: Readonly<Record<string, string>>
  /** Ends those processes and deletes the folder. */
  release(): Promise<void>
}

/**
 * Watches this process from a session of its own. When this process ends, however it ends, the processes that carry
 * `env` are killed, with all that they started, and the folder is deleted.
 */
export function keep(folder: string): Keeper {
  const keeper = spawn(process.execPath, [fileURLToPath(import.meta.url), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => keeper.once('exit', () => resolve()))
  keeper.unref()
  return {
    env: { [VARIABLE]: folder },
    release: async () => {
      keeper.ref()
      keeper.stdin.end()
      await gone
    },
  }
}

/** The processes that carry the folder in their environment or work in it. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => belongs(name, folder))
    .map(Number)
}

function belongs(pid: string, folder: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    return (
      environment.includes(`${VARIABLE}=${folder}`) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    )
  } catch {
    // It has ended, or is another user's.
    return false
  }
}

/** Kills until nothing is left: a process may start another while it is looked for. */
async function killAll(folder: string): Promise<void> {
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    await pause(50)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? ''
  // A signal to the whole group is for the others: this process ends when its parent has.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.stdin.resume().once('close', async () => {
    await killAll(folder)
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
}
