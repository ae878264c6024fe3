import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stage } from '../stage.ts'
import { pageFile } from './files.ts'
import { snapshot } from './view/snapshot.ts'

export interface Page {
  readonly url: string
  /** Resolves when the first viewer connects, or after so many milliseconds. */
  viewer(ms: number): Promise<void>
  close(): Promise<void>
}

/** Changes come in bursts; sending them ten times a second is enough to look live. */
const CALM_MS = 100

/**
 * Strangers wrote what the page shows, so only the page's own files run, and the page sends no requests to other
 * sites. Styles may stand in the document because Mermaid writes them into its charts; the sanitiser leaves none.
 */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

/** Shows the stage on a free loopback port, live. */
export async function startPage(stage: Stage): Promise<Page> {
  const viewers = new Set<ServerResponse>()
  const seen = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const message = () => `data: ${JSON.stringify(snapshot(stage))}\n\n`
  const unwatch = stage.watch(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      const text = viewers.size > 0 ? message() : ''
      for (const viewer of viewers) viewer.write(text)
    }, CALM_MS)
  })

  function follow(response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' })
    response.write(message())
    response.once('close', () => viewers.delete(response))
    viewers.add(response)
    seen.resolve()
  }

  const server = createServer(({ method = '', url = '/' }, response) => {
    const path = url.split('?', 1)[0] ?? '/'
    if (method !== 'GET') response.writeHead(405, HEADERS).end()
    else if (path === '/events') follow(response)
    else send(response, path)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    viewer: async (ms) => {
      const patience = setTimeout(seen.resolve, ms)
      await seen.promise
      clearTimeout(patience)
    },
    close: () =>
      new Promise((resolve) => {
        unwatch()
        clearTimeout(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, path: string): void {
  const found = pageFile(path)
  if (found === undefined) response.writeHead(404, HEADERS).end()
  else response.writeHead(200, { ...HEADERS, 'content-type': found.type }).end(found.body)
}
