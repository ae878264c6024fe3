import type { Check } from '../emulator/github/checks.ts'
import type { RateLimitOptions } from '../emulator/github/rate-limits.ts'
import type { TokenPermissions } from '../emulator/options.ts'
import type { Deployment } from '../emulator/service/previews.ts'
import type { Turn } from '../emulator/service/turn.ts'

/** All that is decided before a story is played. The rest (which request meets which fault) is thrown as it goes on. */
export interface Story {
  readonly seed: number
  /** Where the agent opens its pull requests. */
  readonly docsRepository: 'octo/app' | 'octo/docs'
  readonly docsVisibility: 'private' | 'public'
  readonly permissions: TokenPermissions
  /** Title and body of the issue and the pull request that people talk in. */
  readonly title: string
  readonly body: string
  /** Comments of others that stand there already. */
  readonly crowd: number
  /** Somebody else has an issue of the title that refreshes look for. */
  readonly strangersIssue: boolean
  /** How previews go; undefined where the plan has none. */
  readonly deployment: Deployment | undefined
  /** Opens the agent's pull requests: its own app, or the account of a person whose token it has. */
  readonly agentLogin: 'mintlify[bot]' | 'alice'
  /** What shows that a person's account is an agent's: the App through which it opens them, or who writes the commits. */
  readonly agentSign: 'app' | 'commits' | 'none'
  /** What checks a head of the agent's: each commit gets one of these. */
  readonly checks: readonly (readonly Check[])[]
  /** How the turns go in which the agent gets what failed. */
  readonly fixTurns: readonly Turn[]
  readonly servers: Servers
  /** GitHub's limits for the token; undefined: none. */
  readonly rateLimits: RateLimitOptions | undefined
  /** A workflow of the same repository asks for docs whenever a pull request opens. */
  readonly followsPulls: boolean
  /** A secret of the workflow's own that signs what threads remember; '' for none. */
  readonly memoryKey: string
  /** The sweep that each pull request of the agent wakes at once; undefined where no workflow asks for that. */
  readonly wake: Sweep | undefined
  readonly acts: readonly Act[]
}

/** How the servers differ from what a client would like. */
export interface Servers {
  /** How far the clock of GitHub is ahead of the true one, in ms, and that of the service. */
  readonly githubSkewMs: number
  readonly serviceSkewMs: number
  /** The service writes times without a zone. */
  readonly zonelessTimes: boolean
  /** No list of GitHub is older than that, in ms; each has its own lag. */
  readonly lagMs: number
  /** How long GitHub takes to tell whether a pull request conflicts, in ms. */
  readonly mergeableAfterMs: number
  /** A full page of it takes GitHub eleven seconds; undefined: none. */
  readonly slowList: (typeof LISTS)[number] | undefined
}

/** What paths of lists end in. */
export const LISTS = ['/issues', '/issues/comments', '/comments', '/pulls', '/reactions'] as const

export const GOOD_SERVERS: Servers = {
  githubSkewMs: 0,
  serviceSkewMs: 0,
  zonelessTimes: false,
  lagMs: 0,
  mergeableAfterMs: 0,
  slowList: undefined,
}

export type Act =
  /** One request, or two at the same time. */
  | { readonly kind: 'ask'; readonly asks: readonly Ask[] }
  | { readonly kind: 'sweep'; readonly sweep: Sweep }
  /** A sweep that the agent's latest pull request wakes, some time after it was opened. */
  | { readonly kind: 'wake'; readonly sweep: Sweep }
  /** A re-run of an earlier request, counted from 0 and beyond the last one from the first again. */
  | { readonly kind: 'again'; readonly nth: number; readonly attempt: Attempt }
  | { readonly kind: 'interfere'; readonly interference: Interference }
  | { readonly kind: 'pass'; readonly ms: number }

export const EVENTS = [
  'command',
  'new',
  'help',
  'bare',
  'status',
  'skip',
  'chatter',
  'edited',
  'review-comment',
  'submitted-review',
  'pull-closed',
  'pull-opened',
  'agent-pull',
  'issue-labeled',
  'push',
  'release',
  'schedule',
  'dispatch',
] as const

