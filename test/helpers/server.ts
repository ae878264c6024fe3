import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
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

/**
 * An HTTP proxy on a free loopback port that takes every request to `target`, whatever host it is for.
 * @param refusal status with which it refuses every request instead
 */
export async function serveProxy(target: { readonly port: number }, refusal?: number) {
  /** Hosts that clients asked it for, with their ports. */
  const hosts: string[] = []
  const { url, server } = await serve(({ url: asked = '' }, response) => {
    hosts.push(new URL(asked).host)
    response.writeHead(refusal ?? 501).end()
  })
  server.on('connect', ({ url: host = '' }: IncomingMessage, socket: Socket) => {
    hosts.push(host)
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`)
    const tunnel = connect(target.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      socket.pipe(tunnel).pipe(socket)
    })
    for (const end of [socket, tunnel]) end.on('error', () => socket.destroy())
    return socket.on('close', () => tunnel.destroy())
  })
  return { url, hosts }
}
