import { endsJob } from '../endings.ts'
import {
  allRecorded,
  bodyOf,
  type History,
  keysOf,
  livesOf,
  mainOf,
  outcomeOf,
  ownRecords,
  processedIn,
  type Recorded,
  type Request,
  recordedIn,
  requestOf,
} from '../history.ts'
import type { Life } from '../life.ts'
import { unsignedRecordIn, withoutRecord, wordsOf } from '../records.ts'
import {
  canRemember,
  couldReport,
  lags,
  metFaults,
  pullOf,
  strangersOf,
  wasAlone,
  wasMisled,
  wereAtOnce,
} from '../truth.ts'
import { ACTION_LOGIN, REPOSITORY, threadsOf } from '../world.ts'
import type { Rule } from './rule.ts'

/** What a run has seen the end of is in its thread, also where GitHub was away for a minute meanwhile. */
export const resultArrives: Rule = {
  name: 'result-arrives',
  clause: '5.3, 5.4, 5.7',
  afterMain({ history, world, request, life }) {
    if (!endsJob(life)) return []
    if (!canRemember(history, request) || !couldReport(world, life)) return []
    if (livesOf(request).some(wasMisled)) return []
    const own = ownRecords(history, request)
    const kinds = own.map(({ record }) => record.kind)
    const jobId = life.footprint.outputs.get('job-id')
    // A sweep whose clock is beyond the deadline of the run reports it, too; the next one keeps one of the two (8.1).
    const sweeps = history.sweeps.filter((sweep) => wereAtOnce(sweep, life))
    const others = own.filter(
      ({ body }) => !sweeps.some(({ calls }) => calls.some((call) => bodyOf(call) === body)),
    )
    // A comment whose answer was lost is not in the list yet where the action looks for it; the next sweep deletes one.
    const mayBeTwice = lags(world) && metFaults(life)
    return [
      ...(kinds.includes('reported') && new Set(kinds).size === 1 && (others.length <= 1 || mayBeTwice)
        ? []
        : [`#${request.thread} has [${kinds}] of ${request.name} after ${life.name}, not one result`]),
      ...(life.footprint.outputs.get('comment-url') ? [] : [`${life.name} names no comment for ${jobId}`]),
      ...reactionComplaints(history, request),
    ]
  },
}

/** The faults are over, and one sweep has been: each request has one answer, and nothing is left as under way. */
export const oneResult: Rule = {
  name: 'one-result',
  clause: '5.3, 5.4, 8.1',
  afterSweep: (history) =>
    judged(history).flatMap((request) => [
      ...countComplaints(history, request),
      ...openComplaints(history, request, false),
      ...reactionComplaints(history, request),
    ]),
  atEnd: (history) =>
    judged(history).flatMap((request) => [
      ...countComplaints(history, request),
      ...openComplaints(history, request, true),
    ]),
}

const judged = (history: History): Request[] =>
  history.requests.filter(
    (request) => canRemember(history, request) && ![...livesOf(request), ...history.sweeps].some(wasMisled),
  )

function countComplaints(history: History, request: Request): string[] {
  const own = ownRecords(history, request)
  const refusals = recordedIn(history.world, request.thread ?? 0).filter(
    ({ record, author }) => author === ACTION_LOGIN && record.kind === 'refusal',
  )
  return [
    ...(own.length <= 1 ? [] : [`#${request.thread} has ${own.length} results for ${request.name}`]),
    ...(refusals.length <= 1 || wereTogether(history, request.thread)
      ? []
      : [`#${request.thread} has ${refusals.length} refusals`]),
  ]
}

/**
 * The faults are over, and one sweep has been: no result says that something goes on, and all that follows it is done,
 * unless GitHub refused it.
 */
export const whatFollows: Rule = {
  name: 'what-follows',
  clause: '3.9, 4.11, 4.12, 5.5, 5.6',
  afterSweep: (history) =>
    judged(history).flatMap((request) =>
      ownRecords(history, request)
        .filter(({ record }) => record.kind === 'reported')
        .flatMap((result) => [
          ...(/is working|Follow the run/.test(wordsOf(result.body))
            ? [`the result of ${request.name} says that something goes on`]
            : []),
          ...wayBack(history, request, result),
          ...(request.inputs['issue-title'] === undefined ? [] : trackingComplaints(history, request)),
        ]),
    ),
}

const listIn = (list = ''): string[] => list.split(/[,\n]/).flatMap((name) => name.trim() || [])

