import type { Deps } from '../deps.ts'
import type { WaitOptions } from '../http/retry.ts'
import { type CommentMode, DEFAULT_POLL_MS, type Inputs } from '../inputs/inputs.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { Role } from '../request/settle-plan.ts'
import type { Show } from './reporter.ts'

/** A process that settles a request: main step, post step and sweep run the same code with other data. */
export interface Caller extends Role {
  /** For the job, and for preview and checks of its pull request, from then on; undefined: it waits for none of them. */
  readonly waiting: (() => WaitOptions) | undefined
  /** How often failures may go back to the agent in all (contract 4.12). */
  readonly fixAttempts: number
  /** How the request ends where the process learns nothing more of it; undefined: nothing is to be said. */
  readonly otherwise: Ending | undefined
  readonly show: Show
}

type MainInputs = Pick<Inputs, 'wait' | 'fixAttempts' | 'timeoutMs' | 'pollMs'>

/** Also of a re-run: it follows the job, or reads it once. @param deadline on the monotonic clock, in ms */
export const asMainStep = (inputs: MainInputs, deadline: number, show: Show): Caller => ({
  learns: inputs.wait ? 'by following' : 'by one read',
  waitsFor: inputs.wait && inputs.fixAttempts > 0 ? ['checks', 'preview'] : ['preview'],
  endsUnanswered: true,
  speaksFor: 'itself',
  needsThread: false,
  waiting: () => ({ deadline, pollMs: inputs.pollMs, startedAt: deadline - inputs.timeoutMs }),
  fixAttempts: inputs.fixAttempts,
  otherwise: ending('started'),
  show,
})

/** A step that has seconds: what the thread or the main step knows of the job is enough. */
export const asPostStep = (otherwise: Ending, show: Show): Caller => ({
  learns: 'from the record',
  waitsFor: [],
  endsUnanswered: true,
  speaksFor: 'main step',
  needsThread: false,
  waiting: undefined,
  fixAttempts: 0,
  otherwise,
  show,
})

/** No job's preview holds up a sweep for longer than this (contract 8.1). */
const PREVIEW_MS = 60_000

/** A sweep, which the next one repeats, has read the job. Without comments it only reads (contract 8.2). */
export const asSweep = ({ monotonic }: Pick<Deps, 'monotonic'>, comment: CommentMode): Caller => ({
  learns: 'nothing',
  waitsFor: comment === 'off' ? [] : ['preview'],
  endsUnanswered: false,
  speaksFor: 'record',
  needsThread: true,
  waiting: () => ({ deadline: monotonic() + PREVIEW_MS, pollMs: DEFAULT_POLL_MS, startedAt: monotonic() }),
  fixAttempts: 0,
  otherwise: undefined,
  show: () => undefined,
})
