import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CutShort, chunks, type Wire } from './delivery.ts'
import type { Outcome } from './http.ts'

/** The emulator behind a real socket. A refused connection cannot be had on an open port: it shows as a reset. */
export function socketServer({ parse, handle }: Wire): Server {
  return createServer((incoming, outgoing) => {
    const gone = new AbortController()
    outgoing.once('close', () => gone.abort())
    serve(incoming, outgoing, gone.signal).catch(() => incoming.socket.destroy())
  })

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, signal: AbortSignal) {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part as Buffer)
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`)
    const body = Buffer.concat(parts).toString()
    const request = parse(incoming.method ?? 'GET', url, plain(incoming.headers), body)
    const outcome = await handle(request, signal)
    if (outcome.kind === 'stalled') return
    if (outcome.kind === 'answer') await send(outcome, outgoing, signal)
    else incoming.socket.resetAndDestroy()
  }

  async function send(
    outcome: Extract<Outcome, { kind: 'answer' }>,
    outgoing: ServerResponse,
    signal: AbortSignal,
  ) {
    const { response, delivery } = outcome
    const sized =
      delivery.kind === 'flood' ? {} : { 'content-length': String(Buffer.byteLength(response.body)) }
    const isBodyless = response.status === 204 || response.status === 304
    outgoing.writeHead(response.status, { ...response.headers, ...(isBodyless ? {} : sized) })
    try {
      for await (const chunk of chunks(response, delivery, signal)) await write(outgoing, chunk)
      outgoing.end()
    } catch (error) {
      if (!(error instanceof CutShort)) throw error
      outgoing.socket?.destroy()
    }
  }
}

/** Resolves once the chunk has left this process, so that a cut comes after it and a flood stays small. */
function write(outgoing: ServerResponse, chunk: Uint8Array): Promise<void> {
  if (chunk.length === 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    outgoing.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

function plain(headers: IncomingMessage['headers']): Record<string, string> {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return out
}
