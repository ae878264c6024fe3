import type { Deps } from '../base/deps.ts'
import { unusableAnswer } from '../base/errors.ts'
import { isLoopback } from '../base/link.ts'
import { exchange, type HttpAnswer, TransportError, USER_AGENT } from '../http/fetch.ts'

/** In ms, of each of the two requests at most. */
const TIMEOUT_MS = 10_000
/** Bytes of the end of a log that are read. */
const TAIL_BYTES = 512 * 1024
/** Of a host that knows no ranges: the log ends after so many bytes, or is not read. */
const MAX_BYTES = 4 * 1024 * 1024

/**
 * The end of a log from the host that stores it, to which GitHub leads with an address that is signed and good for a minute: it gets
 * no token, is asked once, and leads nowhere else.
 * @returns whole lines
 * @throws {GitHubError} (`away`) where it gives none
 */
export async function readStoredLog(
  deps: Pick<Deps, 'fetch' | 'sleep' | 'cancellation'>,
  address: string,
): Promise<string> {
  const { protocol, username, hostname } = URL.parse(address) ?? {}
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(address))
  if (!isSafe || username !== '' || hostname === '')
    throw unusableAnswer('GitHub names no usable address of the log')
  const first = await read(`bytes=0-${TAIL_BYTES - 1}`)
  const size = sizeOf(first)
  if (size <= TAIL_BYTES) return first.text
  const end = await read(`bytes=${size - TAIL_BYTES}-${size - 1}`)
  // It begins in the middle of a line.
  return end.text.slice(end.text.indexOf('\n') + 1)

  async function read(range: string): Promise<HttpAnswer> {
    const answer = await exchange(deps, {
      ...{ method: 'GET', url: address, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, redirect: 'manual' },
      headers: { range, 'user-agent': USER_AGENT, 'accept-encoding': 'identity' },
      signal: deps.cancellation.everythingEnds,
    }).catch((error: unknown) => {
      throw error instanceof TransportError
        ? unusableAnswer(`the host that stores the log: ${error.message}`)
        : error
    })
    const { status, broken } = answer
    if (broken !== undefined) throw unusableAnswer(`the host that stores the log: ${broken.message}`)
    // Nothing of an empty one can be had by a range.
    if (status === 416) return { ...answer, text: '' }
    if (status === 200 || status === 206) return answer
    const what = status >= 300 && status < 400 ? 'leads to another address' : `answers HTTP ${status}`
    throw unusableAnswer(`the host that stores the log ${what}`)
  }
}

/** In bytes; 0 for an answer that is not a part. */
const sizeOf = ({ status, headers }: HttpAnswer): number =>
  status === 206
    ? Number(/^bytes \d+-\d+\/(\d{1,15})$/.exec(headers.get('content-range') ?? '')?.[1] ?? 0)
    : 0
