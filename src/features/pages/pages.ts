// Off where the job has no pull request.

import { GitHubError } from '../../base/errors.ts'
import { asObject } from '../../base/json.ts'
import { CONTEXT_MS } from '../../github/retry-budget.ts'
import { type Job, namedLink } from '../../record/job.ts'
import type { Pages } from '../../record/report.ts'
import { docsPullRequest } from '../../thread/docs-pull-request.ts'
import type { Session } from '../../thread/session.ts'

/** Of the list of files: one page. */
const MOST_LISTED = 100
const MOST_NAMED = 5

/**
 * The files that the agent's pull request changes. Undefined without one, where the token cannot read them, and where people could
 * read of a private repository in a thread that is not private.
 */
export async function readPages(session: Session, job: Job | undefined): Promise<Pages | undefined> {
  const { github, runner } = session
  try {
    const pull = await docsPullRequest(session, namedLink(job))
    if (pull === undefined) return undefined
    const isAmongThem = pull.isHere || asObject(runner.payload.repository).private === true
    if (!isAmongThem && (await github.pullRequest(pull)).isPrivate !== false) return undefined
    const files = await github.filesOf(pull, MOST_LISTED, CONTEXT_MS)
    if (files.length === 0) return undefined
    const names = files.slice(0, MOST_NAMED).map(({ path }) => path)
    return { names, more: files.length - names.length, isCut: files.length >= MOST_LISTED }
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    return undefined
  }
}
