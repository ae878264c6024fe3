import { STATUS_CODES } from 'node:http'
import type { Fault, FaultOf } from './faults.ts'
import { answer, type EmulatedResponse, json, type Outcome, text } from './http.ts'

/** What stands in front of a server says it itself. */
function page(status: number): EmulatedResponse {
  const said = status < 500 ? 'Sorry, you have been blocked' : `${status} ${STATUS_CODES[status]}`
  const body = `<!DOCTYPE html>
<html lang="en-US"><head><title>${said}</title></head><body><h1>${said}</h1></body></html>
`
  return text(status, body, 'text/html; charset=UTF-8')
}

/**
 * The outcome that a fault makes of a request. `real` is the answer that it would have had,
 * missing for faults that strike before it is processed.
 */
export function strike(
  fault: Exclude<Fault, FaultOf<'call'> | FaultOf<'delay'>>,
  real: EmulatedResponse = json(200, {}),
): Outcome {
  switch (fault.kind) {
    case 'status':
      return answer(statusResponse(fault))
    case 'refuse':
      return { kind: 'refused' }
    case 'reset':
      return { kind: 'reset' }
    case 'stall':
      return { kind: 'stalled' }
    case 'resetMidBody':
      return answer(real, { kind: 'cut' })
    case 'stallMidBody':
      return answer(real, { kind: 'stall' })
    case 'slowBody':
      return answer(real, { kind: 'slow', chunkBytes: fault.chunkBytes ?? 8, pauseMs: fault.pauseMs })
    case 'html':
      return answer(page(fault.status ?? 403))
    case 'oversize':
      return answer(
        { ...real, status: fault.status ?? real.status, body: '' },
        { kind: 'flood', bytes: fault.bytes },
      )
    case 'redirect':
      return answer({ status: fault.status ?? 307, headers: { location: fault.location }, body: '' })
    case 'wrongType':
      return answer({
        status: real.status,
        headers: { 'content-type': fault.type ?? 'application/json' },
        body: fault.body ?? '["surprise"]',
      })
    case 'truncated':
      return answer({ ...real, body: real.body.slice(0, Math.floor(real.body.length / 2)) })
  }
}

function statusResponse(fault: FaultOf<'status'>): EmulatedResponse {
  const body = fault.body ?? { error: `Emulated ${fault.status}` }
  const plain = typeof body === 'string' ? text(fault.status, body) : json(fault.status, body)
  const type = fault.type === undefined ? {} : { 'content-type': fault.type }
  return { ...plain, headers: { ...plain.headers, ...type, ...fault.headers } }
}
