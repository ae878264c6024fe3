import { setTimeout as pause } from 'node:timers/promises'
import type { RateLimitOptions } from './github/rate-limits.ts'
import type { RequestEntry } from './requests.ts'

export type AccessLevel = 'none' | 'read' | 'write'

/** What the workflow's token may do, as `permissions:` in a workflow says. */
export interface TokenPermissions {
  readonly issues: AccessLevel
  readonly pull_requests: AccessLevel
  readonly contents: AccessLevel
  /** Default `read`. */
  readonly checks?: AccessLevel
  readonly statuses?: AccessLevel
  /** Default `none`, as in a job that names its permissions. */
  readonly actions?: AccessLevel
}

export interface Settings {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Milliseconds; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly seed: number
  readonly apiKey: string
  readonly projectId: string
  /** Further projects of the organisation, which the same key opens. */
  readonly otherProjects: readonly string[]
  /** Path prefix of the service, such as `/docs-api`. */
  readonly servicePrefix: string
  /** `owner/name` of the repository whose workflow runs. */
  readonly repository: string
  /** `owner/name` of the repository that the agent opens pull requests in. */
  readonly docsRepository: string
  /** Whether the workflow's token can read `docsRepository` when it is not its own (GitHub answers 404 if not). */
  readonly docsRepositoryVisibility: 'private' | 'public'
  /** Whether `permissions` hold on `docsRepository` too, as with the token of a person or an app. */
  readonly tokenCoversDocs: boolean
  /** Where links for people lead. */
  readonly serverUrl: string
  readonly token: string
  readonly tokenLogin: string
  readonly permissions: TokenPermissions
  /** Login of the bot, or of the person, that opens the agent's pull requests. */
  readonly prAuthor: string
  /** Author of the commits in them; `undefined`: `prAuthor`. */
  readonly prCommitAuthor: string | undefined
  /** Slug of the App through which `prAuthor` opens them; `undefined`: GitHub tells of none. */
  readonly prApp: string | undefined
  /**
   * How long GitHub takes to work out whether a pull request can be merged, in milliseconds. It begins when the pull
   * request is read for the first time after its head or its base moved; until the end `mergeable` is `null`.
   */
  readonly mergeableAfterMs: number
  /** GitHub's limits; `undefined`: none. */
  readonly rateLimits: RateLimitOptions | undefined
  /** Told of every request once it is answered. */
  readonly onRequest: (entry: RequestEntry) => void
}

export interface EmulatorOptions extends Partial<Omit<Settings, 'permissions'>> {
  /** For `startEmulator`; 0 means any free one. */
  readonly port?: number
  readonly permissions?: Partial<TokenPermissions>
}

export function settle(options: EmulatorOptions): Settings {
  const { port: _port, permissions, ...rest } = options
  return {
    now: Date.now,
    sleep: async (ms, signal) => pause(ms, undefined, signal ? { signal } : {}),
    seed: 1,
    apiKey: 'test-key',
    projectId: 'docs',
    otherProjects: [],
    servicePrefix: '',
    repository: 'octo/app',
    docsRepository: 'octo/docs',
    docsRepositoryVisibility: 'private',
    tokenCoversDocs: false,
    serverUrl: 'https://github.com',
    token: 'test-token',
    tokenLogin: 'github-actions[bot]',
    prAuthor: 'mintlify[bot]',
    prCommitAuthor: undefined,
    prApp: undefined,
    mergeableAfterMs: 0,
    rateLimits: undefined,
    onRequest: () => {},
    ...rest,
    permissions: {
      issues: 'write',
      pull_requests: 'write',
      contents: 'read',
      checks: 'read',
      statuses: 'read',
      ...permissions,
    },
  }
}
