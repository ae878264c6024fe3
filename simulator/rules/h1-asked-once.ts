import { isFix } from '../fixes.ts'
import {
  allSentBy,
  bodyOf,
  canRemember,
  type History,
  isAgents,
  isOfCode,
  isPrompt,
  livesOf,
  pullOf,
  type Request,
  reasonOf,
  type Sent,
  sentBy,
  UNCERTAIN,
} from '../history.ts'
import type { Life } from '../life.ts'
import { REPOSITORY, type World } from '../world.ts'
import type { Rule } from './rule.ts'

/** What may have gone out does not go out again, unless a person runs it again who was asked to look, or whose job failed. */
const askedOnce: Rule = {
  promise: 'H1',
  name: 'asked-once',
  afterMain({ history, request, run }) {
    const sent = sentBy(history, [request])
    return sent.slice(1).flatMap((next, n) => {
      const before = sent[n]
      if (next.run !== run || before === undefined || isAskedAgain(history, before, next)) return []
      return [`${request.name} was sent by attempt ${before.run.attempt} and again by ${next.run.attempt}`]
    })
  },
}

function isAskedAgain(history: History, before: Sent, next: Sent): boolean {
  const { request, run } = before
  if (run === next.run) return false
  // Of an event about the code, other changes are another request.
  if (isOfCode(request) && before.files !== next.files) return true
  if (!canRemember(history, request) || hasFailed(history.world, before, next)) return true
  // Who closes the tracking issue starts afresh.
  if (request.inputs['issue-title'] !== undefined && history.world.interferences.includes('close-tracking'))
    return true
  if (isForgottenByKey(history, before, next)) return true
  const between = request.runs.filter(({ attempt }) => attempt >= run.attempt && attempt < next.run.attempt)
  // The service said so, even if it finds the job again later.
  if (between.some(({ main }) => reasonOf(main) === 'job-not-found')) return true
  const hasSaid = ({ log, calls }: Life) =>
    livesOf({ runs: between }).some((one) => one.log === log && UNCERTAIN.test(log.text)) ||
    calls.some((call) => call.at < next.at && UNCERTAIN.test(bodyOf(call)))
  return !before.isKnown && history.world.lives.some(hasSaid)
}

const keyOf = ({ run }: Sent): string | undefined => run.main.inputs['memory-key']

/** Another memory key signed the first, and a command has asked with the new one since. */
function isForgottenByKey(history: History, before: Sent, next: Sent): boolean {
  const isSince = (one: Sent) => one.thread === next.thread && one.at > before.at && one.at < next.at
  return (
    keyOf(before) !== keyOf(next) &&
    sentBy(history, history.requests).some((one) => isSince(one) && keyOf(one) === keyOf(next))
  )
}

/** Its job failed with it, or with what came to it before the next one was sent, or is gone. */
export function hasFailed({ emulator, messages }: World, { jobId, turn, at }: Sent, next?: Sent): boolean {
  const job = emulator.service.job(jobId)
  const between = messages.filter((one) => next && one.jobId === jobId && one.at >= at && one.at < next.at)
  const turns = [turn, ...between.map((one) => one.turn)]
  const said = turns.flatMap(({ ending, answerStatus }) => [ending, answerStatus])
  return job === undefined || [job.status, ...said].includes('failed')
}

/** The job of a thread goes on with what is asked there; another one is created only where it is over. */
const oneJob: Rule = {
  promise: 'H1',
  name: 'one-thread-one-job',
  afterMain({ history, world, request, run }) {
    const { inputs } = request
    if (!canRemember(history, request) || asksForNew(request)) return []
    const all = sentBy(history, [request])
    const own = all.filter((sent) => sent.run === run)
    // What failed is asked anew.
    if (all.some((sent) => sent.run !== run && hasFailed(world, sent))) return []
    return own.flatMap((sent) => {
      const { thread } = sent
      const remembering = history.requests.filter((one) => canRemember(history, one))
      // What another memory key signed is not known here.
      const ofThread = allSentBy(history, remembering).filter(
        (one) => one.thread === thread && keyOf(one) === keyOf(sent),
      )
      const before = ofThread[ofThread.findIndex(({ call }) => call === sent.call) - 1]
      if (!sent.call.path.endsWith('/job'))
        return ofThread.some((one) => one.call !== sent.call && one.jobId === sent.jobId) ||
          sent.jobId === inputs['job-id'] ||
          inputs['issue-title'] !== undefined ||
          leadsHere(world, thread, sent.jobId)
          ? []
          : [`${request.name} sent a message to ${sent.jobId}, which is not the job of #${thread}`]
      if (before === undefined || !before.isKnown || isOver(world, before.jobId, inputs.conversation))
        return []
      // One for a new job waits for no other, and no other for it.
      const [first] = run.main.calls
      if (asksForNew(before.request) && first !== undefined && first.at <= before.at) return []
      return [
        `${request.name} created ${sent.jobId} in #${thread}, which has ${before.jobId} of ${before.request.name}`,
      ]
    })
  },
}

const asksForNew = ({ ask, inputs, event }: Request): boolean =>
  inputs.conversation === 'new' || (!event.byInput && ask.event === 'new')

/** The thread is the pull request of the job. */
function leadsHere(world: World, thread: number | undefined, jobId: string): boolean {
  const job = world.emulator.service.job(jobId)
  // What the service has forgotten since does not tell.
  const isIts = job === undefined || job.pullRequest === `https://github.com/${REPOSITORY}/pull/${thread}`
  return isAgents(world, thread) && isIts
}

/** The job is gone or has failed, or its pull request is merged or closed. `skip` waits for less. */
export function isOver(world: World, jobId: string, conversation = ''): boolean {
  const job = world.emulator.service.job(jobId)
  if (job === undefined || job.status === 'archived' || job.status === 'failed') return true
  const named = pullOf(world, job.prLink ?? '')
  const pulls = [named, pullOf(world, job.pullRequest ?? '')]
  if (pulls.some((pull) => pull?.issue.state === 'closed')) return true
  return conversation === 'skip' && job.status === 'completed' && named === undefined
}

/** Only a run asks: a post step sends nothing, and a sweep only what fails of a pull request, to its job. */
const sweepsAskNothing: Rule = {
  promise: 'H1',
  name: 'sweeps-ask-nothing',
  afterLife: (_, { name, role, calls }) =>
    role === 'main'
      ? []
      : calls
          .filter(isPrompt)
          .filter((call) => role !== 'sweep' || !isFix(call))
          .map(({ path }) => `${name} sent ${path}`),
}

export const H1: readonly Rule[] = [askedOnce, oneJob, sweepsAskNothing]
