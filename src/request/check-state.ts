import * as v from 'valibot'
import { names, whole } from '../json.ts'

export const CHECKS_STATUSES = ['success', 'failure', 'pending', 'none', 'unavailable'] as const
export type ChecksStatus = (typeof CHECKS_STATUSES)[number]

/** What was read of the checks. A run that follows them keeps the part `checks` open. */
export const CHECKS = v.object({
  /** `pending`: a run has not read how they end, so a re-run may follow them (4.12). */
  status: v.picklist(CHECKS_STATUSES),
  /** SHAs of the commits whose failures the job may have got, in order. */
  sentFor: names,
  /** When the job may have got the last of them; 0 for never. */
  messagedAt: whole,
  /** The job worked on an earlier turn right before that (contract 4.8). */
  wasBusy: v.fallback(v.optional(v.boolean()), undefined),
  /** A head of the pull request had a check. */
  hadAny: v.fallback(v.optional(v.boolean()), undefined),
})
export type CheckState = v.InferOutput<typeof CHECKS>
/** The state before a run has read any check. */
export const NO_CHECKS: CheckState = { status: 'pending', sentFor: [], messagedAt: 0 }
