import type { Ending } from '../core/ending.ts'
import type { Job } from '../core/job.ts'
import type { JobAction, Outcome, Reason } from '../core/outcome.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Runner } from '../runner/runner.ts'
import type { Memory } from '../thread/memory.ts'
import type { Kept } from '../thread/report.ts'
import { type Outputs, outputsOf } from './outputs.ts'
import type { Session } from './session.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What a run has come to so far. It grows as the story goes on, so that whatever ends it can be told in full. */
export interface Progress extends Mutable<Kept> {
  readonly startedAt: number
  readonly outputs: Outputs
  inputs?: Inputs
  session?: Session
  /** What the thread remembers, as last read; undefined where it could not be. */
  memory?: Memory | undefined
  /** It is settled what the run does about a job. */
  planned?: true
  job?: Job
  jobAction: JobAction
  prompt: string
  note: string
  /** The person who may not, with what they have instead; '' when that is unknown. */
  denied?: { readonly login: string; readonly has: string }
}

/** How the story ended; `Ending` adds what the progress knows. */
export type Result = Pick<Ending, 'outcome' | 'reason' | 'message'>

export const begin = (runner: Runner, startedAt: number): Progress => ({
  startedAt,
  outputs: outputsOf(runner),
  jobAction: 'none',
  targetJob: '',
  messagedAt: 0,
  prompt: '',
  note: '',
})

export const ended = (outcome: Outcome, reason: Reason = '', message = ''): Result => ({
  outcome,
  reason,
  message,
})

/** The job as just read: kept, and written to the outputs at once. */
export function sawJob(progress: Progress, job: Job): void {
  progress.job = job
  progress.outputs.job(job, progress.jobAction)
}

export function endingOf(progress: Progress, result: Result, now: number): Ending {
  return {
    ...result,
    job: progress.job,
    jobAction: progress.jobAction,
    followUp: progress.messagedAt > 0,
    note: progress.note,
    asker: progress.session?.asker ?? '',
    instruction: progress.session?.instruction ?? '',
    prompt: progress.prompt,
    // A clock that is set back makes no time undone.
    durationMs: Math.max(0, now - progress.startedAt),
  }
}
