import { hasFailed, identityOf, type RequestRecord } from '../request/record.ts'
import type { Request } from '../thread/request.ts'

/**
 * Goes on with what an earlier attempt, or another process, did with the request, as the thread tells: unless that sent nothing,
 * or its job failed. Then the request may be asked again, as the one that it was.
 * @returns what it goes on with
 */
export function takeUp(request: Request): RequestRecord | undefined {
  const { reading, identity } = request
  if (reading === undefined) return undefined
  const { own } = reading
  if (own === undefined) {
    request.joinThread()
    return undefined
  }
  const { record } = own
  if (record.state !== 'notSent' && !hasFailed(record)) {
    request.goOnFrom(record, own)
    return record
  }
  // The time and the person of the first attempt stay.
  const { run, settings, key } = identity
  request.amend({ ...identityOf(record), run, settings, key })
  request.memory = reading.memory
  request.url = own.url
  return undefined
}
