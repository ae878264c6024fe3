import { type Dispatcher, EnvHttpProxyAgent, getGlobalDispatcher, fetch as undiciFetch } from 'undici'
import { TransportError } from './transport-error.ts'

export interface FetchInit extends RequestInit {
  /** Never through a proxy, whatever the environment says. */
  readonly direct?: boolean
}

export type Fetch = (url: string, init: FetchInit) => Promise<Response>

/**
 * undici's `fetch` behind the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name.
 * @throws {TransportError} at the first request, where a variable holds no URL of a proxy; the value may hold a
 *   password and is not shown
 */
export function proxyFetch(env: NodeJS.ProcessEnv): Fetch {
  const send = undiciFetch as unknown as (url: string, init: object) => Promise<Response>
  let proxies: Dispatcher | undefined
  return async (url, { direct = false, ...init }) => {
    if (!direct) proxies ??= environmentProxies(env)
    return await send(url, { ...init, dispatcher: direct ? getGlobalDispatcher() : proxies })
  }
}

function environmentProxies(env: NodeJS.ProcessEnv): Dispatcher {
  const httpProxy = env.http_proxy || env.HTTP_PROXY
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY
  try {
    return new EnvHttpProxyAgent({
      ...(httpProxy && { httpProxy }),
      ...(httpsProxy && { httpsProxy }),
      noProxy: env.no_proxy || env.NO_PROXY || '',
    })
  } catch (cause) {
    const names = [httpsProxy && 'HTTPS_PROXY', httpProxy && 'HTTP_PROXY'].filter(Boolean).join(' or ')
    throw new TransportError('unusable', `${names} holds no URL of a proxy`, { cause })
  }
}
