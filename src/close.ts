import { knownJob, parseJob } from './agent/job.ts'
import type { Deps } from './deps.ts'
import { type Environment, runName } from './environment.ts'
import { finish } from './finish.ts'
import { maskSecrets } from './inputs/access.ts'
import { readInputs } from './inputs/inputs.ts'
import type { RawInputs } from './inputs/read.ts'
import { begin, ended, endingOf, type Progress, type Result } from './progress.ts'
import { openSession } from './session.ts'
import type { Remembered } from './thread/memory.ts'
import { reactionOfMarker } from './thread/reactions.ts'
import { promptOf } from './thread/words.ts'
import { readTrigger } from './trigger/event.ts'

/** What the main step has left for the post step. */
export interface State {
  /** '' before anything was written, `begun` before anything was sent, `sending`, `open`, or `done` when all was said. */
  readonly phase: string
  readonly key: string
  /** The job as the service answered, as JSON; '' while it is not known. */
  readonly job: string
}

/**
 * Says what a main step that was killed could not say any more (contract 6.2). What has been reported stays.
 */
export async function close(
  deps: Deps,
  raw: RawInputs,
  environment: Environment,
  state: State,
): Promise<void> {
  if (!UNFINISHED.has(state.phase)) return
  maskSecrets(raw, deps.runner)
  const inputs = readInputs(raw)
  const trigger = await readTrigger(environment)
  const asked = { inputs, trigger, environment, startedAt: deps.now(), key: state.key }
  const { thread } = openSession(deps, { ...asked, instruction: '' })
  const memory = await thread.recall()
  const own = memory?.own
  if (own !== undefined && isTold(own, state, environment)) {
    await thread.tidy(own.comment.id)
    await thread.conclude(reactionOfMarker(own.marker))
    return
  }
  // Nothing was sent, and what an earlier attempt has written must not be covered by less.
  if (state.phase === 'begun' && memory === undefined) return await thread.conclude('confused')
  const progress: Progress = begin(deps.runner, own?.marker.from || deps.now())
  progress.inputs = inputs
  progress.session = openSession(deps, { ...asked, instruction: promptOf(own?.comment.body ?? '') })
  await progress.session.thread.recall()
  progress.messagedAt = own?.marker.messaged ?? 0
  progress.targetJob = own?.marker.job ?? ''
  const result = resultOf(state, own, progress, environment)
  await finish(deps, progress, endingOf(progress, result, deps.now()))
}

const UNFINISHED: ReadonlySet<string> = new Set(['begun', 'sending', 'open'])

/** States that a main step writes with its last words. */
const TOLD: ReadonlySet<string> = new Set(['reported', 'parted', 'uncertain', 'unsent', 'answer'])

/** What an earlier attempt has told still holds where this one has sent nothing. */
const isTold = ({ marker }: Remembered, { phase }: State, environment: Environment): boolean =>
  TOLD.has(marker.state) && (phase === 'begun' || marker.run === runName(environment))

function resultOf(
  state: State,
  own: Remembered | undefined,
  progress: Progress,
  environment: Environment,
): Result {
  const sentByOthers = own !== undefined && own.marker.run !== runName(environment)
  if (state.phase === 'begun' && !sentByOthers) return ended('cancelled')
  const job = parseJob(state.job) ?? (own?.marker.state === 'open' ? knownJob(own.marker) : undefined)
  if (job === undefined) {
    const message =
      'the run ended while the request was under way. Look at the dashboard first; a re-run may start a second job.'
    return ended('error', 'creation-uncertain', message)
  }
  progress.job = job
  return ended('cancelled')
}
