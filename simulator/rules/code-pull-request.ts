import { asObject, asString, parseJson } from '../../src/json.ts'
import {
  type History,
  isFix,
  isPrompt,
  jobIdOf,
  livesOf,
  outcomeOf,
  ownRecords,
  type Request,
  sentFor,
  sentPrompts,
  tellsOfEnd,
} from '../history.ts'
import type { Call, Life } from '../life.ts'
import { canRemember, couldReport, pullOf, sinceSkip, strangersOf, wasMisled } from '../truth.ts'
import { PULL, REPOSITORY } from '../world.ts'
import type { Rule } from './rule.ts'

type Code = NonNullable<Request['event']['code']>

/** A request of a `pull_request` event of the code, with its place among them. */
interface Step extends Request {
  readonly nth: number
  readonly code: Code
}

/** Those that came to the pull request of the code, in order. */
const stepsOf = ({ requests }: History): Step[] =>
  requests.flatMap((request, nth) =>
    request.event.code && request.ask.event.startsWith('code-')
      ? [{ ...request, runs: request.runs, thread: request.thread, nth, code: request.event.code }]
      : [],
  )

const asksForStatus = (request: Request): boolean =>
  request.inputs['commit-status'] !== undefined && strangersOf(request).length === 0

/**
 * When everything has ended, and one sweep has been, the head of an open pull request says what came of these changes,
 * and never what came of others.
 */
export const statusOfSameChanges: Rule = {
  name: 'status-of-same-changes',
  clause: '3.13, 4.13, 8.3',
  afterSweep(history) {
    const { world } = history
    const { github } = world.emulator
    const head = github.pull(PULL).head.sha
    const on = history.requests.filter(({ event }) => event.code !== undefined)
    const lives = [...on.flatMap(livesOf), ...history.sweeps]
    if (github.issue(PULL).state !== 'open' || world.story.permissions.statuses !== 'write') return []
    if (lives.some(wasMisled) || !history.sweeps.slice(-1).every((life) => couldReport(world, life)))
      return []
    const asked = on.filter(asksForStatus)
    // One whose run was killed before it set a status has nobody who sets it later, if it asked nothing.
    const came = asked.filter(
      ({ event, runs }) =>
        event.code?.sha === head && runs.slice(-1).some(({ main }) => couldReport(world, main)),
    )
    const paths = String(github.pull(PULL).files.map(({ filename }) => filename))
    const asking = asked.filter(
      ({ runs, event }) => outcomeOf(runs.at(-1)?.main) !== 'skipped' && String(event.code?.paths) === paths,
    )
    const last = asking.at(-1)
    if (came.length === 0 || last === undefined || !on.every((request) => canRemember(history, request)))
      return []
    // What a person said of the changes stands until somebody asks again.
    const since = sinceSkip(history, PULL)
    if (since.length > 0 && since.every((request) => sentFor(history, request).length === 0)) return []
    // Of those that came at the same moment, none is the later one.
    const decisive = asking.filter(({ runs }) => runs[0]?.main.bornAt === last.runs[0]?.main.bornAt)
    const complaints = decisive.map((request) => statusComplaint(history, request, head))
    return complaints.includes('') ? [] : complaints.slice(-1)
  },
}

/** @returns '' where the status is that of the request, or the request has no result */
function statusComplaint(history: History, request: Request, head: string): string {
  const { world } = history
  const [result, ...more] = ownRecords(history, request)
  if (result?.record.kind !== 'reported' || more.length > 0) return ''
  const { jobStatus, prLink, payload } = result.record
  const { status: checks } = asObject(payload.checks)
  // While its checks are followed, the job may work again.
  const due =
    checks === undefined ? (STATES.get(jobStatus) ?? 'error') : checks === 'failure' ? 'failure' : 'success'
  const status = world.emulator.github.statuses(head).at(-1)
  const isLinked = due !== 'success' || pullOf(world, prLink) === undefined || status?.targetUrl === prLink
  if (status?.state === due && isLinked) return ''
  return `the head of #${PULL} is ${status?.state} (${status?.description}), and ${request.name} ${jobStatus} ${prLink}`
}

/** What a bot pushes leaves no pull request without the status that its branch may require. */
export const botsLeaveAStatus: Rule = {
  name: 'bots-leave-a-status',
  clause: '3.4',
  afterSweep(history) {
    const { world } = history
    const { github } = world.emulator
    const { sha } = github.pull(PULL).head
    const steps = stepsOf(history)
    const last = steps.at(-1)
    const { main } = last?.runs.at(-1) ?? {}
    const isBots = last?.code.sha === sha && strangersOf(last).some((login) => login.endsWith('[bot]'))
    const isKept = steps.some(
      (step) =>
        step !== last &&
        asksForStatus(step) &&
        livesOf(step).every((life) => couldReport(world, life)) &&
        /pull-request/.test(outcomeOf(step.runs.at(-1)?.main)),
    )
    const isFair =
      main !== undefined &&
      couldReport(world, main) &&
      steps.every((step) => canRemember(history, step)) &&
      world.story.permissions.statuses === 'write'
    if (!isBots || !isKept || !isFair || github.issue(PULL).state !== 'open') return []
    return github.statuses(sha).length > 0
      ? []
      : [`#${PULL} has no status at the head that ${last.ask.sender} pushed`]
  },
}

/** Who reads the docs' pull request, or else the thread, learns once that the code's one has ended. */
export const endToldOnce: Rule = {
  name: 'end-told-once',
  clause: '3.13',
  afterSweep: (history) => endsTold(history),
  atEnd: (history) => endsTold(history),
}

