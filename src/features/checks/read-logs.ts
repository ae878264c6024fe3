import type { PullRequestRef } from '../../base/link.ts'
import { codeSpan, count, joined } from '../../base/text.ts'
import { CONTEXT_MS } from '../../github/retry-budget.ts'
import type { Source } from '../../prompt/references.ts'
import type { Session } from '../../thread/session.ts'
import type { ReadCheck } from './classify.ts'
import { excerptOf, failedStep } from './job-log.ts'

/** The logs of failing jobs. */
interface Logs {
  readonly sections: readonly Source[]
  /** What is missing, in words of our own; '' for nothing. */
  readonly note: string
}

export const NO_LOGS: Logs = { sections: [], note: '' }

/** Jobs whose logs are read. */
const MOST_LOGS = 5
/** UTF-16 units of one. */
const LONGEST_LOG = 4000
/** Of the pull request, whose lines in a log come first. */
const MOST_FILES = 100

/**
 * What the failing steps of failing jobs wrote, from the repository of the pull request. What cannot be read is a warning, and a
 * note.
 */
export async function readLogs(
  { github, warnings, deps }: Session,
  pull: PullRequestRef,
  checks: readonly ReadCheck[],
): Promise<Logs> {
  // The run of a check of GitHub Actions alone has the id of its job; what fails on the base branch, too, is to be left alone.
  const jobs = checks.flatMap(({ run, name, result }) =>
    run?.app === 'github-actions' && run.id > 0 && result === 'failed' ? [{ id: run.id, name }] : [],
  )
  const steps = await Promise.all(
    jobs.slice(0, MOST_LOGS).map(async ({ id, name }) => {
      const log = await warnings.warnOnFailure('job-log', () => github.jobLog(pull, id))
      return { name, isRead: log !== undefined, lines: failedStep(log ?? '', deps.secrets) }
    }),
  )
  const isLong = steps.some(({ lines }) => lines.join('\n').length > LONGEST_LOG)
  const files = isLong ? await github.filesOf(pull, MOST_FILES, CONTEXT_MS).catch(() => []) : []
  const paths = files.map(({ path }) => path)
  const shown = steps.filter(({ lines }) => lines.length > 0)
  const unread = steps.filter(({ isRead }) => !isRead).length
  const more = jobs.length - steps.length
  return {
    sections: shown.map(({ name, lines }) => ({
      heading: `The end of the log of ${codeSpan(name, 200)}:`,
      text: lines.join('\n'),
      most: LONGEST_LOG,
      fit: (budget) => excerptOf(lines, budget, paths),
    })),
    note: joined(
      ' ',
      unread > 0 ? `${count(unread, 'log')} could not be read.` : '',
      more > 0 ? `${count(more, 'more log')} ${more === 1 ? 'has' : 'have'} no room here.` : '',
    ),
  }
}
