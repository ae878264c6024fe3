import { asObject, asString, parseJson } from '../../src/json.ts'
import {
  allRecorded,
  ENDED,
  type History,
  livesOf,
  type Request,
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

/** A request starts one job, or sends one message, unless people were asked to look, and ran it again. */
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
    // One that its job does not name when it ends is like any other, even if a later turn names it.
    const hasEnded = (jobId: string) =>
      life.calls.some(
        ({ path, text = '' }) => path.endsWith(`/job/${jobId}`) && ENDED.test(text) && !text.includes(link),
      )
    // Of a job that was reported without it, no record leads to a link that a later turn gave it.
    const isKnown = run.found.some(
      ({ record: { kind, jobId, prLink } }) =>
        prLink === link ||
        (kind === 'running' &&
          showsAgent(world, request, life) &&
          world.emulator.service.job(jobId)?.prLink === link &&
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
