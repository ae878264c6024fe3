import type { ActionRecord } from '../../src/record/record.ts'
import { lastRecord, type SigningScope } from '../../src/record/signed-record.ts'

/** The record at the end of a text; undefined unless the action signed it, for this very thread. */
export function verifyRecord(text: string, scope: SigningScope): ActionRecord | undefined {
  const found = lastRecord(text, scope)
  return found?.isAtEnd ? found.record : undefined
}
