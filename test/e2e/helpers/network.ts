import { createServer as createProxy, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Emulator } from '../../../emulator/emulator.ts'
import { GITHUB, SERVICE } from './hosts.ts'
import type { Certificate } from './setup.ts'

export interface Network {
  /** What HTTPS_PROXY takes. */
  readonly proxyUrl: string
  /** `host:port` of every tunnel that was asked for. */
  readonly tunnels: readonly string[]
}

/**
 * The network that the action sees: a proxy whose tunnels end here, and the hosts behind them, with
 * certificates, in front of the emulator. A tunnel to anywhere else is refused.
 */
export async function openNetwork(emulator: Emulator, certificate: Certificate): Promise<Network> {
  const origins: Readonly<Record<string, (path: string) => string>> = {
    [SERVICE]: (path) => emulator.serviceUrl + path,
    [GITHUB]: (path) => emulator.githubUrl + path,
  }
  const tunnels: string[] = []

  const hosts = createTls({ cert: certificate.cert, key: certificate.key }, (incoming, outgoing) => {
    const target = origins[hostOf(incoming.headers.host)]
    if (target === undefined) outgoing.writeHead(421).end()
    else pass(target(incoming.url ?? '/'), incoming, outgoing)
  })
  const proxy = createProxy((_, response) => response.writeHead(405).end())
  proxy.on('connect', (incoming: IncomingMessage, socket) => {
    tunnels.push(incoming.url ?? '')
    socket.on('error', () => socket.destroy())
    if (origins[hostOf(incoming.url)] === undefined) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    hosts.emit('connection', socket)
  })
  const proxyUrl = `http://127.0.0.1:${await listen(proxy)}`
  return { proxyUrl, tunnels }
}

const hostOf = (address = '') => address.replace(/:\d+$/, '').toLowerCase()

function pass(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming
  const onward = request(url, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.on('error', () => outgoing.destroy())
  incoming.pipe(onward)
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
