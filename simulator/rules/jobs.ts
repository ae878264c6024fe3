import { asObject, asString, parseJson } from '../../src/json.ts'
import { endsJob } from '../endings.ts'
import {
  allRecorded,
  asksAgain,
  ENDED,
  type History,
  keysOf,
  livesOf,
  outcomeOf,
  type Request,
  type Run,
  recordedIn,
  type Sent,
  sentFor,
  sentPrompts,
} from '../history.ts'
import type { Life } from '../life.ts'
import {
  allowedBots,
  canRemember,
  couldReport,
  isAgents,
  isShort,
  metFaults,
  metLimit,
  outagesOf,
  wasMisled,
} from '../truth.ts'
import { ACTION_LOGIN, REPOSITORY, type World } from '../world.ts'
import type { Rule } from './rule.ts'

/** A request starts one job, or sends one message, unless its job failed, or people were asked to look, and ran it again. */
export const neverTwice: Rule = {
  name: 'never-twice',
  clause: '4.3, 5.2',
  afterMain({ history, request }) {
    const sent = sentFor(history, request)
    return sent.slice(1).flatMap((next, n) => {
      const before = sent[n]
      if (before === undefined || isAllowed(history, request, before, next)) return []
      return [`${request.name} was sent by attempt ${before.run.attempt} and again by ${next.run.attempt}`]
    })
  },
}

const UNCERTAIN = /not known whether (a job was started|the job \S+ got the request)/

function isAllowed(history: History, request: Request, before: Sent, next: Sent): boolean {
  if (before.run === next.run) return false
  const { world } = history
  const between = request.runs.filter(
    ({ attempt }) => attempt >= before.run.attempt && attempt < next.run.attempt,
  )
  const wasAsked = livesOf({ runs: between }).some(({ log }) => UNCERTAIN.test(log.text))
  if (wasAsked && !isKnown(world, before)) return true
  // An attempt in between found it so, too, and may have ended before it sent anything.
  const later = request.runs.filter(
    ({ attempt }) => attempt > before.run.attempt && attempt <= next.run.attempt,
  )
  if (later.some((run) => asksAgain(history, request, run))) return true
  // Who closes the tracking issue starts afresh (3.9).
  if (request.inputs['issue-title'] !== undefined && world.closedTracking.size > 0) return true
  // GitHub said that it could not be written or read, which was not so.
  return !canRemember(history, request) || livesOf({ runs: [...between, next.run] }).some(wasMisled)
}

/** The process heard of the job, and had time to write it down. */
const isKnown = (world: World, { run: { main }, call }: Sent): boolean =>
  namedJob(call) !== undefined && couldReport(world, main)

/** The job that the answer names; what is cut off in the middle names none (4.3). */
const namedJob = ({ status = 500, text = '' }: Sent['call']): string | undefined =>
  status < 300 ? asString(asObject(parseJson(text)).id) || undefined : undefined

/** The id of a job that a process has heard of is in its outputs, and the thread remembers it. */
export const nothingLost: Rule = {
  name: 'nothing-lost',
  clause: '2, 5.2',
  afterMain({ history, world, request, life }) {
    if (life.fate !== 'ended') return []
    const remembers = canRemember(history, request) && couldReport(world, life)
    return sentPrompts(world, life.calls).flatMap((call) => {
      const id = namedJob(call)
      if (id === undefined || world.emulator.service.job(id) === undefined) return []
      const stands = allRecorded(world).some(
        ({ thread, author, record }) =>
          thread === request.thread && author === ACTION_LOGIN && record.jobId === id,
      )
      return [
        ...(life.footprint.outputs.get('job-id') === id ? [] : [`${life.name} does not name ${id}, its job`]),
        ...(remembers && !stands
          ? [`#${request.thread} does not remember ${id}, the job of ${life.name}`]
          : []),
      ]
    })
  },
}

