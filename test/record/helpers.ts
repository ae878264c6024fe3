import type { RecordedComment } from '../../src/record/fold.ts'
import { jobWithId } from '../../src/record/job.ts'
import {
  type ActionRecord,
  isRequestRecord,
  NO_IDENTITY,
  type RequestIdentity,
  type RequestRecord,
} from '../../src/record/record.ts'

export const IDENTITY: RequestIdentity = {
  ...NO_IDENTITY,
  requestDigest: 'mine',
  attemptsDigest: 'here',
  attempt: '1.1',
  requestedAt: 1,
  requestedBy: 'alice',
  command: '/docs',
  comment: 'issue:1',
}

type Distributed<R> = R extends ActionRecord ? Partial<R> & Pick<R, 'state'> : never
export type RecordFields = Distributed<ActionRecord>

/** A record in this state; fields that are not given are arbitrary. */
export const recordOf = (fields: RecordFields): ActionRecord =>
  ({ ...IDENTITY, writtenAt: 1000, leaseMs: 0, ...fields }) as ActionRecord

export function requestRecordOf(fields: RecordFields): RequestRecord {
  const record = recordOf(fields)
  if (!isRequestRecord(record)) throw new Error('the record of no request')
  return record
}

/** The fields of a state that has a job. */
export const withJob = (id: string, prLink = '', status = 'completed') => ({
  job: { ...jobWithId(id), status, prLink },
  acceptedAt: 0,
  messagedAt: 0,
  wasBusy: false,
  headBefore: '',
  note: {},
})

/** A result after which nothing is left. */
export const endedWith = (id: string, prLink = '', status = 'completed') => ({
  state: 'ended' as const,
  ...withJob(id, prLink, status),
  ending: {
    outcome: status === 'failed' ? ('failed' as const) : ('pull-request' as const),
    reason: '' as const,
    message: '',
  },
  effectsDone: true,
  checks: undefined,
})

let nextId = 1

/** A comment with this record, posted after all that were made before. */
export function recorded(fields: RecordFields, id = nextId++): RecordedComment {
  const times = { createdAt: 0, updatedAt: 0 }
  return {
    ...{ id, nodeId: `N_${id}`, url: `https://github.com/${id}`, body: 'words', author: { login: 'bot' } },
    ...times,
    record: recordOf(fields),
  }
}
