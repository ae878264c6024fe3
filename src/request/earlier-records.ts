import * as v from 'valibot'
import { CHECKS } from './check-state.ts'

/** The states of 1.1 that have another name by now. */
const EARLIER_NAMES = new Map<unknown, string>([
  ['received', 'idle'],
  ['answered', 'idle'],
  ['detached', 'running'],
])

/** Records of 1.1 to 1.3 in the words of today. */
export function inTodaysWords(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { finish, checks, waitsUntil } = raw
  const state = EARLIER_NAMES.get(raw.state) ?? raw.state
  // Runs of 1.1 waited until a time on the runner's clock, and those up to 1.2 followed checks while `running`.
  const waitsMs = Math.max(0, Number(waitsUntil) - Number(raw.writtenAt))
  return {
    settings: finish,
    ...(Number.isSafeInteger(waitsMs) && { waitsMs }),
    ...raw,
    state,
    ...openIn13(raw),
    ...(state === 'running' && v.is(CHECKS, checks) && { state: 'reported', openParts: ['checks'] }),
  }
}

/**
 * Version 1.3 did not close `openParts` once all was done: it deleted the comment that the result replaces instead. So
 * if a record names such a comment, only what waits for checks may be open. For a request without a job, version 1.3
 * kept nothing open.
 */
function openIn13({ state, replacedId, openParts, isTold }: Readonly<Record<string, unknown>>) {
  if (typeof replacedId === 'number' && replacedId > 0) {
    const open: readonly unknown[] = Array.isArray(openParts) && openParts.includes('checks') ? openParts : []
    return { openParts: open.filter((part) => part === 'checks' || part === 'status') }
  }
  if (openParts !== undefined) return {}
  const reason = state === 'notSent' ? '' : 'creation-uncertain'
  const ended = { ending: { outcome: 'error', reason, message: '' } }
  if (state === 'unknown' || state === 'notSent') return { ...ended, openParts: ['reaction', 'status'] }
  return state === 'sending' && isTold === true ? ended : {}
}
