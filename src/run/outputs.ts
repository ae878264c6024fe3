import type { Core } from '../deps.ts'
import type { Report } from '../messages/report.ts'
import type { Job } from '../request/job.ts'
import type { JobAction } from '../request/outcome.ts'

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
  'issue-number',
  'preview-url',
  'preview-status',
  'checks',
  'fixes',
] as const
type OutputName = (typeof OUTPUTS)[number]
type Values = Partial<Record<OutputName, string>>

export type Outputs = ReturnType<typeof outputWriter>

/** Writes each output as soon as it is known, so that it outlives a kill, and only when it changed. */
export function outputWriter(core: Core) {
  const written: Values = {}
  const set = (values: Values) => {
    for (const [name, value] of Object.entries(values) as [OutputName, string][]) {
      if (written[name] === value) continue
      written[name] = value
      core.setOutput(name, value)
    }
  }
  return {
    thread: (number: number | undefined) => set({ 'issue-number': String(number ?? '') }),
    job: (job: Job, action: JobAction) => set({ ...jobOutputs(job), 'job-action': action }),
    end(report: Report, commentUrl: string): void {
      set({
        outcome: report.outcome,
        reason: report.reason,
        'job-action': report.jobAction,
        'duration-seconds': String(Math.floor(report.durationMs / 1000)),
        'comment-url': commentUrl,
        'issue-number': written['issue-number'] ?? '',
        'preview-url': report.preview?.status === 'success' ? report.preview.url : '',
        'preview-status': report.preview?.status ?? '',
        checks: report.checks?.status ?? '',
        fixes: String(report.checks?.fixes ?? ''),
        ...jobOutputs(report.job),
      } satisfies Record<OutputName, string>)
      const all = OUTPUTS.map((name) => [name, written[name] ?? ''])
      core.setOutput('result', JSON.stringify(Object.fromEntries(all)))
    },
  }
}

const jobOutputs = (job: Job | undefined) => ({
  'job-id': job?.id ?? '',
  status: job?.status ?? '',
  'pr-link': job?.prLink ?? '',
  model: job?.model ?? '',
  repository: job?.repository ?? '',
  ref: job?.ref ?? '',
  'created-at': job?.createdAt ?? '',
  'archived-at': job?.archivedAt ?? '',
})
