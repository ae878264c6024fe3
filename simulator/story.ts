import type { Check } from '../emulator/github/checks.ts'
import type { TokenPermissions } from '../emulator/options.ts'
import type { Turn } from '../emulator/service/turn.ts'
import type { Interference } from './interfere.ts'
import type { SweepEvent } from './sweep-events.ts'
import type { Strike } from './trouble.ts'

/** All that is decided before a story is played. */
export interface Story {
  readonly seed: number
  /** Where the agent opens its pull requests. */
  readonly docsRepository: 'octo/app' | 'octo/docs'
  readonly permissions: TokenPermissions
  /** Title and body of the issue and the pull request that people talk in. */
  readonly title: string
  readonly body: string
  /** Comments of others that stand there already. */
  readonly crowd: number
  /** Opens the agent's pull requests: its own app, or the account of a person whose token it has. */
  readonly agentLogin: 'mintlify[bot]' | 'alice'
  /** What shows that a person's account is an agent's: the App through which it opens them, or who writes the commits. */
  readonly agentSign: 'app' | 'commits' | 'none'
  /** What checks a head of the agent's pull requests: each commit gets one of these. */
  readonly checks: readonly (readonly Check[])[]
  /** How the turns go in which the agent gets what failed. */
  readonly fixTurns: readonly Turn[]
  /** A workflow of the same repository asks for docs whenever a pull request opens. */
  readonly followsPulls: boolean
  /** The pull request of the code is the upper layer of a stack. */
  readonly isStacked?: boolean
  /** What the workflow gives to each request, besides its own inputs. */
  readonly inputs?: Readonly<Record<string, string>>
  /** What the workflow that collects gives to each sweep; undefined where sweeps have inputs of their own each. */
  readonly collects?: Readonly<Record<string, string>> | undefined
}

export type Act =
  /** One request, or several at the same time. `isTwice`: two workflows listen to the same event. */
  | { readonly kind: 'ask'; readonly asks: readonly Drawn[]; readonly isTwice: boolean }
  | { readonly kind: 'sweep'; readonly sweep: Sweep }
  /** One event that wakes a sweep, or several at the same time. */
  | { readonly kind: 'sweep-events'; readonly events: readonly SweepEvent[] }
  /** A re-run of an earlier request, counted from 0 and beyond the last one from the first again. */
  | { readonly kind: 'again'; readonly nth: number }
  | { readonly kind: 'interfere'; readonly interference: Interference }
  | { readonly kind: 'pass'; readonly ms: number }
  /** What goes wrong with the next process that begins. */
  | { readonly kind: 'trouble'; readonly trouble: Trouble }

/** One thing that goes wrong: a sweep comes beside a run, or a process is struck, and people may run it again. */
export type Trouble =
  | { readonly kind: 'beside'; readonly afterMs: number; readonly sweep: Sweep }
  | { readonly kind: 'struck'; readonly whose: number; readonly attempts: readonly Attempt[] }

export const EVENTS = [
  'command',
  'new',
  'help',
  'bare',
  'status',
  'skip',
  'unclear-skip',
  'chatter',
  'edited',
  'review-comment',
  'submitted-review',
  'pull-opened',
  'push',
  'release',
  'schedule',
  'dispatch',
] as const

/** What becomes of the pull request of the code, also in a merge queue, and the workflow that asks for docs of each pull request that opens. */
type PullEvent =
  | 'agent-pull'
  | 'code-labeled'
  | 'code-pushed'
  | 'code-rebased'
  | 'code-forced'
  | 'code-reverted'
  | 'code-closed'
  | 'code-merged'
  | 'merge-pushed'
  | 'queue-checks'
  | 'queue-leaves'
export type EventKind = (typeof EVENTS)[number] | PullEvent

/** A request that has no number yet. */
export type Drawn = Omit<Ask, 'id'>

export interface Ask {
  /** Names the ask; the words that reach the agent hold it, except where a workflow has one prompt for all its events. */
  readonly id: string
  readonly event: EventKind
  /** The issue, the pull request of a person, the agent's own, the tracking issue if there is one yet, or an issue of its own. */
  readonly on: 'issue' | 'pull' | 'agent' | 'tracking' | number
  readonly author: string
  readonly sender: string
  readonly words: string
  readonly inputs: Readonly<Record<string, string>>
  readonly workflow: string
  /** How much later than the others of its act it begins, in ms. */
  readonly delayMs?: number
  /** It waits for the run before it of its workflow. */
  readonly isQueued?: boolean
  /** What a push brings, in order; nothing but a commit where it is empty. */
  readonly merges: readonly MergedKind[]
  /** Where it changes files, if it pushes; default `src`. */
  readonly folder?: 'src' | 'test'
  /** What the agent makes of it. */
  readonly turn: Turn
  /** The first attempt and its re-runs. */
  readonly attempts: readonly Attempt[]
}

/** Values of the input `paths`, with what GitHub's grammar makes of them for the files of the stories. */
export const PATHS: Readonly<Record<string, (file: string) => boolean>> = {
  'src/**': (file) => file.startsWith('src/'),
  'src/change-*.ts': (file) => file.startsWith('src/change-'),
  '**\n!test/**': (file) => !file.startsWith('test/'),
}

/** Whose pull request is merged: a person's, another bot's, or the agent's own if one is open. `direct`: a commit. */
export type MergedKind = 'person' | 'bot' | 'agent' | 'direct'

export interface Attempt {
  /** Time since the attempt before. */
  readonly gapMs: number
  readonly blows: readonly Blow[]
  /** `lost`: the runner is gone, and with it the post step. */
  readonly post: 'runs' | 'lost'
  readonly postBlows: readonly Blow[]
}

export const undisturbed = (gapMs: number): Attempt => ({ gapMs, blows: [], post: 'runs', postBlows: [] })

export interface Sweep {
  readonly blows: readonly Blow[]
  readonly inputs: Readonly<Record<string, string>>
}

/** Where a process can be struck: at each thing that it does to the world outside. */
export type Place = 'request' | 'answer' | 'other'

/** Something that happens to a process when it gets to a place for the nth time. */
export interface Blow {
  readonly place: Place | 'any'
  readonly nth: number
  readonly effect: Strike | { readonly kind: 'interfere'; readonly interference: Interference }
}

export type { Interference } from './interfere.ts'