/** What becomes of the pull request of the code (3.13). */
type CodeEvent =
  | 'code-labeled'
  | 'code-pushed'
  | 'code-rebased'
  | 'code-forced'
  | 'code-reverted'
  | 'code-closed'
  | 'code-merged'
export type EventKind = (typeof EVENTS)[number] | CodeEvent

/** The id of the refresh that comes after everything else. */
export const LAST_ID = 'ask-999'

export interface Ask {
  /** Stands in the instruction, so that the service knows what to make of it. */
  readonly id: string
  readonly event: EventKind
  /** The issue, the pull request of a person, the agent's own, the tracking issue if there is one yet, or an issue of its own. */
  readonly on: 'issue' | 'pull' | 'agent' | 'tracking' | number
  readonly author: string
  readonly sender: string
  readonly words: string
  readonly inputs: Readonly<Record<string, string>>
  readonly workflow: string
  /** Id of the ask whose run calls the same reusable workflow once more, with these words: same run, job and step. */
  readonly callOf?: string
  /** How much later than the others of its act it begins, in ms. */
  readonly delayMs?: number
  /** An earlier step computes the prompt, anew in each attempt. */
  readonly isComputed?: boolean
  /** What a push brings, in order; nothing but a commit where it is empty. */
  readonly merges: readonly MergedKind[]
  /** What the agent makes of it. */
  readonly turn: Turn
  /** The first attempt and its re-runs. */
  readonly attempts: readonly Attempt[]
}

/** Whose pull request is merged: a person's, another bot's, or the agent's own if one is open. `direct`: a commit. */
export type MergedKind = 'person' | 'bot' | 'agent' | 'direct'

/** A runner needs that long before its first request, in ms. */
export const RUNNER_START_MS = 5000

/** What happens to a process. */
export interface Lot {
  /** How far the runner's clock is off. */
  readonly skewMs: number
  readonly weather: Weather
  readonly blows: readonly Blow[]
}

export interface Attempt extends Lot {
  /** Time since the attempt before. */
  readonly gapMs: number
  /** `lost`: the runner is gone, and with it the post step. */
  readonly post: 'runs' | 'lost'
  readonly postBlows: readonly Blow[]
}

export interface Sweep extends Lot {
  readonly inputs: Readonly<Record<string, string>>
}

/** Where a process can be struck: at each thing that it does to the world outside. */
export const PLACES = [
  'request',
  'answer',
  'body',
  'sleep',
  'log',
  'annotation',
  'output',
  'state',
  'summary',
  'random',
] as const
export type Place = (typeof PLACES)[number]

/** Something that happens to a process when it gets to a place for the nth time. */
export interface Blow {
  readonly place: Place | 'any'
  readonly nth: number
  readonly effect:
    | { readonly kind: 'kill' }
    | { readonly kind: 'cancel' }
    | { readonly kind: 'jump'; readonly ms: number }
    | { readonly kind: 'interfere'; readonly interference: Interference }
}

/** What people and others do to GitHub and to the service meanwhile. */
export const INTERFERENCES = [
  'merge',
  'close',
  'archive',
  'forget',
  'delete-comment',
  'edit-comment',
  'edit-trigger',
  'delete-trigger',
  'copy-record',
  'carry-record',
  'forge-record',
  'lock',
  'merge-change',
  'workflow-push',
  'conflict',
  'take-away',
  'close-tracking',
  'copy-tracking',
] as const
/** The API key is replaced between two runs, never during one. */
export type Interference = (typeof INTERFERENCES)[number] | 'new-key'

/** What the requests of one process meet. */
export interface Weather {
  /** How likely a request to the service meets a fault. */
  readonly service: number
  readonly github: Sky
}

/**
 * Of GitHub. `clear`: nothing happens. `flicker`: requests break, but each is served by its third try, so that nothing
 * may end in another way, unless the tries take longer than 5.7 allows them. `away`: GitHub serves no one for a time, from
 * the start of the process or from the end of its job. `chaos`: anything, also answers that are not true, so that only
 * safety can be judged.
 */
type Sky =
  | { readonly kind: 'clear' }
  | { readonly kind: 'flicker' | 'chaos'; readonly rate: number }
  | { readonly kind: 'away'; readonly at: 'start' | 'end'; readonly ms: number }

export const CLEAR: Weather = { service: 0, github: { kind: 'clear' } }
