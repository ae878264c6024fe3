import { asObject, asString, parseJson } from '../../src/json.ts'
import {
  type History,
  isFix,
  isPrompt,
  jobIdOf,
  livesOf,
  outcomeOf,
  ownRecords,
  type Recorded,
  type Request,
  sentPrompts,
} from '../history.ts'
import type { Call, Life } from '../life.ts'
import { canRemember, couldReport, pullOf, strangersOf, wasMisled } from '../truth.ts'
import { PULL } from '../world.ts'
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
 * When everything has ended, and one sweep has been, the head of an open pull request says what the last result for
 * the same changes says.
 */
export const newestHeadTellsTheTruth: Rule = {
  name: 'newest-head-tells-the-truth',
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
    const last = asked.findLast(({ runs }) => outcomeOf(runs.at(-1)?.main) !== 'skipped')
    if (came.length === 0 || last === undefined || !on.every((request) => canRemember(history, request)))
      return []
    const [result, ...more] = ownRecords(history, last)
    const paths = github.pull(PULL).files.map(({ filename }) => filename)
    const isSame = String(last.event.code?.paths) === String(paths)
    if (!isSame || result?.record.kind !== 'reported' || more.length > 0) return []
    const { jobStatus, prLink, payload } = result.record
    const { status: checks } = asObject(payload.checks)
    // While its checks are followed, the job may work again.
    const due =
      checks === undefined ? (STATES.get(jobStatus) ?? 'error') : checks === 'failure' ? 'failure' : 'success'
    const status = github.statuses(head).at(-1)
    const isLinked = due !== 'success' || pullOf(world, prLink) === undefined || status?.targetUrl === prLink
    return status?.state === due && isLinked
      ? []
      : [
          `the head of #${PULL} is ${status?.state} (${status?.description}), and ${last.name} ${jobStatus} ${prLink}`,
        ]
  },
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
  const hasDiverged = since.some(
    (step) =>
      step.ask.event === 'code-forced' ||
      (step.ask.event === 'code-rebased' && !notesHead(history, step, now.life.bornAt)),
  )
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

/** A head that brings nothing new is the next one to compare with, where the result of an earlier event can note it. */
function notesHead({ world }: History, step: Step, until: number): boolean {
  const { main, found = [] } = step.runs.findLast((run) => run.main.bornAt < until) ?? {}
  const heads = found.filter(
    ({ thread, record }) => thread === PULL && asObject(record.payload.head).sha !== '',
  )
  const isSettled = ({ open, replaces }: Recorded['record']['payload']): boolean =>
    String(open) === '' ||
    (replaces !== 0 && !String(open).includes('checks') && !found.some(({ id }) => id === replaces))
  return (
    main !== undefined &&
    couldReport(world, main) &&
    asksForStatus(step) &&
    sentPrompts(world, main.calls).length === 0 &&
    heads.every(({ record: { kind, payload } }) => kind === 'reported' && isSettled(payload))
  )
}

/** GitHub answered what the process asked of such a path. */
const wasTold = ({ calls }: Life, path: RegExp): boolean =>
  [...Map.groupBy(calls, (call) => call.path)].every(
    ([asked, tries]) =>
      !path.test(asked.split('?')[0] ?? '') ||
      tries.some(({ status = 500, text }) => status < 400 && text !== undefined),
  )
