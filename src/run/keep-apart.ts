import { sleepUnlessCancelled } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { CAUSES } from '../messages/notes.ts'
import type { RunEnd } from '../messages/phrases.ts'
import type { Task } from '../prompt/task.ts'
import { ending } from '../request/outcome.ts'
import type { Plan, Send } from '../request/plan.ts'
import { isHeld, type RequestState, SENDING_MS } from '../request/record.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { planRequest } from './plan-request.ts'

/** A record that goes out later than that after it was written is written once more, so that others still wait for it. */
export const RENEWED_AFTER_MS = SENDING_MS / 3

/**
 * Two requests of one thread at once: each has written its record by now, and reads the thread once more. The one with the older
 * comment goes first, since both see the same ids; the other one waits for its answer, and goes to its job as a message.
 * @param first the plan from before the record was written @param renew writes the record once more
 * @returns the plan as the thread has it now
 */
export async function planBesideOthers(
  session: Session,
  request: Request,
  task: Task,
  first: Send,
  renew: () => Promise<void>,
): Promise<Plan | RunEnd> {
  const { deps, github } = session
  const { deadline, inputs } = task
  const thread = request.writableThread(session)
  const known = request.reading?.before.latest.job?.id
  let awaited: ReadonlySet<string> = new Set()
  for (;;) {
    const refused = await thread?.read(session).catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return error
    })
    const { reading } = request
    const own = reading?.own
    // Without a record in the thread, others cannot wait for it, and GitHub may not show theirs.
    if (refused || thread === undefined || reading === undefined || own === undefined) return first
    const now = github.clock()
    const sending = reading.others.filter(({ id, record }) => id < own.id && record.state === 'sending')
    const held = sending.filter(({ record, updatedAt }) => isHeld(record, updatedAt, now))
    const isLate = deps.monotonic() >= deadline
    const age = now - own.updatedAt
    if (age >= SENDING_MS) return { ending: ending('error', 'github-unavailable', CAUSES.lostItsTurn) }
    const isOld = age >= RENEWED_AFTER_MS && !isLate
    if (isOld) await renew()
    if (held.length > 0 && !isLate) {
      awaited = new Set([...awaited, ...held.map(({ record }) => record.key)])
      await sleepUnlessCancelled(deps, Math.min(inputs.pollMs, deadline - deps.monotonic()))
      continue
    }
    if (isOld) continue
    const isUnanswered =
      sending.length > 0 ||
      reading.others.some(({ record }) => awaited.has(record.key) && isUncertain(record))
    const note = isUnanswered ? { isEarlierUnanswered: true } : {}
    // What the others have learned by now is what this one goes on from.
    request.memory = reading.before
    if (reading.before.latest.job?.id === known)
      return first.job === undefined ? { ...first, note: { ...first.note, ...note } } : first
    request.becomeLatest()
    const plan = await planRequest(
      session,
      { ...reading, memory: reading.before },
      request.identity,
      task,
      false,
    )
    return 'kind' in plan && plan.kind === 'send' && plan.job === undefined
      ? { ...plan, note: { ...plan.note, ...note } }
      : plan
  }
}

const isUncertain = (state: RequestState): boolean =>
  state.state === 'notSent' && state.ending.reason === 'creation-uncertain'
