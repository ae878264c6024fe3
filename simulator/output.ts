import { existsSync, readFileSync } from 'node:fs'
import { parseFileCommands } from '../emulator/runner/file-commands.ts'

/** What a process leaves behind in the runner's files. */
export interface Footprint {
  readonly outputs: ReadonlyMap<string, string>
  readonly state: ReadonlyMap<string, string>
  readonly summary: string
  /** Why the runner would refuse a file. */
  readonly errors: readonly string[]
}

export function readFootprint(env: Readonly<Record<string, string>>): Footprint {
  const errors: string[] = []
  const text = (name: string) => {
    const path = env[name] ?? ''
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  const pairs = (name: string) => {
    try {
      return parseFileCommands(text(name))
    } catch (error) {
      errors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return new Map<string, string>()
    }
  }
  return {
    outputs: pairs('GITHUB_OUTPUT'),
    state: pairs('GITHUB_STATE'),
    summary: text('GITHUB_STEP_SUMMARY'),
    errors,
  }
}

/** What `act` writes to the standard output of this process; it writes at once, so nobody else's gets in. */
export function captured(act: () => void): string {
  const { write } = process.stdout
  let text = ''
  process.stdout.write = (chunk: string | Uint8Array): boolean => {
    text += String(chunk)
    return true
  }
  try {
    act()
  } finally {
    process.stdout.write = write
  }
  return text
}

/** The lines as the runner sees them: they end at a line feed, a carriage return or both. */
export function printed(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
