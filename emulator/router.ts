import type { EmulatedRequest, EmulatedResponse } from './http.ts'

/** The decoded value of a `:name` in the pattern. */
export type Params = (name: string) => string

export type Handler = (request: EmulatedRequest, params: Params) => EmulatedResponse

export interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly handler: Handler
}

/** `route('GET', '/repos/:owner/:repo', …)`; `:name` matches one path segment. */
export function route(method: string, path: string, handler: Handler): Route {
  const source = path.replace(/[.]/g, '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return { method, pattern: new RegExp(`^${source}$`), handler }
}

/** The answer of the first route that fits; `undefined` where none knows the path. */
export function dispatch(routes: readonly Route[], request: EmulatedRequest): EmulatedResponse | undefined {
  for (const { method, pattern, handler } of routes) {
    if (method !== request.method) continue
    const groups = pattern.exec(request.path)?.groups ?? (pattern.test(request.path) ? {} : undefined)
    if (groups) return handler(request, (name) => decode(groups[name] ?? ''))
  }
  return undefined
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
