import { linkName } from '../link.ts'
import type { ChecksStatus } from '../request/record.ts'
import type { Report } from './phrases.ts'

/** What a commit status says of the docs; the link is '' for the page of the run (contract 4.13). */
export interface Verdict {
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly description: string
  readonly link: string
}

export const WORKING: Verdict = { state: 'pending', description: 'The docs agent is working', link: '' }

/** How the checks of the docs' pull request stand when the run ends, behind its name. */
const CHECKS: Readonly<Record<ChecksStatus, string>> = {
  success: '',
  none: '',
  failure: ': its checks fail',
  pending: ', whose checks had not ended',
  unavailable: ', whose checks could not be read',
}

export interface VerdictFacts extends Pick<Report, 'outcome' | 'reason' | 'job'> {
  readonly checks?: { readonly status: ChecksStatus } | undefined
}

/** The verdict of an end; undefined while the job works, or where nothing was decided. */
export function commitVerdictOf({ outcome, reason, job, checks }: VerdictFacts): Verdict | undefined {
  const link = job?.prLink ?? ''
  switch (outcome) {
    case 'pull-request':
      return {
        state: checks?.status === 'failure' ? 'failure' : 'success',
        description: `${linkName(link)}${checks === undefined ? '' : CHECKS[checks.status]}`,
        link,
      }
    case 'no-pull-request':
      if (job?.unusableLink === true)
        return { state: 'success', description: 'The docs agent finished; its link cannot be used', link }
      return { state: 'success', description: 'The docs agent opened no pull request', link }
    case 'failed':
      return { state: 'failure', description: 'The docs agent failed', link }
    case 'archived':
      return { state: 'failure', description: 'The job of the docs agent was archived', link }
    case 'error': {
      if (reason === 'creation-uncertain')
        return { state: 'error', description: 'It is not known whether the docs agent got the request', link }
      if (job !== undefined)
        return { state: 'error', description: 'The job of the docs agent can no longer be followed', link }
      const why = reason === '' ? '' : ` (${reason})`
      return { state: 'error', description: `The docs agent did not get the request${why}`, link }
    }
    case 'skipped':
      if (reason === 'job-active') return WORKING
      return reason === 'pull-request-open'
        ? { state: 'success', description: linkName(link), link }
        : undefined
    case 'timed-out':
    case 'cancelled':
    case 'started':
      return undefined
    default:
      return outcome satisfies never
  }
}
