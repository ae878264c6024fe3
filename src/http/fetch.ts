const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const

/** Node's `fetch`, or one that goes through the environment's proxies; the code for them is loaded only then. */
export async function fetchFor(env: NodeJS.ProcessEnv): Promise<typeof fetch> {
  if (PROXY_VARIABLES.every((name) => (env[name] ?? '') === '')) return globalThis.fetch
  const { fetchThroughProxy } = await import('./proxy.ts')
  return fetchThroughProxy(globalThis.fetch)
}
