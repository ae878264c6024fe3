import { jobWithId } from '../../src/request/job.ts'
import type { RecordedComment } from '../../src/request/precedence.ts'
import {
  type ActionRecord,
  isRequestRecord,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  stateOf,
  type ThreadState,
  type Times,
} from '../../src/request/record.ts'

export const IDENTITY: RequestIdentity = {
  key: 'mine',
  textDigest: '',
  origin: 'here',
  run: '1.1',
  round: 0,
  requestedAt: 1,
  requestedBy: 'alice',
  command: '/docs',
  comment: 'issue:1',
  settings: { preview: false, reviewers: [], labels: [] },
  commitStatus: { name: '', sha: '' },
  head: { sha: '', digest: '', step: '' },
  saysCodeEnd: false,
  coversUntil: 0,
  merged: [],
  authors: [],
  tracking: false,
}

type Fields = Partial<RequestIdentity & Times>
type WithoutEnd<S> = S extends RequestState
  ? Omit<S, 'openParts' | 'ending'> & Partial<Pick<S, 'openParts' | 'ending'>>
  : S
export type RecordFields = Fields & WithoutEnd<RequestState | ThreadState>

/** A record in this state; fields that are not given are arbitrary. */
export const recordOf = (fields: RecordFields): ActionRecord =>
  ({ ...IDENTITY, openParts: [], writtenAt: 1000, waitsMs: 0, ...fields }) as ActionRecord

export function requestRecordOf(fields: RecordFields): RequestRecord {
  const record = recordOf(fields)
  if (!isRequestRecord(record)) throw new Error('the record of no request')
  return record
}

export const stateIn = (fields: RecordFields): RequestState => stateOf(requestRecordOf(fields))

/** A result after which nothing is open. */
export const reportedWith = (id: string, prLink = '', status = 'completed') => ({
  state: 'reported' as const,
  ...withJob(id, prLink, status),
  ending: undefined,
  openParts: [],
  isLinked: false,
})

/** The fields of a state that has a job. */
export const withJob = (id: string, prLink = '', status = 'completed') => ({
  job: { ...jobWithId(id), status, prLink },
  messagedAt: 0,
  wasBusy: false,
  note: {},
})

let nextId = 1

/** A comment with this record, posted after all that were made before. */
export function recorded(fields: RecordFields, id = nextId++): RecordedComment {
  return { id, url: `https://github.com/${id}`, body: 'words', record: recordOf(fields) }
}
