import type { Job } from '../core/job.ts'
import { id, isObject, object, parse, text } from '../core/json.ts'
import type { Runner } from '../runner/runner.ts'

/** What the main step leaves for the post step, anew at each turn of the story (contract 6.2). */
export interface PostState {
  /** `begun`: nothing was sent; `sending`: the request may be under way; `open`: the job is known; `done`: all is said. */
  readonly phase: 'begun' | 'sending' | 'open' | 'done'
  /** The request's key: the inputs may read otherwise by then. */
  readonly key: string
  readonly job?: Job
  /** When the job was sent a message, in ms since the epoch; 0 for a new job. */
  readonly messagedAt?: number
}

/** The runner hands it to the post step as `STATE_story`. */
const NAME = 'story'

export function leaveState(runner: Pick<Runner, 'saveState'>, state: PostState): void {
  runner.saveState(NAME, JSON.stringify(state))
}

/** @returns undefined when the main step left nothing: then it asked nobody anything */
export function findState(env: NodeJS.ProcessEnv): PostState | undefined {
  const state = object(parse(env[`STATE_${NAME}`] ?? ''))
  const phase = PHASES.find((name) => name === state.phase)
  if (phase === undefined) return undefined
  const job = jobOf(state.job)
  return {
    phase,
    key: text(state.key),
    messagedAt: id(state.messagedAt) ?? 0,
    ...(job === undefined ? {} : { job }),
  }
}

const PHASES = ['begun', 'sending', 'open', 'done'] as const

function jobOf(value: unknown): Job | undefined {
  if (!isObject(value) || text(value.id) === '') return undefined
  return {
    id: text(value.id),
    status: text(value.status),
    prLink: text(value.prLink),
    unusableLink: value.unusableLink === true,
    model: text(value.model),
    repository: text(value.repository),
    ref: text(value.ref),
    createdAt: text(value.createdAt),
    archivedAt: text(value.archivedAt),
  }
}
