// Off unless `changes-since` is set, or a push began the run.

import type { PullRequest } from '../../event/objects.ts'
import { MOST_MERGED, type RequestIdentity } from '../../record/record.ts'

export { listChanges, readMerged } from './changes.ts'
export { findThreadOfPush } from './find-thread-of-push.ts'
export { noteUncounted } from './pick-merges.ts'
export { bringsNothing, readPush } from './push.ts'

/** What the record remembers of the pull requests that a request is for. @param pulls in the order of their merges */
export const mergedIn = (pulls: readonly Pick<PullRequest, 'number'>[]): Pick<RequestIdentity, 'merged'> => ({
  merged: pulls.map(({ number }) => number).slice(-MOST_MERGED),
})
