import { CutShort, chunks, forever, type Wire } from './delivery.ts'
import type { Outcome } from './http.ts'

/** https://fetch.spec.whatwg.org/#http-redirect-fetch */
const MOST_REDIRECTS = 20
const BODYLESS = new Set([204, 205, 304])

/** `fetch` without sockets: same answers, and the errors that Node's own fetch throws for failed connections. */
export function inProcessFetch(origins: readonly string[], { parse, handle }: Wire): typeof fetch {
  const exchange: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    // Use the caller's signal: a Request holds its own weakly, and a stalled one could be garbage-collected.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : request.signal)
    const body = await request.clone().text()
    signal.throwIfAborted()
    const url = new URL(request.url)
    if (!origins.includes(url.origin)) throw failed('ECONNREFUSED', `connect ECONNREFUSED ${url.host}`)
    const parsed = parse(request.method, url, Object.fromEntries(request.headers), body)
    return surface(await Promise.race([handle(parsed, signal), forever(signal)]), signal)
  }

  /** By default, and with `redirect: 'follow'`, a read is led on. */
  return async (input, init) => {
    let url = input instanceof Request ? input.url : String(input)
    for (let hops = 0; ; hops++) {
      const response = await exchange(hops === 0 ? input : url, init)
      const location = init?.redirect === 'manual' ? null : response.headers.get('location')
      if (location === null || response.status < 300 || response.status > 399)
        return Object.defineProperty(response, 'url', { value: url })
      if (hops === MOST_REDIRECTS)
        throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })
      url = new URL(location, url).href
      // Whatever answers there.
      if (!origins.includes(new URL(url).origin))
        return Object.defineProperty(new Response('{}'), 'url', { value: url })
    }
  }

  async function surface(outcome: Outcome, signal: AbortSignal): Promise<Response> {
    if (outcome.kind === 'refused') throw failed('ECONNREFUSED', 'connect ECONNREFUSED')
    if (outcome.kind === 'reset') throw failed('ECONNRESET', 'read ECONNRESET')
    if (outcome.kind === 'stalled') return forever(signal)
    const { response, delivery } = outcome
    const body = BODYLESS.has(response.status) ? null : stream(chunks(response, delivery, signal))
    return new Response(body, { status: response.status, headers: { ...response.headers } })
  }
}

/** As undici words it: `TypeError: fetch failed` with the system's error as cause. */
const failed = (code: string, message: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })

function stream(source: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      try {
        let next = await source.next()
        while (!next.done && next.value.length === 0) next = await source.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      } catch (error) {
        controller.error(error instanceof CutShort ? terminated(error) : error)
      }
    },
    async cancel() {
      // Don't await: on a stalled body, return() never settles.
      void source.return(undefined).catch(() => {})
    },
  })
}

function terminated(cut: CutShort): TypeError {
  const cause = Object.assign(new Error('other side closed', { cause: cut }), { code: 'UND_ERR_SOCKET' })
  return new TypeError('terminated', { cause })
}
