import type { Fault } from '../../../emulator/faults.ts'
import type { Call } from '../../../simulator/life.ts'
import { isWrite } from './walk.ts'

const SECONDARY = { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' }
const SERVER_ERROR = { message: 'Server Error' }

/** How one request can break. */
interface Way {
  readonly name: string
  readonly fault: Fault
}

/** Of a write nobody knows then whether it took effect. */
const LOST: readonly Way[] = [
  { name: 'reset before it was processed', fault: { kind: 'reset', when: 'before' } },
  { name: 'reset after it was processed', fault: { kind: 'reset', when: 'after' } },
]

const EITHER: readonly Way[] = [
  { name: 'time-out', fault: { kind: 'stall' } },
  { name: '500', fault: { kind: 'status', status: 500, body: SERVER_ERROR } },
  { name: '502 with HTML', fault: { kind: 'html', status: 502 } },
  {
    name: '504 that takes effect',
    fault: { kind: 'status', status: 504, body: SERVER_ERROR, when: 'after' },
  },
]

const WAYS: Readonly<Record<'github' | 'service', readonly Way[]>> = {
  github: [
    ...EITHER,
    { name: '429', fault: { kind: 'status', status: 429, body: SECONDARY } },
    {
      name: '403 with Retry-After',
      fault: { kind: 'status', status: 403, body: SECONDARY, headers: { 'retry-after': '5' } },
    },
    { name: '403 without Retry-After', fault: { kind: 'status', status: 403, body: SECONDARY } },
  ],
  service: [
    ...EITHER,
    { name: '429', fault: { kind: 'status', status: 429, headers: { 'retry-after': '5' } } },
    { name: 'half an answer', fault: { kind: 'truncated' } },
  ],
}

/** All of them where `all`; else what loses a write, and the others in turn, so that each tale meets each. */
export function waysFor(call: Call, nth: number, all: boolean): readonly Way[] {
  const others = call.host === 'service' ? WAYS.service : WAYS.github
  if (all) return [...LOST, ...others]
  const inTurn = (isWrite(call) ? others : [...LOST, ...others]).filter(
    (_, at, { length }) => at === nth % length,
  )
  return isWrite(call) ? [...LOST, ...inTurn] : inTurn
}
