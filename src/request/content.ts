import { EMPTY_MEMORY, type Growing, type Memory, union } from './memory.ts'
import type { Reading } from './reading.ts'
import {
  identityOf,
  isFollowed,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  stateOf,
} from './record.ts'

/** What the record of a request says, whichever process writes it, and when. */
export interface RequestContent {
  readonly identity: RequestIdentity
  /** What the thread knew when the request was asked; undefined where the process has not read the thread. */
  readonly memory: Memory | undefined
  readonly state: RequestState
}

/** Only the run is new: when the request was asked, by which person and for what stays as recorded. */
export const contentOf = (record: RequestRecord, { run }: Pick<RequestIdentity, 'run'>): RequestContent => ({
  identity: { ...identityOf(record), run },
  memory: record.memory,
  state: stateOf(record),
})

/** The latest request of its thread, whatever the clock of its runner says: it knows what the thread knows. */
export function asLatest(content: RequestContent, { othersAskedAt, othersMemory }: Reading): RequestContent {
  const { identity } = content
  const requestedAt = Math.max(identity.requestedAt, othersAskedAt + 1)
  return { ...content, identity: { ...identity, requestedAt }, memory: othersMemory }
}

/** With what others of the thread learned since the request was asked, and what its own end adds. */
export function withGrowth(
  content: RequestContent,
  reading: Reading | undefined,
  more: Partial<Growing>,
): RequestContent {
  if (content.memory === undefined) return content
  const { latest, grows } = content.memory
  const all = [{ ...EMPTY_MEMORY.grows, ...more }, grows, reading?.othersMemory.grows ?? grows]
  return { ...content, memory: { latest, grows: union(all) } }
}

/** A run waits for its job, or for the checks of its pull request. */
export const isWaitedFor = (state: RequestState): boolean =>
  isFollowed(state) || !('ending' in state && state.ending !== undefined)

/** Whether two records differ in nothing but the run, its time, and until when the run holds the request. */
export function saysTheSame(a: RequestRecord, b: RequestRecord): boolean {
  const comparable = (record: RequestRecord) =>
    JSON.stringify(
      Object.entries({ ...record, writtenAt: 0, run: '', waitsMs: Math.sign(record.waitsMs) }).sort(),
    )
  return comparable(a) === comparable(b)
}
