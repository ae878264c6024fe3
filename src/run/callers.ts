import type { Deps } from '../deps.ts'
import type { WaitOptions } from '../http/retry.ts'
import { DEFAULT_POLL_MS, type Inputs } from '../inputs/inputs.ts'
import { REPORTING_MS } from '../request/lease.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { Role } from '../request/settle-plan.ts'
import type { Show } from './reporter.ts'

/** A process that settles a request: main step, post step and sweep run the same code with other data. */
export interface Caller extends Role {
  /** How it learns the end of a job, if it does not know it yet. A sweep repeats what a run said of a job at work. */
  readonly learns: 'by following' | 'by one read' | 'from the record' | 'what was said'
  /** For the job, and for preview and checks of its pull request, from then on. */
  readonly waiting: () => WaitOptions
  /** How often failures may go back to the agent in all (contract 4.12). */
  readonly fixAttempts: number
  /** How the request ends where the process learns nothing more of it; undefined: nothing is to be said. */
  readonly otherwise: Ending | undefined
  readonly show: Show
}

type MainInputs = Pick<Inputs, 'wait' | 'fixAttempts' | 'timeoutMs' | 'pollMs'>

/** The time of a run counts from its start. @param deadline on the monotonic clock, in ms */
export const waitingUntil = (
  deadline: number,
  { pollMs, timeoutMs }: Pick<Inputs, 'pollMs' | 'timeoutMs'>,
): WaitOptions => ({ deadline, pollMs, startedAt: deadline - timeoutMs })

/** Also of a re-run: it follows the job, or reads it once. @param deadline on the monotonic clock, in ms */
export const asMainStep = (inputs: MainInputs, deadline: number, show: Show): Caller => ({
  learns: inputs.wait ? 'by following' : 'by one read',
  waitsFor: inputs.wait && inputs.fixAttempts > 0 ? ['checks', 'preview'] : ['preview'],
  isRepeated: false,
  speaksFor: 'itself',
  waiting: () => waitingUntil(deadline, inputs),
  fixAttempts: inputs.fixAttempts,
  otherwise: ending('started'),
  show,
})

const forSoLong =
  ({ monotonic }: Pick<Deps, 'monotonic'>, ms: number) =>
  (): WaitOptions => ({ deadline: monotonic() + ms, pollMs: DEFAULT_POLL_MS, startedAt: monotonic() })

/** A step that has seconds goes by what the thread or the main step knows of the job. */
export const asPostStep = (deps: Pick<Deps, 'monotonic'>, otherwise: Ending, show: Show): Caller => ({
  learns: 'from the record',
  waitsFor: [],
  isRepeated: false,
  speaksFor: 'main step',
  waiting: forSoLong(deps, 0),
  fixAttempts: 0,
  otherwise,
  show,
})

/** No job's preview holds up a sweep for longer (contract 8.1), nor for longer than others leave its request alone. */
const PREVIEW_MS = REPORTING_MS

/** A sweep, which the next one repeats, has read the job. */
export const asSweep = (deps: Pick<Deps, 'monotonic'>): Caller => ({
  learns: 'what was said',
  waitsFor: ['preview'],
  isRepeated: true,
  speaksFor: 'record',
  waiting: forSoLong(deps, PREVIEW_MS),
  fixAttempts: 0,
  otherwise: undefined,
  show: () => undefined,
})
