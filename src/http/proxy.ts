/// <reference path="./undici-parts.d.ts" />
import connect from 'undici/lib/api/api-connect.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import Dispatcher1Wrapper from 'undici/lib/dispatcher/dispatcher1-wrapper.js'
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js'

/**
 * Asks the proxy for a tunnel to an https: host. Undici's index gives its dispatchers this method; without the index,
 * it is given here. A proxy that says no gets the code of one that cannot be reached: undici's own error for it is
 * swallowed by Node's `fetch`, and nobody could tell any more that the request itself was never sent.
 */
async function tunnel(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
  const answer = await connect.call(this, options)
  if (answer.statusCode === 200) return answer
  answer.socket.on('error', () => {}).destroy()
  throw Object.assign(new Error(`the proxy answered with HTTP ${answer.statusCode}`), {
    code: 'UND_ERR_PRX_CONN',
  })
}
Object.assign(Dispatcher.prototype, { connect: tunnel })

/**
 * Node's own `fetch`, sent through the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Some parts of undici
 * instead of all of it: half the bundle, and one `fetch` with the same errors whether there is a proxy or not. The
 * wrapper lets an agent of undici 8 serve the `fetch` of Node's built-in undici 7.
 */
export function fetchThroughProxy(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  const dispatcher = new Dispatcher1Wrapper(new EnvHttpProxyAgent())
  return (input, init) => fetch(input, { ...init, dispatcher } as object)
}
