import { TransportError } from './transport-error.ts'

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const

/**
 * Node's `fetch`, or one that goes through the environment's proxies; the code for them is loaded only then.
 * @throws {TransportError} when the environment names no usable proxy; the value may hold a password and is not shown
 */
export async function fetchFor(env: NodeJS.ProcessEnv): Promise<typeof fetch> {
  if (PROXY_VARIABLES.every((name) => (env[name] ?? '') === '')) return globalThis.fetch
  // A bundle of its own, by its name there: chunks would not be the same in every bundle that shares them.
  const { fetchThroughProxy } = await import(/* webpackIgnore: true */ './proxy.js')
  try {
    return fetchThroughProxy(globalThis.fetch)
  } catch (cause) {
    const names = PROXY_VARIABLES.filter((name) => (env[name] ?? '') !== '').join(' or ')
    throw new TransportError('unusable', `${names} holds no URL of a proxy`, { cause })
  }
}
