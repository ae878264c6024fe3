import { STATUS_CODES } from 'node:http'
import type { FaultOf, Striking } from './faults.ts'
import { answer, type EmulatedResponse, json, type Outcome, text } from './http.ts'

/** What stands in front of a server says it itself. */
function page(status: number): EmulatedResponse {
  const said = status < 500 ? 'Sorry, you have been blocked' : `${status} ${STATUS_CODES[status]}`
  const body = `<!DOCTYPE html>
<html lang="en-US"><head><title>${said}</title></head><body><h1>${said}</h1></body></html>
`
  return text(status, body, 'text/html; charset=UTF-8')
}

type Strikes = { readonly [K in Striking['kind']]: (fault: FaultOf<K>, real: EmulatedResponse) => Outcome }

const STRIKES: Strikes = {
  status: (fault) => answer(statusResponse(fault)),
  refuse: () => ({ kind: 'refused' }),
  reset: () => ({ kind: 'reset' }),
  stall: () => ({ kind: 'stalled' }),
  resetMidBody: ({ status, headers }, real) =>
    answer(
      { ...real, status: status ?? real.status, headers: { ...real.headers, ...headers } },
      { kind: 'cut' },
    ),
  stallMidBody: (_, real) => answer(real, { kind: 'stall' }),
  html: ({ status = 403 }) => answer(page(status)),
  oversize: ({ bytes, status }, real) =>
    answer({ ...real, status: status ?? real.status, body: '' }, { kind: 'flood', bytes }),
  redirect: ({ status = 307, location }) => answer({ status, headers: { location }, body: '' }),
  wrongType: ({ type = 'application/json', body = '["surprise"]' }, { status }) =>
    answer(text(status, body, type)),
  truncated: (_, real) => answer({ ...real, body: real.body.slice(0, Math.floor(real.body.length / 2)) }),
}

/**
 * The outcome that a fault makes of a request. `real` is the answer that it would have had,
 * missing for faults that strike before it is processed.
 */
export const strike = (fault: Striking, real: EmulatedResponse = json(200, {})): Outcome =>
  (STRIKES[fault.kind] as (fault: Striking, real: EmulatedResponse) => Outcome)(fault, real)

function statusResponse(fault: FaultOf<'status'>): EmulatedResponse {
  const body = fault.body ?? { error: `Emulated ${fault.status}` }
  const plain = typeof body === 'string' ? text(fault.status, body) : json(fault.status, body)
  return { ...plain, headers: { ...plain.headers, ...fault.headers } }
}
