import { createServer, request as forward, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A real HTTP server on a free loopback port, until the test ends. */
export async function serve(listener: RequestListener) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, server, requests }
}

/** A loopback port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Ports to which a proxy opens a tunnel, and the status with which it refuses everything. */
interface ProxyRules {
  readonly tunnels?: 'all' | '443' | 'none'
  readonly refusal?: number | undefined
}

/**
 * An HTTP proxy on a free loopback port that takes every request to `target`, whatever host it is for: in a tunnel, and
 * without one where the client names the whole URL.
 */
export async function serveProxy(
  target: { readonly port: number },
  { tunnels = 'all', refusal }: ProxyRules = {},
) {
  /** Hosts that clients asked it for, with their ports where they named them. */
  const hosts: string[] = []
  const { url, server } = await serve((request, response) => {
    const { method = '', url: asked = '', headers } = request
    const { host, pathname, search } = new URL(asked)
    hosts.push(host)
    if (refusal !== undefined) return void response.writeHead(refusal).end()
    const options = { port: target.port, host: '127.0.0.1', path: pathname + search, method, headers }
    const sent = forward(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    request.pipe(sent)
  })
  server.on('connect', ({ url: host = '' }: IncomingMessage, socket: Socket) => {
    hosts.push(host)
    const isOpen = tunnels === 'all' || (tunnels === '443' && host.endsWith(':443'))
    const status = refusal ?? (isOpen ? undefined : 403)
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`)
    const tunnel = connect(target.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(tunnel).pipe(socket)
    })
    for (const end of [socket, tunnel]) end.on('error', () => socket.destroy())
    return socket.on('close', () => tunnel.destroy())
  })
  return { url, hosts }
}
