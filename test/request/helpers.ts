import type { RecordedComment } from '../../src/request/history.ts'
import { rememberedJob } from '../../src/request/job.ts'
import type { RequestState } from '../../src/request/lifecycle.ts'
import type { ActionRecord, RequestIdentity, ThreadRecord } from '../../src/request/record.ts'

export const IDENTITY: RequestIdentity = {
  key: 'mine',
  run: '1.1',
  requestedAt: 1,
  requestedBy: 'alice',
  command: '/docs',
  comment: 'issue:1',
  finish: { preview: false, reviewers: [], labels: [] },
  coversUntil: 0,
}

type ThreadState = ThreadRecord extends infer R
  ? R extends ThreadRecord
    ? Omit<R, keyof RequestIdentity | 'writtenAt' | 'eyes'>
    : never
  : never

export type RecordFields = Partial<RequestIdentity & { writtenAt: number; eyes: number }> &
  (RequestState | ThreadState)

/** A record in this state; fields that are not given are arbitrary. */
export const recordOf = (fields: RecordFields): ActionRecord =>
  ({ ...IDENTITY, writtenAt: 1000, eyes: 0, ...fields }) as ActionRecord

/** The fields of a state that has a job. */
export const withJob = (id: string, prLink = '', status = 'completed') => ({
  job: rememberedJob({ jobId: id, status, prLink }),
  messagedAt: 0,
  waitsUntil: 0,
})

let nextId = 1

/** A comment with this record, posted after all that were made before. */
export function recorded(fields: RecordFields, id = nextId++): RecordedComment {
  return { id, url: `https://github.com/${id}`, body: 'words', record: recordOf(fields) }
}
