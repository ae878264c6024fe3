/** As last read. The service marks no field as required, so everything but the id may be missing, as ''. */
export interface Job {
  readonly id: string
  /** One of `STATUSES` in `outcome.ts`, or one that this version does not know. */
  readonly status: string
  /** The service's `prLink`, if it is safe to show (contract 2.2); else ''. */
  readonly prLink: string
  readonly unusableLink: boolean
  readonly model: string
  /** The service's `source.repository`: a URL, without credentials. */
  readonly repository: string
  /** The service's `source.ref`: a branch, which may be the base of the pull request. */
  readonly ref: string
  /** A date-time as the service writes it, like `archivedAt`. */
  readonly createdAt: string
  readonly archivedAt: string
}

export const jobWithId = (id: string): Job => ({
  id,
  status: '',
  prLink: '',
  unusableLink: false,
  model: '',
  repository: '',
  ref: '',
  createdAt: '',
  archivedAt: '',
})

/** Printable ASCII that can stand in a path: `.` and `..` would climb out of it, even percent-encoded. */
export const isJobId = (id: string): boolean => /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id)

export type Preview =
  | {
      readonly status: 'success'
      /** A URL that is safe to show (contract 2.2), or ''. */
      readonly url: string
    }
  | { readonly status: 'failure'; readonly logTail: readonly string[] }
  | { readonly status: 'timed-out' | 'unavailable'; readonly why: string }
