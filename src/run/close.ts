import { leftOpen } from '../core/errors.ts'
import { knownJob } from '../core/job.ts'
import { type Marker, meaningOf } from '../core/marker.ts'
import { readInputs } from '../inputs/inputs.ts'
import type { RawInputs } from '../inputs/read.ts'
import { maskSecrets } from '../inputs/service.ts'
import type { Deps } from '../runner/deps.ts'
import { type Environment, runName } from '../runner/environment.ts'
import { promptOf } from '../thread/bodies.ts'
import type { Memory } from '../thread/memory.ts'
import { reactionOfMarker } from '../thread/reactions.ts'
import { readTrigger } from '../trigger/event.ts'
import { finish } from './finish.ts'
import type { PostState } from './post-state.ts'
import { begin, ended, endingOf, type Result } from './progress.ts'
import { openSession } from './session.ts'

/**
 * Says what a main step that was killed could not say any more (contract 6.2). What has been reported stays.
 */
export async function close(
  deps: Deps,
  raw: RawInputs,
  environment: Environment,
  state: PostState | undefined,
): Promise<void> {
  if (state === undefined || state.phase === 'done') return
  maskSecrets(raw, deps.runner)
  const inputs = readInputs(raw)
  const trigger = readTrigger(environment)
  const session = openSession(deps, {
    inputs,
    trigger,
    environment,
    instruction: '',
    startedAt: deps.now(),
    key: state.key,
  })
  const { thread } = session
  // Killed before it could read the thread, the main step may have left `eyes` that no marker knows of.
  thread.reactions.expect()
  const memory = await thread.recall()
  const own = memory?.own
  if (memory !== undefined && own !== undefined && isTold(own.marker, state, environment)) {
    await thread.tidy(memory.ownComments, own.comment.id)
    return await thread.reactions.conclude(reactionOfMarker(own.marker))
  }
  const progress = begin(deps.runner, own?.marker.from || deps.now())
  progress.inputs = inputs
  // What cannot be read must not be written over: then only log and summary tell.
  if (memory !== undefined) progress.session = { ...session, instruction: promptOf(own?.comment.body ?? '') }
  progress.messagedAt = state.messagedAt ?? own?.marker.messaged ?? 0
  progress.targetJob = own?.marker.job ?? ''
  const result = resultOf(state, memory, environment)
  const job = state.job ?? (own?.marker.state === 'open' ? knownJob(own.marker) : undefined)
  if (job !== undefined) progress.job = job
  await finish(deps, progress, endingOf(progress, result, deps.now()))
  if (memory === undefined) await thread.reactions.conclude('confused')
}

/** Its own last words hold, a result always does, and what an earlier attempt told does if this one sent nothing. */
function isTold({ state, run }: Marker, { phase }: PostState, environment: Environment): boolean {
  if (state === 'reported') return true
  return meaningOf(state).told && (phase === 'begun' || run === runName(environment))
}

function resultOf({ phase, job }: PostState, memory: Memory | undefined, environment: Environment): Result {
  const own = memory?.own?.marker
  if (job !== undefined || own?.state === 'open') return ended('cancelled')
  const sentByEarlier = own !== undefined && own.run !== runName(environment)
  if (phase === 'begun' && !sentByEarlier) return ended('cancelled')
  return ended('error', 'creation-uncertain', leftOpen('the run ended while the request was under way'))
}