/** Comment, labels and reviewers of the job's pull request in this repository. */
function wayBack(history: History, request: Request, result: Recorded): string[] {
  const { world } = history
  const { name, ask, event, inputs, thread } = request
  const pull = pullOf(world, result.record.prLink)
  if (pull?.repository !== REPOSITORY || world.touched.has(pull.number)) return []
  const { number, issue } = pull
  const found = recordedIn(world, number).filter(({ author }) => author === ACTION_LOGIN)
  // That the code was closed is told there as well (3.13).
  const ends = history.requests.filter((other) => other.ask.event === 'code-closed').map(({ runId }) => runId)
  const links = found.filter(
    ({ record: { kind, jobId, payload } }) =>
      kind === 'link' &&
      jobId === result.record.jobId &&
      !ends.some((runId) => String(payload.run).startsWith(`${runId}.`)),
  )
  const isLinked = number === thread || found.some(({ record }) => record.jobId === result.record.jobId)
  const isAlone =
    world.lives.filter(({ role }) => role === 'sweep').length <= 1 &&
    livesOf(request).every((life) => wasAlone(history, request, life))
  const done = processedIn(world)
  const asked = world.lives.flatMap(({ calls }) =>
    calls.filter(({ path }) => path.endsWith(`/pulls/${number}/requested_reviewers`)),
  )
  const isAnswered = asked.some(
    ({ id, status = 500, fault }) => done.has(id) || (status < 500 && fault === undefined),
  )
  const asker = event.name === 'schedule' || ask.sender.endsWith('[bot]') ? [] : [ask.sender]
  const reviewers = listIn(inputs.reviewers).flatMap((one) => (one === 'requester' ? asker : one))
  return [
    ...(isLinked ? [] : [`nothing leads back from #${number} to the result of ${name}`]),
    ...(links.length > 1 && isAlone && !lags(world) ? [`#${number} has ${links.length} links`] : []),
    ...listIn(inputs.labels)
      .filter((label) => !issue.labels.includes(label))
      .map((label) => `#${number} of ${name} lacks the label ${label}`),
    ...(reviewers.length > 0 && !isAnswered ? [`nobody was asked to review #${number} of ${name}`] : []),
  ]
}

/** The issue shows how the last refresh ended, where all of them have. */
function trackingComplaints(history: History, { name, thread = 0 }: Request): string[] {
  const { world } = history
  const body = world.emulator.github.repo().issues.get(thread)?.body ?? ''
  const isOver = recordedIn(world, thread).every(({ record }) => record.kind === 'reported')
  const line = /^Last refresh: (none yet|.*still working).*$/m.exec(body)?.[0]
  return line === undefined || !isOver ? [] : [`#${thread} of ${name} says "${line}"`]
}

/** Runs at the same time cannot see each other's comments. */
const wereTogether = (history: History, thread: number | undefined): boolean =>
  history.requests
    .filter((request) => request.thread === thread)
    .some((request) => livesOf(request).some((life) => !wasAlone(history, request, life)))

/** @param wasRunAgain then also what no one knew the job of is settled */
function openComplaints(history: History, request: Request, wasRunAgain: boolean): string[] {
  const { service } = history.world.emulator
  return ownRecords(history, request)
    .filter(({ record, body }) => {
      const isActive = service.job(record.jobId)?.status === 'active'
      if (record.kind === 'running') return !isActive && !wasRunAgain
      // The process was gone before it heard of a job, and so was its post step: only a re-run can tell (5.2).
      if (record.kind === 'sending') return wasRunAgain && !isActive
      return body.includes('is working**')
    })
    .map(({ record }) => `${request.name} is left as ${record.kind}, and its job ${record.jobId} has ended`)
}

function reactionComplaints(history: History, request: Request): string[] {
  const { comment } = request.event
  const sharing = history.requests.filter(({ event }) => comment && event.comment?.id === comment.id)
  if (comment === undefined || sharing.length > 1) return []
  // What GitHub refused a sweep, which no other one tries again.
  const settling = history.sweeps.filter(({ calls }) =>
    calls.some(({ path }) => path.includes(`/comments/${comment.id}/reactions`)),
  )
  if (settling.some(wasMisled)) return []
  const last = request.runs.slice(-1)
  // One that was killed, and its runner with it, has not come to take its eyes back.
  const isSkipped =
    outcomeOf(last[0]?.main) === 'skipped' && livesOf({ runs: last }).some(({ fate }) => fate === 'ended')
  const isOver = isSkipped || ownRecords(history, request).some(({ record }) => record.kind === 'reported')
  const reactions = history.world.emulator.github
    .reactions(comment.kind, comment.id)
    .map(({ content }) => content)
  return [
    ...(isOver && reactions.includes('eyes') ? [`${request.name} is over and has eyes`] : []),
    ...(isOver && reactions.length > 1 ? [`${request.name} has the reactions ${reactions.join(', ')}`] : []),
  ]
}

