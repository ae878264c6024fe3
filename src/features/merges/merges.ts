// Off unless `changes-since` is set, or a push began the run.

import type { PullRequest } from '../../event/objects.ts'
import { MOST_MERGED, type RequestIdentity } from '../../record/record.ts'

export { listChanges, readMerged } from './changes.ts'
export { findThreadOfPush } from './find-thread-of-push.ts'
export { noteUncounted } from './pick-merges.ts'
export { bringsNothing, readPush } from './push.ts'

/** Of a push that asks about one merge in the thread of its pull request: the head that was merged. @param thread number */
export const mergedHead = (
  pulls: readonly Pick<PullRequest, 'number' | 'headSha'>[],
  thread: number | undefined,
): Partial<Pick<RequestIdentity, 'head'>> => {
  const [pull, ...more] = pulls
  if (pull === undefined || more.length > 0 || pull.number !== thread) return {}
  return { head: { sha: pull.headSha, digest: '', workflowStep: '' } }
}

/** What the record remembers of the pull requests that a request is for. @param pulls in the order of their merges */
export const mergedIn = (pulls: readonly Pick<PullRequest, 'number'>[]): Pick<RequestIdentity, 'merged'> => ({
  merged: pulls.map(({ number }) => number).slice(-MOST_MERGED),
})
