import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Stage } from '../stage.ts'
import { page } from './html.ts'

export interface Page {
  readonly url: string
  /** Resolves when the first viewer connects, or after so many milliseconds. */
  viewer(ms: number): Promise<void>
  close(): Promise<void>
}

/** Changes come in bursts; telling of them five times a second is enough to look live. */
const CALM_MS = 200

const ofPackage = (name: string): string => createRequire(import.meta.url).resolve(name)
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const EMOJI = dirname(ofPackage('@twemoji/svg/package.json'))

/** All files that the page is made of. Nothing else on this machine can be asked for. */
const FILES: Readonly<Record<string, readonly [type: string, path: string]>> = {
  '/page.css': ['text/css', here('page.css')],
  '/client.js': ['text/javascript', here('client.js')],
  '/markdown.css': ['text/css', ofPackage('github-markdown-css')],
  '/mermaid.js': ['text/javascript', ofPackage('@mermaid-js/tiny')],
}

function fileOf(path: string): readonly [type: string, path: string] | undefined {
  const emoji = /^\/emoji(\/[\da-f]+\.svg)$/.exec(path)?.[1]
  if (emoji === undefined) return Object.hasOwn(FILES, path) ? FILES[path] : undefined
  return existsSync(join(EMOJI, emoji)) ? ['image/svg+xml', join(EMOJI, emoji)] : undefined
}

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
    "img-src 'self' data:",
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
  const changed = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      for (const viewer of viewers) viewer.write('data: changed\n\n')
    }, CALM_MS)
  }
  stage.on('changed', changed)

  const server = createServer(({ method = '', url = '/' }, response) => {
    const path = url.split('?', 1)[0] ?? '/'
    const file = fileOf(path)
    if (method !== 'GET') response.writeHead(405, HEADERS).end()
    else if (path === '/events') {
      response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' }).write('data: now\n\n')
      response.once('close', () => viewers.delete(response))
      viewers.add(response)
      seen.resolve()
    } else if (file !== undefined) {
      response.writeHead(200, { ...HEADERS, 'content-type': file[0] }).end(readFileSync(file[1]))
    } else {
      const text = page(stage, path)
      const type = { ...HEADERS, 'content-type': 'text/html; charset=utf-8' }
      response.writeHead(text === undefined ? 404 : 200, type).end(text)
    }
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
        stage.off('changed', changed)
        clearTimeout(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
