import { jobWithId } from '../../src/request/job.ts'
import type { RecordedComment } from '../../src/request/precedence.ts'
import type { ActionRecord, RequestIdentity, ThreadState } from '../../src/request/record.ts'
import type { RequestState } from '../../src/request/states.ts'

export const IDENTITY: RequestIdentity = {
  key: 'mine',
  origin: 'here',
  run: '1.1',
  requestedAt: 1,
  requestedBy: 'alice',
  command: '/docs',
  comment: 'issue:1',
  settings: { preview: false, reviewers: [], labels: [] },
  coversUntil: 0,
}

export type RecordFields = Partial<RequestIdentity & { writtenAt: number }> & (RequestState | ThreadState)

/** A record in this state; fields that are not given are arbitrary. */
export const recordOf = (fields: RecordFields): ActionRecord =>
  ({ ...IDENTITY, writtenAt: 1000, ...fields }) as ActionRecord

/** The fields of a state that has a job. */
export const withJob = (id: string, prLink = '', status = 'completed') => ({
  job: { ...jobWithId(id), status, prLink },
  messagedAt: 0,
})

let nextId = 1

/** A comment with this record, posted after all that were made before. */
export function recorded(fields: RecordFields, id = nextId++): RecordedComment {
  return { id, url: `https://github.com/${id}`, body: 'words', record: recordOf(fields) }
}