/** No job is started for a pull request that the agent itself has opened, under whichever account (3.5). */
export const noJobForOwnPulls: Rule = {
  name: 'no-job-for-own-pulls',
  clause: '3.5',
  afterMain({ world, request, run, life }) {
    if (!/^pull_request(_target)?$/.test(request.event.name)) return []
    const opener = request.event.opener ?? ''
    const link = `https://github.com/${REPOSITORY}/pull/${request.thread}`
    const [asked] = sentPrompts(world, life.calls)
    if (asked === undefined) return []
    // One that its job does not name when it ends is like any other, even if a later turn names it.
    const reads = world.lives.flatMap(({ calls }) => calls.filter(({ at }) => at <= asked.at))
    const hasEnded = (jobId: string) =>
      reads.some(
        ({ path, text = '' }) => path.endsWith(`/job/${jobId}`) && ENDED.test(text) && !text.includes(link),
      )
    // Of a job that was reported without it, no record leads to a link that a later turn gave it.
    const isKnown = run.found.some(
      ({ record: { kind, jobId, prLink } }) =>
        prLink === link ||
        (kind === 'running' &&
          showsAgent(world, request, life) &&
          world.emulator.service.job(jobId)?.pullRequest === link &&
          !hasEnded(jobId)),
    )
    const allows = allowedBots(request.inputs).includes(opener) || wasMisled(life)
    if (allows || !isKnown || !isAgents(world, request.thread)) return []
    return sentPrompts(world, life.calls).map(
      ({ path }) => `${life.name} sent ${path} for #${request.thread}, which the agent has opened`,
    )
  },
}

/** A job that works may have opened it only where GitHub shows, and the token may read, that an agent did. */
const showsAgent = (world: World, request: Request, life: Life): boolean =>
  (world.story.agentLogin.endsWith('[bot]') || world.story.agentSign !== 'none') &&
  world.story.permissions.pull_requests !== 'none' &&
  outagesOf(world, life).length === 0 &&
  !(isShort(request) && metFaults(life)) &&
  !metLimit(life)

/** Nobody reads that the agent is done while it still works on what they asked, or has not begun. */
export const endsWithItsTurn: Rule = {
  name: 'ends-with-its-turn',
  clause: '4.8',
  afterMain({ history, world, request, run, life }) {
    if (!endsJob(life)) return []
    const jobId = life.footprint.outputs.get('job-id') ?? ''
    const open = world.emulator.service.openTurns(jobId)
    return sentFor(history, otherCall(history, request, run) ?? request).flatMap((sent) => {
      const message = world.messages.find(({ callId }) => callId === sent.call.id)
      // An answer that says `active`, and then a read that says what was before, is taken at its word.
      if (message === undefined || (message.turn.staleReads ?? 0) > 0) return []
      if (!open.includes(message.turn) || (message.isQueued && lookedIdle(sent))) return []
      return [`${life.name} says ${outcomeOf(life)}, and the agent has not ended its turn in ${jobId}`]
    })
  },
}

/**
 * The other call of a reusable workflow, where people have deleted what this one wrote: a re-run takes the only record of
 * its run and step for its own, and names its comment (5.2).
 */
function otherCall(history: History, request: Request, { attempt, main }: Run): Request | undefined {
  const { runId, thread = 0 } = request
  if (attempt === 1 || !history.world.touched.has(thread)) return undefined
  const standing = recordedIn(history.world, thread)
  const named = standing.filter(({ id }) =>
    main.footprint.outputs.get('comment-url')?.endsWith(`#issuecomment-${id}`),
  )
  const earlierKeys = (one: Request) =>
    keysOf(history, { ...one, runs: one.runs.filter((run) => run.attempt < attempt) })
  const own = earlierKeys(request)
  if (standing.some(({ record }) => own.has(record.key))) return undefined
  return history.requests.find(
    (one) => one.runId === runId && named.some(({ record }) => earlierKeys(one).has(record.key)),
  )
}

/** The last read before the message said what was before, and `active` after it looks like the turn that was asked for. */
function lookedIdle({ run: { main }, call }: Sent): boolean {
  const before = main.calls.slice(0, main.calls.indexOf(call))
  const read = before.findLast(({ method, path }) => method === 'GET' && /\/job\/[^/]+$/.test(path))
  return ENDED.test(read?.text ?? '')
}
