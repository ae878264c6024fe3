import {
  bodyOf,
  type History,
  jobIdIn,
  keysOf,
  livesOf,
  outcomeOf,
  type Recorded,
  type Request,
  reasonOf,
  recordedIn,
  threadsOf,
} from '../history.ts'
import type { Life } from '../life.ts'
import { ACTION_LOGIN } from '../world.ts'
import type { Invariant } from './invariant.ts'

/** Skips that say nothing in the thread. */
const SILENT: ReadonlySet<string> = new Set([
  'not-a-command',
  'not-a-new-comment',
  'bot',
  'agent-pull-request',
  'missing-secret',
])
/** Answers to the comment that asked; without a comment no person gets an answer. */
const ANSWERS: ReadonlySet<string> = new Set([
  'pull-request-open',
  'job-active',
  'no-changes',
  'dry-run',
  'help',
  'status',
])

/** In the end the thread holds one result or refusal for a request, and no `eyes` beside it. */
export const oneResult: Invariant = {
  name: 'one-result',
  clause: '5.3, 5.4, 8.1',
  atEnd: (history) =>
    history.requests
      .filter((request) => isJudged(history, request))
      .flatMap((request) => [...resultComplaints(history, request), ...reactionComplaints(history, request)]),
}

function isJudged({ world }: History, { thread, inputs }: Request): boolean {
  if (thread === undefined || inputs.comment === 'off') return false
  const { permissions } = world.story
  // GitHub takes comments for either permission (5.6); reactions on review comments want that of pull requests.
  const may = permissions.pull_requests === 'write' && permissions.issues === 'write'
  return may && threadsOf(world).includes(thread) && !world.touched.get(thread)?.has('locked')
}

function expected(request: Request): number {
  const last = request.runs.at(-1)?.main
  const reason = reasonOf(last)
  const unstarted = outcomeOf(last) === 'error' && last?.calls.length === 0
  if (SILENT.has(reason) || unstarted) return 0
  return ANSWERS.has(reason) && request.event.payload !== undefined && !hasComment(request) ? 0 : 1
}

const hasComment = ({ event }: Request): boolean =>
  event.comment !== undefined || event.name === 'pull_request_review'

function resultComplaints(history: History, request: Request): string[] {
  const { world } = history
  const thread = request.thread ?? 0
  const isTouched = world.touched.has(thread)
  const recorded = recordedIn(world, thread)
  // Where somebody deletes or breaks the original, a copy takes its place, whichever bot posted it.
  const standing = (belongs: (one: Recorded) => boolean): Recorded[] => {
    const originals = recorded.filter((one) => belongs(one) && one.author === ACTION_LOGIN)
    if (originals.length > 0 || !isTouched) return originals
    return recorded.filter((one) => belongs(one) && one.author.endsWith('[bot]'))
  }
  if (reasonOf(request.runs.at(-1)?.main) === 'permission-denied') {
    const refusals = standing(({ record }) => record.state === 'refusal').length
    return refusals === 1 ? [] : [`#${thread} has ${refusals} refusals after ${request.name}`]
  }
  const keys = keysOf(history, request)
  const own = standing(
    ({ record }) => keys.has(record.key) && record.state !== 'refusal' && record.state !== 'link',
  )
  const wants = expected(request)
  const states = own.map(({ record }) => record.state).join(', ')
  return [
    ...(keys.size > 1 ? [`${request.name} has ${keys.size} keys`] : []),
    ...(own.length === wants || (own.length === 1 && wants === 0)
      ? []
      : [`#${thread} has ${own.length} results (${states}) for ${request.name}, not ${wants}`]),
    ...own.flatMap((one) =>
      isReported(world.emulator.service.job(jobIdIn(one.record))?.status, one)
        ? []
        : [`${request.name} is left as ${states}`],
    ),
  ]
}

/** A job that never ends stays open; everything else has been reported. */
const isReported = (status: string | undefined, { record, body }: Recorded): boolean =>
  record.state === 'running'
    ? status === 'active'
    : record.state !== 'sending' && !body.includes('is working**')

function reactionComplaints(history: History, request: Request): string[] {
  const { world, requests, sweeps } = history
  const { comment } = request.event
  const last = request.runs.at(-1)?.main
  const sharing = requests.filter(({ event }) => event.comment?.id === comment?.id)
  // 5.3: the eyes stay for as long as somebody's job goes on unwatched.
  const goesOn = sharing.some((one) => {
    const keys = keysOf(history, one)
    const records = recordedIn(world, one.thread ?? 0).map(({ record }) => record)
    const isReported = records.some(({ state, key }) => state === 'reported' && keys.has(key))
    return outcomeOf(one.runs.at(-1)?.main) === 'started' && !isReported
  })
  if (comment === undefined || goesOn) return []
  const reactions = world.emulator.github.reactions(comment.kind, comment.id).map(({ content }) => content)
  // With the record goes what is known of the reaction.
  const isTouched = world.touched.has(request.thread ?? 0)
  // No record says what GitHub did not take back when it was asked to (5.6).
  const isRefused = [...livesOf(request), ...sweeps].some(({ calls }) =>
    calls.some((call) => call.host === 'github' && call.fault),
  )
  // GitHub said that they are gone, or did not take them back.
  const isDenied = [...livesOf(request), ...sweeps].some(({ calls }) =>
    calls.some(({ path, fault }) => path.includes('/reactions') && fault),
  )
  return [
    ...(reactions.includes('eyes') && !isDenied
      ? [`${request.name} still has eyes beside ${outcomeOf(last)}`]
      : []),
    ...(reactions.length > 1 && sharing.length === 1 && !isTouched && !isRefused
      ? [`${request.name} has the reactions ${reactions.join(', ')}`]
      : []),
  ]
}

const reported = new WeakMap<History['world'], Map<number, Recorded>>()

/** Only the process that wrote a result may add what it learns later: how the preview went (4.10). */
function isAmended({ lives }: History['world'], old: Recorded, now: Recorded): boolean {
  const of = ({ body }: Recorded) => lives.filter(({ calls }) => calls.some((call) => bodyOf(call) === body))
  const [before, after] = [of(old), of(now)]
  return old.record.finish.preview && after.length === 1 && before.includes(after[0] as Life)
}

/** A reported result is never written over, and never taken back. */
export const resultStays: Invariant = {
  name: 'result-stays',
  clause: '6.2',
  afterLife({ world }) {
    const before = reported.get(world) ?? new Map<number, Recorded>()
    reported.set(world, before)
    const now = threadsOf(world).flatMap((thread) => recordedIn(world, thread))
    const complaints = [...before.values()].flatMap((old) => {
      if (world.touched.has(old.thread)) return []
      const same = now.find(({ id }) => id === old.id)
      if (same !== undefined)
        return same.body === old.body || isAmended(world, old, same)
          ? []
          : [`the result ${old.id} in #${old.thread} changed`]
      // Two that were reported at the same time become one.
      const other = now.some(({ record }) => record.key === old.record.key && record.state === 'reported')
      return other ? [] : [`the result ${old.id} in #${old.thread} is gone`]
    })
    for (const one of now) {
      if (one.record.state === 'reported' && one.author === ACTION_LOGIN) before.set(one.id, one)
    }
    for (const id of before.keys()) if (!now.some((one) => one.id === id)) before.delete(id)
    return complaints
  },
}
