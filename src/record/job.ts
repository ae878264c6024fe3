import * as v from 'valibot'
import { flag, nameUpTo, textUpTo } from '../base/json.ts'
import { LONGEST_LINK, usableLink, withoutCredentials } from '../base/link.ts'

/** As last read, and as records keep it. The service marks no field as required: what is missing is ''. */
export const JOB = v.object({
  id: nameUpTo(200),
  /** One of `STATUSES` in `outcome.ts`, or one that this version does not know. */
  status: textUpTo(40),
  /** The service's `prLink`, if it is safe to show; else ''. */
  prLink: v.pipe(
    textUpTo(LONGEST_LINK),
    v.transform((link) => usableLink(link) ?? ''),
  ),
  /** The last turn named no pull request: `prLink` is of an earlier one, and stays the job's. */
  isEarlierLink: flag,
  unusableLink: flag,
  model: textUpTo(100),
  /** The service's `source.repository`: a URL. */
  repository: v.pipe(textUpTo(200), v.transform(withoutCredentials)),
  /** The service's `source.ref`: a branch, which may be the base of the pull request. */
  ref: textUpTo(255),
  /** A date-time as the service writes it, like `archivedAt`. */
  createdAt: textUpTo(40),
  archivedAt: textUpTo(40),
})
export type Job = Readonly<v.InferOutput<typeof JOB>>

const NO_JOB: Job = v.parse(JOB, { id: '-' })

export const jobWithId = (id: string): Job => ({ ...NO_JOB, id })

/** What is known of a job after one more reading. */
export const reread = (before: Job, read: Job): Job =>
  read.prLink !== '' || before.prLink === '' ? read : { ...read, prLink: before.prLink, isEarlierLink: true }

/** The pull request that the last turn named; '' for none. */
export const namedLink = (job: Pick<Job, 'prLink' | 'isEarlierLink'> | undefined): string =>
  job === undefined || job.isEarlierLink ? '' : job.prLink

/** Printable ASCII that can stand in a path: `.` and `..` would climb out of it, even percent-encoded. */
export const isJobId = (id: string): boolean => /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id)
