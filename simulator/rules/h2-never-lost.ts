import {
  allSentBy,
  canRemember,
  type History,
  isAtWork,
  jobOf,
  livesOf,
  outcomeOf,
  type Request,
  type Sent,
  sentBy,
} from '../history.ts'
import { toldBy, withoutRecord } from '../records.ts'
import { threadsOf, written } from '../world.ts'
import { isTwin } from './h1-events-of-code.ts'
import type { Rule } from './rule.ts'

/** A job whose id a process has heard of is in its outputs, and so is the one whose end it tells. */
const idInOutputs: Rule = {
  promise: 'H2',
  name: 'id-in-outputs',
  afterMain({ history, request, run, life }) {
    if (life.fate !== 'ended') return []
    const outcome = outcomeOf(life)
    return [
      ...sentBy(history, [request])
        .filter((sent) => sent.run === run && sent.isKnown && jobOf(life) !== sent.jobId)
        .map(({ jobId }) => `${life.name} does not name ${jobId}, its job`),
      ...(OF_JOB.includes(outcome) && jobOf(life) === ''
        ? [`${life.name} ends as ${outcome} and names no job`]
        : []),
    ]
  },
}

const OF_JOB = ['pull-request', 'no-pull-request', 'failed', 'archived', 'started']

/** The thread knows each of its jobs, and in the end how each of them ended. */
const endInThread: Rule = {
  promise: 'H2',
  name: 'end-in-thread',
  afterSweeps: (history) => [...lostIn(history), ...leftWorking(history)],
}

/** The last that each request sent to a job that is over. */
const knownIn = (history: History): readonly Sent[] =>
  history.requests.flatMap((request) => {
    const last = sentBy(history, [request]).at(-1)
    const isKnown = last?.isKnown && isRemembered(history, last) && !isAtWork(history.world, last.jobId)
    return isKnown ? [last] : []
  })

/** Where it was sent from: a re-run can find another tracking issue. */
const isRemembered = (history: History, { request: { inputs }, thread }: Sent): boolean =>
  canRemember(history, { inputs, thread })

function lostIn(history: History): string[] {
  const { world } = history
  return knownIn(history).flatMap((last) => {
    const { request, jobId, thread = 0 } = last
    if (isAskedAnew(history, last)) return []
    const { name } = request
    const told = written(world, thread).map(({ body }) => body)
    const link = world.emulator.service.job(jobId)?.prLink ?? ''
    // What came to the job later may have brought it, and leave no comments here, or went to another job since.
    const latest = allSentBy(history, history.requests).findLast((sent) => sent.jobId === jobId)
    const isKept =
      latest === undefined ||
      (latest.isKnown &&
        isRemembered(history, latest) &&
        sentBy(history, [latest.request]).at(-1)?.jobId === jobId &&
        (latest.thread === thread || hasHeard(request, link)))
    const isLinked =
      !isKept || !PLAIN.test(link) || told.some((body) => withoutRecord(body).includes(`](${link})`))
    return [
      ...(told.some((body) => toldBy(body).includes(jobId))
        ? []
        : [`#${thread} does not know ${jobId} of ${name}`]),
      ...(isLinked ? [] : [`#${thread} does not lead to ${link}, which ${name} brought`]),
    ]
  })
}

/** Events of the same changes are one request, which has the job that got it last. */
function isAskedAnew(history: History, { request, at, files }: Sent): boolean {
  const twins = history.requests.filter((other) => isTwin(request, other))
  return sentBy(history, twins).some((later) => later.at > at && later.files === files)
}

const hasHeard = (request: Request, link: string): boolean =>
  livesOf(request).some(({ calls }) =>
    calls.some(({ host, text = '' }) => host === 'service' && text.includes(link)),
  )

const PLAIN = /^https:\/\/github\.com\/octo\/(app|docs)\/pull\/\d{1,5}$/

/** Nothing says that the agent works where all is over. */
function leftWorking(history: History): string[] {
  const { world } = history
  return threadsOf(world).flatMap((thread) => {
    const asked = history.requests.filter((request) => request.thread === thread)
    const sent = sentBy(history, asked)
    if (sent.some(({ jobId, isKnown }) => isKnown && isAtWork(world, jobId))) return []
    if (asked.some((request) => !canRemember(history, request))) return []
    return written(world, thread)
      .filter(({ body }) => WORKS.test(withoutRecord(body)))
      .map(({ id }) => `#${thread} says in ${id} that the agent works, and it does not`)
  })
}

const WORKS = /^\*\*⏳ The docs agent is working/

export const H2: readonly Rule[] = [idInOutputs, endInThread]