/** Only who used the command and may not is told so, in a comment and by a reaction. */
export const noRefusalByMistake: Rule = {
  name: 'no-refusal-by-mistake',
  clause: '3.3',
  afterLife({ world, requests }) {
    if (requests.flatMap(livesOf).some(wasMisled)) return []
    return threadsOf(world).flatMap((thread) => {
      const refused = recordedIn(world, thread).some(
        ({ record, author }) => record.kind === 'refusal' && author === ACTION_LOGIN,
      )
      const deserved = requests.some(
        (request) => request.thread === thread && usedCommand(request) && strangersOf(request).length > 0,
      )
      return refused && !deserved ? [`#${thread} has a refusal, and everyone who asked there may`] : []
    })
  },
}

const usedCommand = ({ event }: Request): boolean =>
  event.comment !== undefined || event.name === 'pull_request_review'

/** Of each story, the results as they stood. */
const reported = new WeakMap<History['world'], Map<number, Recorded>>()

/** A reported result is never written over, and never taken back. */
export const resultStays: Rule = {
  name: 'result-stays',
  clause: '6.2',
  afterLife(history) {
    const { world } = history
    const before = reported.get(world) ?? new Map<number, Recorded>()
    reported.set(world, before)
    const now = allRecorded(world)
    const complaints = [...before.values()].flatMap((old) => {
      if (world.touched.has(old.thread)) return []
      const same = now.find(({ id }) => id === old.id)
      if (same !== undefined)
        return same.body === old.body || isAmended(history, old, same)
          ? []
          : [`the result ${old.id} in #${old.thread} changed`]
      // Two that were reported at the same time become one.
      const other = now.some(({ record }) => record.key === old.record.key && record.kind === 'reported')
      return other ? [] : [`the result ${old.id} in #${old.thread} is gone`]
    })
    before.clear()
    for (const one of now)
      if (one.record.kind === 'reported' && one.author === ACTION_LOGIN) before.set(one.id, one)
    return complaints
  },
}

const isOpen = ({ record: { payload } }: Recorded, part: string): boolean =>
  Array.isArray(payload.openParts) && payload.openParts.includes(part)

/** Half a character does not survive its way to a process and back, and GitHub may give back other ends of lines. */
const shown = ({ body }: Recorded): string => withoutRecord(body).toWellFormed().replaceAll('\r\n', '\n')

/**
 * Only the process that wrote a result may add what it learns later, such as how the preview went (4.10), and a re-run
 * that goes on with the checks (4.12).
 */
function isAmended(history: History, old: Recorded, now: Recorded): boolean {
  const { world } = history
  const { lives } = world
  const of = ({ body }: Recorded) => lives.filter(({ calls }) => calls.some((call) => bodyOf(call) === body))
  const [before, writers] = [of(old), of(now)]
  if (now.record.kind !== 'reported') return false
  // Whoever does what a killed run left open writes that down, and leaves the words.
  if (shown(now) === shown(old)) return true
  const wrote = ({ calls }: Life) =>
    calls.filter((call) => {
      const record = unsignedRecordIn(bodyOf(call))
      return record?.kind === 'reported' && record.key === old.record.key
    })
  // It wrote one earlier, too, whatever a sweep noted there meanwhile.
  if (writers.some((life) => wrote(life).length > 1)) return true
  const [after, ...more] = writers
  if (after === undefined || more.length > 0) return false
  // Two sweeps at the same time can both report (8.2).
  if (after.role === 'sweep' && before.some((life) => life.role === 'sweep' && wereAtOnce(life, after)))
    return true
  const request = requestOf(history, after)
  // A list that lags hides from the post step what the main step has just written.
  if (lags(world) && after.role === 'post' && before.some((life) => life === mainOf(history, after)))
    return true
  const goesOn = now.record.key === old.record.key && now.record.payload.checks !== undefined
  // Nobody follows its checks any more.
  if (isOpen(old, 'checks') && !isOpen(now, 'checks')) return true
  return request !== undefined && goesOn && keysOf(history, request).has(old.record.key)
}
