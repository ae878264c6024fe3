import { asArray, asObject, asString } from '../../src/json.ts'
import { endsJob } from '../endings.ts'
import {
  allRecorded,
  askedBy,
  asksAgain,
  bodyOf,
  type History,
  livesOf,
  outcomeOf,
  ownRecords,
  processedIn,
  type Recorded,
  type Request,
  type Run,
  recordedIn,
  replacingId,
  requestOf,
  takenUp,
} from '../history.ts'
import type { Call } from '../life.ts'
import { type Remembered, wordsOf } from '../records.ts'
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
import { ACTION_LOGIN, PULL, REPOSITORY, threadsOf } from '../world.ts'
import type { Rule } from './rule.ts'

/** What a run has seen the end of is in its thread, also where GitHub was away for a minute meanwhile. */
export const resultArrives: Rule = {
  name: 'result-arrives',
  clause: '5.3, 5.4, 5.7',
  afterMain({ history, world, request: asked, life }) {
    if (!endsJob(life)) return []
    const request = takenUp(history, asked, life) ?? asked
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

/** The faults are over, and one sweep has been: each request has one answer. */
export const oneResult: Rule = {
  name: 'one-result',
  clause: '5.4, 8.1',
  afterSweep: (history) => judged(history).flatMap((request) => countComplaints(history, request)),
  atEnd: (history) => judged(history).flatMap((request) => countComplaints(history, request)),
}

/** When everything has ended, and one sweep has been, no comment, reaction or status says that the agent works. */
export const nothingLeftWorking: Rule = {
  name: 'nothing-left-working',
  clause: '4.13, 5.3, 5.4, 8.1, 8.3',
  afterSweep: (history) => [
    ...judged(history).flatMap((request) => [
      ...openComplaints(history, request, false),
      ...reactionComplaints(history, request),
    ]),
    ...pendingStatuses(history),
  ],
  atEnd: (history) => judged(history).flatMap((request) => openComplaints(history, request, true)),
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

/** The faults are over, and one sweep has been: all that follows a result is done, unless GitHub refused it. */
export const whatFollows: Rule = {
  name: 'what-follows',
  clause: '3.9, 4.11, 4.12, 5.5, 5.6',
  afterSweep: (history) =>
    judged(history).flatMap((request) =>
      ownRecords(history, request)
        .filter(({ record }) => record.kind === 'reported')
        .flatMap((result) => [
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
  const gone = world.takenAway.filter((one) => one.number === number).flatMap(({ names }) => names)
  const found = recordedIn(world, number).filter(({ author }) => author === ACTION_LOGIN)
  // That the code was closed is told there as well (3.13).
  const ends = history.requests
    .filter((other) => /^code-(closed|merged)$/.test(other.ask.event))
    .map(({ runId }) => runId)
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
    calls.filter(
      ({ method, path }) => method === 'POST' && path.endsWith(`/pulls/${number}/requested_reviewers`),
    ),
  )
  const isAnswered = asked.some(
    ({ id, status = 500, fault }) => done.has(id) || (status < 500 && fault === undefined),
  )
  const asker = event.name === 'schedule' || ask.sender.endsWith('[bot]') ? [] : [ask.sender]
  // What a turn that names no pull request would have got, nobody was told of.
  const isNamed = world.emulator.service.job(result.record.jobId)?.prLink === result.record.prLink
  const [labels, reviewers] = isNamed ? [listIn(inputs.labels), listIn(inputs.reviewers)] : [[], []]
  const people = reviewers.flatMap((one) => (one === 'requester' ? asker : one))
  return [
    ...(isLinked ? [] : [`nothing leads back from #${number} to the result of ${name}`]),
    ...(links.length > 1 && isAlone && !lags(world) ? [`#${number} has ${links.length} links`] : []),
    ...labels
      .filter((label) => !issue.labels.includes(label) && !gone.includes(label))
      .map((label) => `#${number} of ${name} lacks the label ${label}`),
    ...(people.length > 0 && !isAnswered ? [`nobody was asked to review #${number} of ${name}`] : []),
  ]
}

/** The issue shows how the last refresh ended, where all of them have. */
function trackingComplaints(history: History, { name, thread = 0 }: Request): string[] {
  const { world } = history
  const body = world.emulator.github.repo().issues.get(thread)?.body ?? ''
  const isOver = recordedIn(world, thread).every(({ record }) => record.kind === 'reported')
  const line = /^Last refresh: (none yet|.*still working).*$/m.exec(body)?.[0]
  if (line === undefined || !isOver) return []
  // Its own request takes it back, unless GitHub said by mistake that it may not.
  const last = lastToWrite(history, thread, line)
  return last !== undefined && livesOf(last).some(wasMisled) ? [] : [`#${thread} of ${name} says "${line}"`]
}

/** The request whose run has put a line into the body of an issue. */
function lastToWrite(history: History, thread: number, line: string): Request | undefined {
  const { world } = history
  const done = processedIn(world)
  const isWritten = (call: Call) =>
    call.method === 'PATCH' &&
    call.path.endsWith(`/issues/${thread}`) &&
    done.has(call.id) &&
    bodyOf(call).includes(line)
  const [last] = world.lives
    .flatMap((life) => life.calls.filter(isWritten).map(({ at }) => ({ life, at })))
    .toSorted((a, b) => b.at - a.at)
  return last && requestOf(history, last.life)
}

/** Runs at the same time cannot see each other's comments. */
const wereTogether = (history: History, thread: number | undefined): boolean =>
  history.requests
    .filter((request) => request.thread === thread)
    .some((request) => livesOf(request).some((life) => !wasAlone(history, request, life)))

/** The comment says that something goes on: an hourglass stands before it, or the run can be followed. */
const WORKING = /^\*\*(⏳|⏹️ The run was cancelled;)|is working\*\*|Follow the run/m

/** @param wasRunAgain then also what no one knew the job of is settled */
function openComplaints(history: History, request: Request, wasRunAgain: boolean): string[] {
  const { service } = history.world.emulator
  return ownRecords(history, request)
    .filter(({ record, body }) => {
      // It was not sent, or it asks how another one stands.
      if (record.kind === 'idle' || !WORKING.test(wordsOf(body))) return false
      // The process was gone before it heard of a job, and so was its post step: only a re-run can tell (5.2).
      if (record.jobId === '') return wasRunAgain
      return service.job(record.jobId)?.status !== 'active'
    })
    .map(
      ({ id, record }) => `comment ${id} of ${request.name} says that ${record.jobId} works, which has ended`,
    )
}

function pendingStatuses(history: History): string[] {
  const { world } = history
  const { github, service } = world.emulator
  const asked = history.requests.filter(({ thread }) => thread === PULL)
  const lives = [...asked.flatMap(livesOf), ...history.sweeps]
  const isFair =
    asked.every((request) => canRemember(history, request)) && lives.every((life) => couldReport(world, life))
  const works = service.jobs().some(({ id, status }) => status === 'active' && id !== world.foreignJob)
  if (!isFair || works || world.story.permissions.statuses !== 'write') return []
  return (
    github
      .pull(PULL)
      .commits.flatMap(({ sha }) => github.statuses(sha).at(-1) ?? [])
      // What a bot pushed waits for a person (3.4).
      .filter(({ state, description }) => state === 'pending' && !description.includes('[bot]'))
      .map(({ context }) => `the status ${context} of #${PULL} stays pending`)
  )
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
  const isAskedAgain = last.some((run) => asksAgain(history, request, run) && leftNoWord(run))
  const isReported = ownRecords(history, request).some(({ record }) => record.kind === 'reported')
  const isOver = isSkipped || (isReported && !isAskedAgain)
  const reactions = history.world.emulator.github
    .reactions(comment.kind, comment.id)
    .map(({ content }) => content)
  return [
    ...(isOver && reactions.includes('eyes') ? [`${request.name} is over and has eyes`] : []),
    ...(isOver && reactions.length > 1 ? [`${request.name} has the reactions ${reactions.join(', ')}`] : []),
  ]
}

/** The run was killed, and its runner with it, before it wrote a comment: nothing says that it was there. */
const leftNoWord = (run: Run): boolean =>
  livesOf({ runs: [run] }).every(
    ({ fate, calls }) => fate === 'killed' && calls.every((call) => bodyOf(call) === ''),
  )

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
const reported = new WeakMap<History['world'], readonly Recorded[]>()

/** What people have read of a result is never taken back: the request keeps an answer, and the way to its pull request. */
export const resultStays: Rule = {
  name: 'result-stays',
  clause: '6.2',
  afterLife(history) {
    const { world } = history
    const now = allRecorded(world)
    const complaints = (reported.get(world) ?? []).flatMap((old) => {
      // A re-run asks again where the job failed (5.2).
      if (world.touched.has(old.thread) || old.record.jobStatus === 'failed') return []
      const standing = now.filter(({ thread, record }) => thread === old.thread && record.kind === 'reported')
      const { key, prLink } = old.record
      const isAnswered = standing.some(({ record }) => record.key === key)
      const isLinked =
        standing.some(
          ({ record, body }) =>
            body.includes(prLink) ||
            (record.key === key && record.prLink === prLink && replacingId(body) !== undefined) ||
            // A fix can come as another pull request (4.12).
            (record.key === key && record.prLink !== '' && record.prLink !== prLink && hasSentBack(record)),
        ) || !old.body.includes(`](${prLink})`)
      return [
        ...(isAnswered ? [] : [`the result ${old.id} in #${old.thread} is gone`]),
        ...(isLinked ? [] : [`nothing in #${old.thread} leads to ${prLink} any more`]),
      ]
    })
    reported.set(
      world,
      now.filter(({ record, author }) => record.kind === 'reported' && author === ACTION_LOGIN),
    )
    const settled = now.filter((line) => !isMoving(history, line))
    return [...complaints, ...settled.flatMap((line) => lineComplaints(history, now, line))]
  },
  afterSweep: allLineComplaints,
  atEnd: allLineComplaints,
}

function allLineComplaints(history: History): string[] {
  const now = allRecorded(history.world)
  return now.flatMap((line) => lineComplaints(history, now, line))
}

/** GitHub refused the last edit of the comment: nobody tries that again (5.6). */
function isKeptFromMoving({ lives }: History['world'], { id }: Recorded): boolean {
  const isEdit = ({ method, path }: Call) => method === 'PATCH' && path.endsWith(`/issues/comments/${id}`)
  const [last] = lives.flatMap(({ calls }) => calls.filter(isEdit)).toSorted((a, b) => b.at - a.at)
  return last?.status !== undefined && last.status >= 400 && last.status < 500
}

/** Who says the result anew deletes the comment that the line leads to, and then moves the line; after a kill, its post step does. */
function isMoving({ requests, sweeps }: History, { body }: Recorded): boolean {
  const id = replacingId(body)
  const processes = [
    ...requests.flatMap(({ runs }) => runs.map((run) => livesOf({ runs: [run] }))),
    ...sweeps.map((life) => [life]),
  ]
  return processes.some(
    (lives) =>
      lives.at(-1)?.fate !== 'ended' &&
      lives.some(({ calls }) =>
        calls.some(({ method, path }) => method === 'DELETE' && path.endsWith(`/issues/comments/${id}`)),
      ),
  )
}

/** What fails of the pull request of the request went back to the agent. */
const hasSentBack = ({ payload }: Remembered): boolean => asArray(asObject(payload.checks).sentFor).length > 0

/** One line in the place of a result leads to that of a later event of the same step, none of which a command caused (3.13). */
function lineComplaints(history: History, now: readonly Recorded[], line: Recorded): string[] {
  const id = replacingId(line.body)
  const { world } = history
  if (id === undefined || line.author !== ACTION_LOGIN || world.touched.has(line.thread)) return []
  if (isKeptFromMoving(world, line)) return []
  const later = now.find((one) => one.id === id && one.thread === line.thread)
  const isLater =
    later !== undefined &&
    later.record.requestedAt > line.record.requestedAt &&
    stepOf(line) !== '' &&
    stepOf(later) === stepOf(line) &&
    // The other call of a workflow on the same event has a result of its own (5.2).
    askedBy(history, later) !== askedBy(history, line)
  return isLater ? [] : [`the line ${line.id} in #${line.thread} leads to no later result: ${id}`]
}

const stepOf = ({ record }: Recorded): string => asString(asObject(record.payload.head).step)

/** A run that has ended keeps no sweep, and no later run, from its request. */
export const keepsNobodyAway: Rule = {
  name: 'keeps-nobody-away',
  clause: '8.1',
  afterMain({ history, world, request, run, life }) {
    if (!couldReport(world, life) || metFaults(life) || !canRemember(history, request)) return []
    return ownRecords(history, request).flatMap(({ id, record: { payload } }) =>
      payload.run === `${request.runId}.${run.attempt}` && Number(payload.waitsMs) > 0
        ? [`${life.name} has ended, and comment ${id} still says that it waits for ${payload.waitsMs} ms`]
        : [],
    )
  },
}
