import { leftOpen } from '../core/errors.ts'
import { knownJob } from '../core/job.ts'
import { namesJob } from '../core/marker.ts'
import { ended, type Progress, type Result } from './progress.ts'

/**
 * A run that ends before it has a plan (told to stop, say) has sent nothing itself. What an earlier attempt may have
 * sent it neither forgets nor denies: the job that the thread knows goes on, and what was uncertain is (5.2, 6.1).
 */
export async function heedEarlier(progress: Progress, result: Result): Promise<Result> {
  const { session, planned } = progress
  if (session === undefined || planned === true || result.outcome === 'skipped') return result
  progress.memory ??= await session.thread.recall()
  const own = progress.memory?.own?.marker
  if (own?.state === 'sending') {
    progress.targetJob = own.job
    return ended('error', 'creation-uncertain', leftOpen(EARLIER_UNDER_WAY))
  }
  if (own !== undefined && namesJob(own)) {
    progress.job = knownJob(own)
    progress.messagedAt = own.messaged
  }
  return result
}

/** What a `sending` marker of this very request means to an attempt that finds it. */
export const EARLIER_UNDER_WAY = 'an earlier attempt of this run ended while its request was under way'
