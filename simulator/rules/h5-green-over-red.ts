import { isTerminal } from '../../emulator/service/turn.ts'
import { pageAt } from '../checks.ts'
import {
  bodyOf,
  canRemember,
  countedFiles,
  fieldsOf,
  type History,
  isAtWork,
  isOfCode,
  livesOf,
  outcomeOf,
  pullOf,
  type Request,
  reasonOf,
  type Sent,
  sentBy,
  strangersOf,
  textOf,
  UNCERTAIN,
} from '../history.ts'
import type { Call, Life } from '../life.ts'
import { withoutRecord } from '../records.ts'
import { headAt, PULL, type World } from '../world.ts'
import { complaints, type Rule } from './rule.ts'

/** What is known within this many ms is known at once: GitHub's times are whole seconds. */
const MARGIN_MS = 2000

const READS = /^\/repos\/([^/]+\/[^/]+)\/commits\/([\da-f]{40})\/check-runs\b/
const SETS = /\/statuses\/[\da-f]{40}$/

/** How the process looked last at the checks of the docs' pull request, if that is open. */
function lastLook(world: World, { footprint, calls }: Life) {
  const pull = pullOf(world, footprint.outputs.get('pr-link') ?? '')
  const last = calls.findLast(({ path, status = 500 }) => status < 400 && READS.test(path))
  if (pull === undefined || last === undefined || pull.issue.state === 'closed') return undefined
  const [, , sha = ''] = READS.exec(last.path) ?? []
  const checks = world.emulator.github.repo(pull.repository).checks.get(sha) ?? []
  return { number: pull.number, at: last.at, sha, checks }
}

/** Who reads that checks pass, in thread, outputs or the status of the code, finds no red cross on the page of the docs. */
const greenOverRed: Rule = {
  promise: 'H5',
  name: 'no-green-over-red',
  afterMain({ world, life }) {
    const look = lastLook(world, life)
    if (look === undefined) return []
    const still = new Set(pageAt(look.checks, look.at).red.map(({ id }) => id))
    const red = pageAt(look.checks, look.at - MARGIN_MS).red.filter(({ id }) => still.has(id))
    const sent = life.calls.filter(({ method, at }) => method !== 'GET' && at >= look.at)
    const isGreen = ({ path, body }: Call) => {
      const { state, target_url: link } = SETS.test(path) ? fieldsOf(body) : {}
      return state === 'success' && textOf(link).endsWith(`/pull/${look.number}`)
    }
    const is = `${life.name} is green over #${look.number}, where ${red[0]?.name} is red, in its`
    return complaints(
      [red.length > 0 && life.footprint.outputs.get('checks') === 'success', `${is} outputs`],
      [red.length > 0 && sent.some((call) => PASS.test(wordsOf(bodyOf(call)))), `${is} thread`],
      [red.length > 0 && sent.some(isGreen), `${is} commit status`],
    )
  },
}

const PASS = /\bits (\d+ )?checks? pass/i

/** Without the request that it echoes. */
const wordsOf = (body: string): string => withoutRecord(body).replace(/<details>[\s\S]*<\/details>/, '')

/** `checks` says nothing that GitHub's page denies, of the newest head. */
const checksTrue: Rule = {
  promise: 'H5',
  name: 'checks-true',
  afterMain({ world, life }) {
    const said = life.footprint.outputs.get('checks') ?? ''
    const look = lastLook(world, life)
    if (look === undefined || !['success', 'none'].includes(said)) return []
    const { number, at, sha, checks } = look
    const page = pageAt(checks, at - MARGIN_MS, world.story.permissions.actions === 'read')
    const [open] = page.withoutVerdict
    const before = headAt(world, number, at - MARGIN_MS)
    const isMoved = before !== '' && before !== sha && headAt(world, number, at) !== sha
    const is = `${life.name} says "${said}" of #${number}`
    return complaints(
      [open !== undefined, `${is}, and ${open?.name} has no verdict`],
      [isMoved, `${is}, of a head that was replaced`],
    )
  },
}

/** The status of a head is that of the latest request about it, or about these changes. */
const latestDecides: Rule = {
  promise: 'H5',
  name: 'latest-decides',
  // What is not said yet, a sweep says; but nothing is green in between.
  afterMain: ({ history, world }) =>
    world.lives.every(({ fate }) => fate) ? statusComplaints(history, ['success']) : [],
  afterSweeps: (history) => statusComplaints(history, ['success', 'failure', 'error', 'pending', 'none']),
}

