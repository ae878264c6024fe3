import { asId, asObject, asString, parseJson } from '../json.ts'
import { type Ending, OUTCOMES, type Reason } from '../request/outcome.ts'
import { isRequestRecord, parseRecord, type RequestRecord } from '../request/record.ts'

/** The runner hands it to the post step as `STATE_request`. */
export const STATE_NAME = 'request'

/** What the main step leaves for the post step (contract 6.2), which cannot look up the thread of a push again. */
export interface SavedState {
  readonly record: RequestRecord
  /** Undefined for a run without a thread, or with one that refuses comments. */
  readonly thread: number | undefined
  /** How the request ended, where the main step said so already. */
  readonly said: Ending | undefined
}

export const savedState = (
  record: RequestRecord,
  thread: number | undefined,
  said: Ending | undefined,
): string => JSON.stringify({ ...record, thread, said })

export function readSavedState(json: string): SavedState | undefined {
  const record = parseRecord(json)
  if (record === undefined || !isRequestRecord(record)) return undefined
  const { thread, said } = asObject(parseJson(json))
  return { record, thread: asId(thread), said: readEnding(said) }
}

function readEnding(value: unknown): Ending | undefined {
  const { outcome, reason, message } = asObject(value)
  const known = OUTCOMES.find((one) => one === outcome)
  // The main step of this very run wrote it.
  return known && { outcome: known, reason: asString(reason) as Reason, message: asString(message) }
}