function endsTold(history: History): string[] {
  const { world } = history
  const { emulator, story } = world
  const steps = stepsOf(history)
  const end = steps.find(({ ask }) => /^code-(closed|merged)$/.test(ask.event))
  if (
    end === undefined ||
    world.touched.size > 0 ||
    steps.flatMap(livesOf).some(wasMisled) ||
    history.sweeps.some(wasMisled)
  )
    return []
  const said = [...new Set([REPOSITORY, story.docsRepository])].flatMap((repository) =>
    [...emulator.github.repo(repository).issues.keys()].flatMap((thread) =>
      emulator.github.comments(thread, repository).filter(({ body }) => tellsOfEnd(body)),
    ),
  )
  if (said.length > 1) return [`that #${PULL} has ended is said ${said.length} times`]
  const isFair =
    steps.every((step) => canRemember(history, step)) &&
    [...steps.flatMap(livesOf), ...history.sweeps].every((life) => couldReport(world, life)) &&
    // Where nobody asked before, it asks.
    givenIn(history, end).length === 0 &&
    !strangersOf(end).some((login) => !login.endsWith('[bot]'))
  const jobs = new Set(steps.flatMap((step) => givenIn(history, step).map(({ jobId = '' }) => jobId)))
  const [job] = [...jobs].map((id) => emulator.service.job(id))
  const pull = pullOf(world, job?.prLink ?? '')
  // The next request of the thread may have another job.
  const isOne =
    jobs.size === 1 &&
    history.requests.every(({ ask, thread }) => thread !== PULL || ask.event.startsWith('code-'))
  return said.length === 0 && isFair && isOne && job?.status === 'completed' && pull?.issue.state === 'open'
    ? [`nobody is told at ${job.prLink} that #${PULL} has ended`]
    : []
}

const STATES: ReadonlyMap<string, string> = new Map([
  ['completed', 'success'],
  ['failed', 'failure'],
  ['archived', 'failure'],
])

/** A prompt of a step that the service has taken. */
interface Given {
  readonly step: Step
  readonly life: Life
  readonly jobId: string | undefined
  /** Of the step's changes. */
  readonly paths: readonly string[]
}

function givenIn(history: History, step: Step): Given[] {
  const of = (call: Call): string => asString(asObject(parseJson(call.body)).prompt)
  return step.runs.flatMap(({ main }) =>
    sentPrompts(history.world, main.calls)
      .filter((call) => !isFix(step, call))
      .map((call) => ({
        ...{ step, life: main, jobId: jobIdOf(call) },
        paths: step.code.paths.filter((path) => of(call).includes(path)),
      })),
  )
}

/** The agent gets each change of a pull request, and none twice. */
export const eachChangeOnce: Rule = {
  name: 'each-change-once',
  clause: '3.13',
  afterSweep: (history) => complaints(history),
  atEnd: (history) => complaints(history),
}

function complaints(history: History): string[] {
  const steps = stepsOf(history)
  const isJudged =
    steps.every((step) => canRemember(history, step)) && !steps.flatMap(livesOf).some(wasMisled)
  if (!isJudged) return []
  const given = steps
    .flatMap((step) => givenIn(history, step))
    .sort((one, other) => one.life.bornAt - other.life.bornAt)
  return given.flatMap((now, at) => {
    const before = given.slice(0, at)
    const known = new Set(before.flatMap(({ paths }) => paths))
    // What was pushed since is no part of a late event, whose files GitHub lists no more.
    const isLate = steps.some(
      ({ nth, runs }) => nth > now.step.nth && runs.some(({ main }) => main.bornAt < now.life.bornAt),
    )
    const lost = isLate
      ? []
      : now.step.code.paths.filter((path) => !known.has(path) && !now.paths.includes(path))
    const again = before.filter(({ paths }) => paths.some((path) => now.paths.includes(path)))
    const twice = again.filter((one) => !mayRepeat(history, steps, one, now))
    return [
      ...lost.map((path) => `the agent has got ${now.step.name}, and never ${path}`),
      ...twice.map(({ step }) => `${now.step.name} sent what ${step.name} had sent to the same job`),
    ]
  })
}

/**
 * The whole goes again where the job failed, or may not have got it; where the heads diverge; and where GitHub did not
 * tell what the pull request changed at one of them, or what lies between.
 */
function mayRepeat(history: History, steps: readonly Step[], one: Given, now: Given): boolean {
  const since = steps.filter(({ nth }) => nth > one.step.nth && nth <= now.step.nth)
  const hasDiverged = since.some(({ ask }) => /^code-(forced|reverted|rebased)$/.test(ask.event))
  return (
    one.jobId !== now.jobId ||
    history.requests.some(({ ask }) => /failed|archived/.test(ask.turn.ending ?? '')) ||
    hasDiverged ||
    !couldReport(history.world, one.life) ||
    one.life.calls.some((call) => isPrompt(call) && (call.status === undefined || call.text === undefined)) ||
    ![one, now].every(({ life }) => wasTold(life, /\/pulls\/\d+(\/files)?$/)) ||
    !wasTold(now.life, /\/compare\//)
  )
}

/** GitHub answered what the process asked of such a path. */
const wasTold = ({ calls }: Life, path: RegExp): boolean =>
  [...Map.groupBy(calls, (call) => call.path)].every(
    ([asked, tries]) =>
      !path.test(asked.split('?')[0] ?? '') ||
      tries.some(({ status = 500, text }) => status < 400 && text !== undefined),
  )
