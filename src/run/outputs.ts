import type { Ending } from '../core/ending.ts'
import type { Job } from '../core/job.ts'
import type { JobAction } from '../core/outcome.ts'
import type { Runner } from '../runner/runner.ts'

/** The outputs of the root action, in the order of action.yml (contract 2). `result` holds all others as JSON. */
export const OUTPUTS = [
  'outcome',
  'reason',
  'job-id',
  'status',
  'pr-link',
  'model',
  'repository',
  'ref',
  'created-at',
  'archived-at',
  'job-action',
  'duration-seconds',
  'comment-url',
] as const
export type OutputName = (typeof OUTPUTS)[number]
type Values = Record<OutputName, string>

/** Writes each output as soon as it is known, so that it outlives a kill, and only when it changed. */
export interface Outputs {
  job(job: Job, action: JobAction): void
  end(ending: Ending, commentUrl: string): void
}

export function outputsOf(runner: Pick<Runner, 'output'>): Outputs {
  const written: Partial<Values> = {}
  const set = (values: Partial<Values>) => {
    for (const [name, value] of Object.entries(values)) {
      if (written[name as OutputName] === value) continue
      written[name as OutputName] = value
      runner.output(name, value)
    }
  }
  return {
    job: (job, action) => set({ ...jobValues(job), 'job-action': action }),
    end(ending, commentUrl) {
      set({ ...endValues(ending, commentUrl), ...jobValues(ending.job) })
      const all = OUTPUTS.map((name) => [name, written[name] ?? ''])
      runner.output('result', JSON.stringify(Object.fromEntries(all)))
    },
  }
}

function jobValues(job: Job | undefined): Partial<Values> {
  return {
    'job-id': job?.id ?? '',
    status: job?.status ?? '',
    'pr-link': job?.prLink ?? '',
    model: job?.model ?? '',
    repository: job?.repository ?? '',
    ref: job?.ref ?? '',
    'created-at': job?.createdAt ?? '',
    'archived-at': job?.archivedAt ?? '',
  }
}

function endValues(ending: Ending, commentUrl: string): Partial<Values> {
  return {
    outcome: ending.outcome,
    reason: ending.reason,
    'job-action': ending.jobAction,
    'duration-seconds': String(Math.floor(ending.durationMs / 1000)),
    'comment-url': commentUrl,
  }
}
