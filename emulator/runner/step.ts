import { type ChildProcess, spawn } from 'node:child_process'
import type { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { parseFileCommands } from './file-commands.ts'
import { RunnerLog } from './log.ts'
import type { StepResult } from './run.ts'

export interface Step {
  readonly script: string
  /** What `GITHUB_EVENT_PATH` leads to. */
  readonly event: unknown
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Folder for this step's command files. */
  readonly folder: string
  readonly masks: Iterable<string>
  readonly debug: boolean
  readonly onLog: (line: string) => void
}

/** The process of a step: it emits `exit`. */
export interface StepProcess extends EventEmitter {
  readonly pid?: number | undefined
  readonly exitCode: number | null
  kill(signal: NodeJS.Signals): boolean
}

export interface StartedStep {
  readonly child: StepProcess
  readonly done: Promise<StepResult>
}

const FILES = ['OUTPUT', 'STATE', 'ENV', 'PATH', 'STEP_SUMMARY'] as const
/** Bytes; the runner drops a longer summary. */
const MAX_SUMMARY = 1024 * 1024

/** One process of an action, as the runner starts and reads it. */
export function startStep(step: Step): StartedStep {
  const log = new RunnerLog({ masks: step.masks, debug: step.debug, show: step.onLog })
  const { GITHUB_EVENT_PATH: event = '', RUNNER_TEMP: temp = '' } = step.env
  for (const folder of [step.cwd, temp]) mkdirSync(folder, { recursive: true })
  writeFileSync(event, JSON.stringify(step.event))
  const child = spawn(process.execPath, [step.script], {
    cwd: step.cwd,
    env: { ...step.env, ...commandFiles(step.folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // What has no runner any more would wait for an emulator that is gone.
  const stop = () => void child.kill('SIGKILL')
  process.once('exit', stop)
  child.once('exit', () => process.off('exit', stop))
  return { child, done: finish(child, log, step.folder) }
}

function commandFiles(folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true })
  const env: Record<string, string> = {}
  for (const name of FILES) {
    const file = join(folder, name.toLowerCase())
    writeFileSync(file, '')
    env[`GITHUB_${name}`] = file
  }
  return env
}

async function finish(child: ChildProcess, log: RunnerLog, folder: string): Promise<StepResult> {
  const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve([code, signal]))
  })
  const read = [child.stdout, child.stderr].map((stream) => eachLine(stream, (line) => log.line(line)))
  const [exitCode, signal] = await ended
  await Promise.all(read)

  const fileErrors: string[] = []
  const summary = readFileSync(join(folder, 'step_summary'), 'utf8')
  const tooLong = Buffer.byteLength(summary) > MAX_SUMMARY
  if (tooLong) fileErrors.push('$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k')
  return {
    exitCode,
    signal,
    log: log.text,
    rawLog: log.raw,
    outputs: readPairs(join(folder, 'output'), fileErrors),
    state: readPairs(join(folder, 'state'), fileErrors),
    summary: tooLong ? '' : summary,
    annotations: log.annotations,
    commands: log.commands,
    masks: [...log.masks],
    fileErrors,
  }
}

function readPairs(file: string, errors: string[]): Record<string, string> {
  try {
    return Object.fromEntries(parseFileCommands(readFileSync(file, 'utf8')))
  } catch (error) {
    errors.push(error instanceof Error ? error.message : String(error))
    return {}
  }
}

/** Lines end as they do for the runner: at a line feed, a carriage return or both, and nowhere else. */
async function eachLine(stream: Readable | null, use: (line: string) => void): Promise<void> {
  if (!stream) return
  stream.setEncoding('utf8')
  let rest = ''
  for await (const chunk of stream) {
    // A carriage return at the end may be half of a pair: it waits for what follows.
    const lines = (rest + String(chunk)).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    lines.forEach(use)
  }
  if (rest !== '') use(rest.replace(/\r$/, ''))
}