/** What a status may say, by how the latest request ended. What people archive says nothing of that. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  skipped: ['success'],
  'at work': ['failure', 'error', 'pending', 'none'],
  failed: ['failure', 'error'],
  archived: ['failure', 'error'],
  completed: ['success'],
}

/** @param looked the states that are looked at */
function statusComplaints(history: History, looked: readonly string[]): string[] {
  const { world } = history
  const { github } = world.emulator
  const { head, files } = github.pull(PULL)
  const asked = history.requests.filter((request) => request.thread === PULL && hasStatus(history, request))
  // Others cannot know of a request that writes no comments.
  const isKnown = history.requests.every(
    (request) => request.inputs['commit-status'] !== 'docs' || canRemember(history, request),
  )
  const isUsual =
    isKnown && world.story.permissions.statuses === 'write' && github.issue(PULL).state === 'open'
  // A head of which no event that counts has told gets its status with the next one; so does one whose run was
  // cut off before it wrote anything.
  const isTold = asked.some(
    ({ event, runs }) =>
      event.head === head.sha &&
      runs.some(({ main }) => (main.fate === 'ended' && main.cancelledAt === undefined) || wrote(main)),
  )
  if (!isUsual || !isTold || world.touched.has(PULL)) return []
  const names = files.map(({ filename }) => filename)
  const ended = endOf(world, latestOf(history, asked, names))
  const own = github.statuses(head.sha).filter(({ context }) => context === 'docs')
  const { state = 'none', description = '' } = own.at(-1) ?? {}
  const isRight = !looked.includes(state) || STATES[ended]?.includes(state) !== false
  return isRight ? [] : [`the head of #${PULL} is ${state} (${description}), and the latest is ${ended}`]
}

const wrote = ({ calls }: Life): boolean => calls.some(({ method }) => method !== 'GET')

/** How the latest request ended; '' where that says nothing of the status. */
function endOf(world: World, latest: Latest): string {
  if (latest === undefined) return ''
  if ('skip' in latest) return 'skipped'
  const { request, jobId } = latest.sent
  const job = world.emulator.service.job(jobId)
  if (job === undefined) return ''
  if (isAtWork(world, jobId)) return 'at work'
  const ended = endingOf(latest.sent)
  // An end that only an answer had, or that people changed, cannot be read later.
  if (job.status !== ended) return ''
  return ended === 'completed' && isFollowed(request, job.prLink ?? '') ? '' : ended
}

/** An answer that says the end is the end, unless reads are stale: then it may be that of the turn before a message. */
function endingOf({ call, turn }: Sent): string {
  const { ending = 'completed', answerStatus = '', staleReads = 0 } = turn
  const isFirst = call.path.endsWith('/job')
  return isTerminal(answerStatus) && (isFirst || staleReads === 0) ? answerStatus : ending
}

const hasStatus = (history: History, request: Request): boolean =>
  request.inputs['commit-status'] === 'docs' &&
  // A push is about no head of a pull request.
  request.event.name !== 'push' &&
  strangersOf(request).length === 0 &&
  canRemember(history, request)

/** With checks to follow, red or open ones decide, or none where they are on another server. */
const isFollowed = ({ inputs }: Request, link: string): boolean =>
  Number(inputs['fix-attempts'] ?? 0) > 0 && link !== ''

type Latest = { readonly sent: Sent } | { readonly skip: Request } | undefined

/**
 * The latest of these requests about the changes, where it is known what became of it. A re-run is no later request, unless
 * the changes are others than before.
 */
function latestOf(history: History, asked: readonly Request[], files: readonly string[]): Latest {
  const skip = asked.findLast(
    ({ ask, runs }) => ask.event === 'skip' && runs.some(({ main }) => reasonOf(main) === 'docs-skipped'),
  )
  const skippedAt = skip?.runs[0]?.main.endedAt ?? 0
  const sent = asked.map((request) => sentBy(history, [request]))
  // A skip holds until somebody asks again, whatever changes come.
  if (skip !== undefined && sent.every(([first]) => first === undefined || first.at <= skippedAt))
    return { skip }
  const isAbout = (one: Sent) => one.files === countedFiles(one.request, files)
  const [latest] = sent
    // A command is one request, whatever changes there are when it is run again.
    .flatMap((all) =>
      all.some(isAbout) ? (all.find((one) => isAbout(one) || !isOfCode(one.request)) ?? []) : [],
    )
    .reverse()
    .sort((a, b) => b.at - a.at)
  const last = latest && sentBy(history, [latest.request]).at(-1)
  if (latest === undefined || last === undefined || !last.isKnown || !isAbout(last)) return undefined
  const isLater = history.world.messages.some(
    ({ jobId, call, at }) => jobId === last.jobId && call !== last.call && at >= last.at,
  )
  // A later one that was refused, or cut off right before it went out, is an error.
  const isError = asked.some((request) =>
    livesOf(request).some(
      (life) => life.endedAt > last.at && (outcomeOf(life) === 'error' || UNCERTAIN.test(life.log.text)),
    ),
  )
  // A re-run asks anew what an event of the same changes has taken over meanwhile.
  const isAskedAnew = sent
    .flat()
    .some(
      ({ run, request, at }) =>
        run.attempt > 1 && isOfCode(request) && at > latest.at && request !== last.request,
    )
  // One that only a re-run sent is as late as its first attempt.
  const [firstRun] = latest.request.runs
  const isOvertaken =
    latest.run.attempt > 1 &&
    sent.flat().some(({ at, request }) => request !== latest.request && at >= (firstRun?.main.endedAt ?? at))
  return isLater || isError || isAskedAnew || isOvertaken ? undefined : { sent: last }
}

export const H5: readonly Rule[] = [greenOverRed, checksTrue, latestDecides]
