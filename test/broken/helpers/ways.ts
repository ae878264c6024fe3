import type { Fault } from '../../../emulator/faults.ts'

const SECONDARY = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' }
const SERVER_ERROR = { message: 'Server Error' }

/** How one request can break (contract 5.7). */
export const WAYS: Readonly<Record<string, Fault>> = {
  'reset before it was processed': { kind: 'reset', when: 'before' },
  'reset after it was processed': { kind: 'reset', when: 'after' },
  'time-out': { kind: 'stall' },
  500: { kind: 'status', status: 500, body: SERVER_ERROR },
  '502 with HTML': { kind: 'html', status: 502 },
  429: { kind: 'status', status: 429, body: SECONDARY },
  '403 with Retry-After': { kind: 'status', status: 403, body: SECONDARY, headers: { 'retry-after': '5' } },
  '403 without Retry-After': { kind: 'status', status: 403, body: SECONDARY },
  '504 that takes effect': { kind: 'status', status: 504, body: SERVER_ERROR, when: 'after' },
}
