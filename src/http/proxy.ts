/// <reference path="./undici-parts.d.ts" />
import Dispatcher1Wrapper from 'undici/lib/dispatcher/dispatcher1-wrapper.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'

/**
 * Node's own `fetch`, sent through the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Two parts of undici
 * instead of all of it: half the bundle, and one `fetch` with the same errors whether there is a proxy or not. The
 * wrapper lets an agent of undici 8 serve the `fetch` of Node's built-in undici 7.
 */
export function fetchThroughProxy(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const dispatcher = new Dispatcher1Wrapper(new EnvHttpProxyAgent())
  return (input, init) => fetch(input, { ...init, dispatcher } as object)
}
