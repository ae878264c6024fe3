import { orCancelled } from '../../base/deps.ts'
import { unlessRefused } from '../../base/errors.ts'
import type { PullRequestRef } from '../../base/link.ts'
import { type Facts, requestsIn } from '../../record/fold.ts'
import type { RequestRecord } from '../../record/record.ts'
import { jobOf } from '../../record/states.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import type { Thread } from '../../thread/thread.ts'
import { otherThreadOf } from '../../thread/two-threads.ts'

/** What the requests of a job did about the checks of its pull request. */
export interface RequestsOfJob {
  /** Who made a later request, whose run follows them: '' for no person; undefined for none. */
  readonly followedBy: string | undefined
  /** SHAs of the commits whose failures the job may have got. */
  readonly sentFor: readonly string[]
  /** In force in one of the threads. */
  readonly skip: Facts['skip']
}

/**
 * Reads both threads of the job: the one that asked for the pull request, and the pull request itself. What GitHub refuses to
 * show counts as empty. @throws {GitHubError} where GitHub does not answer: what is not known must not go out twice
 */
export async function requestsOfJob(
  session: Session,
  run: Run,
  pull: PullRequestRef,
): Promise<RequestsOfJob> {
  const { thread, identity, job } = run
  if (thread === undefined || session.commentMode === 'off')
    return { followedBy: undefined, sentFor: [], skip: undefined }
  const other = otherThreadOf(session, run, pull)
  const places = [thread, ...(other === undefined ? [] : [other])]
  const recordsIn = async (place: Thread) => {
    await unlessRefused(orCancelled(session.deps.cancellation, place.read(session)), undefined)
    const { current, others, facts } = place.recordsFor(identity)
    const records = [...(current === undefined ? [] : [current]), ...others].map(({ record }) => record)
    // What may have gone out stands also in a record that another one of the same request has replaced.
    const all = requestsIn(place.log)
    return { records, all, skip: facts.skip }
  }
  const read = await Promise.all(places.map(recordsIn))
  const isOfJob = (record: RequestRecord) => jobOf(record)?.id === job?.id
  const later = read
    .flatMap(({ records }) => records.filter(isOfJob))
    .filter((record) => record.requestedAt > identity.requestedAt && watchesChecks(record))
    .toSorted((a, b) => b.requestedAt - a.requestedAt)[0]
  return {
    followedBy: later?.requestedBy,
    sentFor: read
      .flatMap(({ all }) => all.filter(isOfJob))
      .flatMap((record) => (record.state === 'ended' ? (record.checks?.sentFor ?? []) : [])),
    skip: read.find((one) => one.skip !== undefined)?.skip,
  }
}

const watchesChecks = ({ settings, ...state }: RequestRecord): boolean =>
  settings.fixAttempts > 0 &&
  (state.state === 'running' || (state.state === 'ended' && state.checks !== undefined))
