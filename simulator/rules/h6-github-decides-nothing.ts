import { canRemember, jobOf, mayHaveLaterTurn, outcomeOf, reasonOf, requestOf, sentBy } from '../history.ts'
import type { Life } from '../life.ts'
import type { Rule } from './rule.ts'

/** By the status of a job that is over, and whether it has a link. */
const OUTCOMES: Readonly<Record<string, readonly string[]>> = {
  completed: ['pull-request', 'no-pull-request'],
  failed: ['failed'],
  archived: ['archived'],
}
const BEFORE_THE_END = ['timed-out', 'started', 'cancelled']

/** GitHub did not show it a thread. */
const missesList = ({ calls }: Life): boolean =>
  calls.some(
    ({ host, path, fault, status = 500 }) =>
      host === 'github' && /\/comments$/.test(path) && (fault !== undefined || status >= 400),
  )

/** Once the agent was asked, the outcome is what became of the job, whatever GitHub does. */
const serviceDecides: Rule = {
  promise: 'H6',
  name: 'service-decides',
  afterMain({ history, world, request, run, life }) {
    const sent = sentBy(history, [request])
      .filter((one) => one.run === run && one.isKnown)
      .at(-1)
    if (sent === undefined || life.fate !== 'ended') return []
    const [outcome, reason] = [outcomeOf(life), reasonOf(life)]
    const job = world.emulator.service.job(sent.jobId)
    const ended = [outcome, reason].filter(Boolean).join(', ')
    if (reason === 'github-unavailable') return [`${life.name} ends as ${ended}, and ${sent.jobId} was asked`]
    // The service may say less than it knows.
    const isOdd = life.calls.some(
      ({ host, fault, status = 0 }) => host === 'service' && (fault || status >= 400),
    )
    const open = world.emulator.service.openTurns(sent.jobId)
    const ofJob = world.messages.filter((one) => one.jobId === sent.jobId)
    const isStale = ofJob.some(({ turn }) => turn.staleReads)
    if (job === undefined || isOdd || isStale || jobOf(life) !== sent.jobId) return []
    // Of a turn before the last one, the job tells that it is over.
    if (reason === 'end-uncertain' && mayHaveLaterTurn(world, sent.jobId, sent.at)) return []
    // Where the thread cannot remember the request of one of them, two runs at once know nothing of each other.
    const forgets = (one: Life) => {
      const by = requestOf(history, one)
      return by === undefined || !canRemember(history, by)
    }
    // Nor do two of two threads, where the one sends between the other's reading of the job and its message.
    const readAt = life.calls
      .filter(({ host, path, at }) => host === 'service' && path.endsWith(sent.jobId) && at <= sent.at)
      .at(-1)?.at
    const isElsewhere = (one: Life) => requestOf(history, one)?.thread !== request.thread
    const isMissed = ({ life: other, at }: (typeof ofJob)[number]) =>
      isElsewhere(other) && readAt !== undefined && at >= readAt && at <= sent.at
    const isBlind = ofJob.some(
      (one) =>
        one.life !== life &&
        ((one.at >= life.bornAt && (!canRemember(history, request) || forgets(one.life))) || isMissed(one)),
    )
    const isOver = isBlind || !open.includes(sent.turn)
    // Who cannot know what came to the job later may say how that ended.
    const isSeen = (one: Life) => canRemember(history, request) && !forgets(one) && !missesList(life)
    const turns = ofJob.filter((one) => one.at >= sent.at && (one.life === life || !isSeen(one.life)))
    const said = turns.flatMap(({ turn }) => [turn.ending ?? 'completed', turn.answerStatus ?? ''])
    const isOwnAlone = turns.every((one) => one.life === life) && job.status !== 'archived'
    const endings = isOwnAlone ? said : [...said, job.status]
    const may = [...BEFORE_THE_END, ...(isOver ? endings.flatMap((ending) => OUTCOMES[ending] ?? []) : [])]
    return may.includes(outcome)
      ? []
      : [`${life.name} ends as ${ended}, and ${sent.jobId} is ${isOver ? job.status : 'at work'}`]
  },
}

export const H6: readonly Rule[] = [serviceDecides]
