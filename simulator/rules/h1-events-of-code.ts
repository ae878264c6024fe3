import { canRemember, isOfCode, type Request, sentBy } from '../history.ts'
import { isSigned, recordOf } from '../records.ts'
import { PULL, scopeOf, written } from '../world.ts'
import { hasFailed, isOver } from './h1-asked-once.ts'
import type { MainStep, Rule } from './rule.ts'

// What events of a pull request may ask, without a person who wants it.

/** No event asks what one of the same changes has asked for already. */
const sameChangesOnce: Rule = {
  promise: 'H1',
  name: 'same-changes-once',
  afterMain({ history, world, request, run }) {
    // A re-run is a person's.
    if (request.thread !== PULL || !isOfCode(request) || run.attempt > 1) return []
    if (request.inputs['commit-status'] === undefined || !canRemember(history, request)) return []
    const earlier = sentBy(
      history,
      history.requests.filter((other) => isTwin(request, other)),
    )
    return sentBy(history, [request])
      .filter((sent) => sent.run === run)
      .flatMap((sent) => {
        const same = earlier.findLast(({ at, files }) => at <= sent.at && files === sent.files)
        if (same === undefined || hasFailed(world, same, sent)) return []
        return [
          `${request.name} sends the changes that ${same.request.name} ${same.isKnown ? 'sent' : 'may have sent'}`,
        ]
      })
  },
}

/** Another event of the same workflow. */
export const isTwin = (request: Request, other: Request): boolean =>
  other !== request &&
  isOfCode(other) &&
  other.thread === request.thread &&
  other.ask.workflow === request.ask.workflow &&
  // Other words and inputs make another request.
  other.ask.words === request.ask.words &&
  JSON.stringify(other.ask.inputs) === JSON.stringify(request.ask.inputs)

const OF_MERGE = ['code-merged', 'merge-pushed']

/** The push of a merge and its `closed` ask once, in whichever workflows. */
const mergeOnce: Rule = {
  promise: 'H1',
  name: 'merge-once',
  afterMain({ history, world, request, run }) {
    const isOfMerge = ({ ask }: Request) => OF_MERGE.includes(ask.event)
    if (!isOfMerge(request) || run.attempt > 1 || !canRemember(history, request)) return []
    const others = history.requests.filter(
      (one) => one !== request && isOfMerge(one) && canRemember(history, one),
    )
    const [own] = sentBy(history, [request]).filter((sent) => sent.run === run)
    const earlier = own && sentBy(history, others).findLast(({ at }) => at <= own.at)
    if (own === undefined || earlier === undefined || hasFailed(world, earlier, own)) return []
    return [`${request.name} asks about the merge that ${earlier.request.name} asked about`]
  },
}

/** What the attempt sent by itself: a re-run is a person's. */
const sentByEvent = ({ history, request, run }: MainStep) =>
  isOfCode(request) && request.thread === PULL && run.attempt === 1 ? sentBy(history, [request]) : []

/** No event starts a job beside one that works for the pull request. */
const oneJobWorks: Rule = {
  promise: 'H1',
  name: 'one-job-works',
  afterMain(step) {
    const { history, world, request } = step
    // `conversation: new` asks for a job of its own each time.
    if (!canRemember(history, request) || request.inputs.conversation === 'new') return []
    const ofPull = history.requests.filter((one) => one.thread === PULL && canRemember(history, one))
    const known = sentBy(history, ofPull)
    return sentByEvent(step).flatMap(({ call, jobId, at }) => {
      // Its workflow names the job, whatever else works.
      if (jobId === request.inputs['job-id']) return []
      const message = world.messages.find((one) => one.call === call)
      const beside = known.find(
        (one) => one.at < at && one.jobId !== jobId && message?.besides.includes(one.jobId),
      )
      if (beside === undefined || isOver(world, beside.jobId)) return []
      return [`${request.name} starts ${jobId}, and ${beside.jobId} of ${beside.request.name} works`]
    })
  },
}

/** By a person, as `edit-comment` does: a record that is no record any more. */
const isEdited = (body: string): boolean => body.includes('docs-agent:9')

/** Where nothing of what the thread remembers verifies, a person decides. */
const notKnownAsksNothing: Rule = {
  promise: 'H1',
  name: 'not-known-asks-nothing',
  afterMain(step) {
    const { world, request, life } = step
    const before = written(world, PULL).filter(
      ({ createdAt, body }) =>
        Date.parse(createdAt) < life.bornAt && recordOf(body) !== '' && !isEdited(body),
    )
    // People may give the next runs another key while this one works.
    const scope = { ...scopeOf(world, PULL), secret: life.inputs['memory-key'] ?? '' }
    const isForgotten = before.length > 0 && !before.some(({ body }) => isSigned(body, scope))
    return isForgotten
      ? sentByEvent(step).map(({ jobId }) => `${request.name} asks ${jobId}, and #${PULL} does not verify`)
      : []
  },
}

export const H1_OF_CODE: readonly Rule[] = [sameChangesOnce, mergeOnce, oneJobWorks, notKnownAsksNothing]
