import { isRecord } from '../emulator/http.ts'

/** The fields of a JSON object; none of anything else. */
export function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
