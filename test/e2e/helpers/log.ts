import { isRecord } from '../../../emulator/http.ts'

/** The main or post part of a step, from act's log. */
export interface LoggedStep {
  readonly job: string
  /** The text of `uses:`, or the step's name. */
  readonly step: string
  readonly stage: 'Main' | 'Post'
  result: string
  readonly outputs: Record<string, string>
  summary: string
  /** What the step printed, commands left out. */
  log: string
  readonly annotations: string[]
}

export interface WorkflowRun {
  readonly exitCode: number | null
  readonly steps: readonly LoggedStep[]
  /** The whole log without act's list of the values to mask. */
  readonly text: string
}

type Line = Readonly<Record<string, unknown>>

/** Reads what `act --json` prints. */
export function readLog(text: string, exitCode: number | null): WorkflowRun {
  const lines = text.split('\n').flatMap(parse)
  const steps: LoggedStep[] = []
  for (const line of lines) {
    const { stage } = line
    if (stage === 'Main' || stage === 'Post') note(stepOf(steps, line, stage), line)
  }
  const shown = lines.filter(({ command }) => command !== 'add-mask')
  return { exitCode, steps, text: shown.map((line) => JSON.stringify(line)).join('\n') }
}

function stepOf(steps: LoggedStep[], line: Line, stage: LoggedStep['stage']): LoggedStep {
  const [job, step] = [String(line.job), String(line.step)]
  const known = steps.find((one) => one.job === job && one.step === step && one.stage === stage)
  if (known !== undefined) return known
  const fresh = { job, step, stage, result: '', outputs: {}, summary: '', log: '', annotations: [] }
  steps.push(fresh)
  return fresh
}

function note(step: LoggedStep, line: Line): void {
  const { command, name, arg, content, msg, stepResult } = line
  if (command === 'set-output') step.outputs[String(name)] = String(arg)
  else if (command === 'summary') step.summary += String(content)
  else if (command === 'error' || command === 'warning') step.annotations.push(`${command}: ${String(arg)}`)
  else if (line.raw_output === true) step.log += String(msg)
  if (typeof stepResult === 'string') step.result = stepResult
}

/** Some of act's own warnings are plain text. */
function parse(line: string): Line[] {
  if (!line.startsWith('{')) return line.trim() === '' ? [] : [{ msg: line }]
  const value: unknown = JSON.parse(line)
  return isRecord(value) ? [value] : []
}
