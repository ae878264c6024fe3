import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { agentPullRequests } from './agent.ts'
import { handle } from './core.ts'
import type { Wire } from './delivery.ts'
import { Faults } from './faults.ts'
import { type Api, repoRoute, respond } from './github/api.ts'
import { COMMENTS } from './github/comments.ts'
import { COMMITS } from './github/commits.ts'
import { COMPARE } from './github/compare.ts'
import { GitHub } from './github/github.ts'
import { graphql } from './github/graphql.ts'
import { ISSUES } from './github/issues.ts'
import { LOGS, storedLog } from './github/logs.ts'
import { rendering } from './github/media.ts'
import { PULLS } from './github/pulls.ts'
import { RateLimits } from './github/rate-limits.ts'
import { account, installation, REPOSITORY } from './github/repository.ts'
import { shownBy } from './github/shown.ts'
import { type EmulatedRequest, parseBody } from './http.ts'
import { inProcessFetch } from './in-process.ts'
import { type EmulatorOptions, type Settings, settle } from './options.ts'
import type { RequestEntry } from './requests.ts'
import { Service } from './service/service.ts'
import { socketServer } from './socket.ts'

export interface Emulator {
  /** What `base-url` takes. */
  readonly serviceUrl: string
  /** What `GITHUB_API_URL` takes; under a path prefix, as on GitHub Enterprise Server. */
  readonly githubUrl: string
  readonly settings: Settings
  readonly service: Service
  readonly github: GitHub
  /** What GitHub shows of the workflow's repository, for events. */
  readonly shown: ReturnType<typeof shownBy>
  /** All requests so far, in order of arrival; each is filled in as it goes on. */
  readonly requests: readonly RequestEntry[]
  clearRequests(): void
  readonly faults: Faults
  /** The same handlers without a socket. */
  readonly fetch: typeof fetch
  close: () => Promise<void>
}

const GITHUB_PREFIX = '/github'
/** Of an emulator without sockets. */
const ORIGIN = 'http://127.0.0.1:4010'

/** Another host on the same port. */
const storageOf = (origin: string): string => origin.replace('127.0.0.1', 'localhost')

/** An emulator without sockets: drive it through `fetch`, on any clock. */
export const createEmulator = (options: EmulatorOptions = {}): Emulator => assemble(options).emulator

/** An emulator on a loopback port; a free one unless `port` names it. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { emulator, server } = behindSocket(options)
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening')
  return emulator
}

/** The same at once, on a free port: without the name of a host there is nothing to wait for. */
export function startEmulatorAtOnce(options: EmulatorOptions = {}): Emulator {
  const { emulator, server } = behindSocket(options)
  server.listen(0)
  return emulator
}

function behindSocket(options: EmulatorOptions) {
  const { emulator, wire } = assemble(options, () => {
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  const server = socketServer(wire)
  emulator.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { emulator, server }
}

function assemble(options: EmulatorOptions, origin = () => ORIGIN) {
  const settings = settle(options)
  const { servicePrefix } = settings

  const github = new GitHub(settings)
  const service = new Service(settings, agentPullRequests(settings, github))
  const limits = new RateLimits(settings.rateLimits, settings.now)
  const api: Api = {
    github,
    limits,
    settings,
    get links() {
      return { api: origin() + GITHUB_PREFIX, web: settings.serverUrl, storage: storageOf(origin()) }
    },
  }
  const routes = [COMMENTS, ISSUES, PULLS, COMMITS, LOGS, COMPARE, REPOSITORY]
    .flat()
    .map((entry) => repoRoute(api, entry))
  routes.push(account(api), installation(api), rendering(api), graphql(api))
  const backends = {
    tick: () => service.tick(),
    service: (request: EmulatedRequest) => service.respond(request),
    github: (request: EmulatedRequest) => respond(api, routes, request),
    storage: (request: EmulatedRequest) => storedLog(api, request),
  }
  const log: RequestEntry[] = []
  const faults = new Faults()
  const wire: Wire = {
    handle(request, signal) {
      const act = () => handle(request, { settings, log, faults, backends }, signal)
      return request.host === 'github' ? limits.during(act) : act()
    },
    parse(method, url, headers, body) {
      if (url.origin === storageOf(origin())) {
        const { pathname: path, searchParams: query } = url
        return { host: 'storage', method, path, query, headers, body: parseBody(body) }
      }
      const host = url.pathname.startsWith(`${GITHUB_PREFIX}/`) ? 'github' : 'service'
      const prefix = host === 'github' ? GITHUB_PREFIX : servicePrefix
      const isInside = url.pathname.startsWith(prefix)
      const path = isInside ? url.pathname.slice(prefix.length) : `/outside${url.pathname}`
      return { host, method, path, query: url.searchParams, headers, body: parseBody(body) }
    },
  }

  const emulator: Emulator = {
    get serviceUrl() {
      return origin() + servicePrefix
    },
    get githubUrl() {
      return origin() + GITHUB_PREFIX
    },
    settings,
    service,
    github,
    shown: shownBy(api),
    get requests() {
      return [...log]
    },
    clearRequests: () => void log.splice(0),
    faults,
    get fetch() {
      return inProcessFetch([origin(), storageOf(origin())], wire)
    },
    close: async () => {},
  }
  return { emulator, wire }
}
