import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PACKAGES = ['cmarkgfm==2025.10.22', 'nh3==0.3.8', 'html5lib==1.1']
const SCRIPT = join(import.meta.dirname, 'judge.py')

/** What the judge makes of one text. */
export interface Verdict {
  /** Sanitised. */
  readonly html: string
  /** What a reader sees, with the targets of links. */
  readonly text: string
}

export interface Judge {
  readonly ask: (markdown: string) => Promise<Verdict>
  readonly close: () => void
}

/**
 * Starts the second renderer in a Python environment of its own.
 * @throws {Error} where there is no Python, or where its packages cannot be installed
 */
export function startJudge(): Judge {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  try {
    const python = install(folder)
    const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return {
      ask: async (markdown) => {
        child.stdin.write(`${JSON.stringify(markdown)}\n`)
        const { value, done } = await lines.next()
        if (done === true) throw new Error('The judge ended before it answered: see its error above.')
        return JSON.parse(value)
      },
      close: () => {
        child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
        child.stdin.end()
      },
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function install(folder: string): string {
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })
  run('python3', '-m', 'venv', folder)
  const python = join(folder, 'bin', 'python')
  run(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES)
  return python
}
