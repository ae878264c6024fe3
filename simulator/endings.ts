import type { ErrorReason } from '../src/errors.ts'
import type { Outcome, SkipReason } from '../src/request/outcome.ts'
import { type History, isOfPull, livesOf, outcomeOf, type Request, sentPrompts, takenUp } from './history.ts'
import type { Life } from './life.ts'
import {
  allowedBots,
  brokeForLong,
  canRemember,
  couldReport,
  isAgents,
  isShort,
  metFaults,
  metLimit,
  outagesOf,
  pullsOfJobs,
  strangersOf,
} from './truth.ts'
import { trueTime } from './world.ts'

/** How a run may end, apart from the action's own tables (contract 2, 2.1). The names are the action's. */

/** A run that has ended. */
export interface Case extends Request {
  readonly history: History
  readonly life: Life
}

const onBot = ({ event, inputs }: Case): boolean =>
  event.accounts.some((login) => login.endsWith('[bot]') && !allowedBots(inputs).includes(login))

/** A bot pushes, and the token may not read whether the push merged pull requests: it counts as a direct one (3.4). */
const onUnreadMerge = ({ history, event, ask, inputs }: Case): boolean =>
  event.name === 'push' &&
  ask.sender.endsWith('[bot]') &&
  !allowedBots(inputs).includes(ask.sender) &&
  history.world.story.permissions.pull_requests === 'none'

export const onService = ({ life }: Case): boolean =>
  life.calls.some(({ host, fault, status = 0 }) => host === 'service' && (fault || status >= 400))

/** What GitHub itself refused, without a fault. */
const isRefused = ({ calls }: Life, path: RegExp): boolean =>
  calls.some(
    (call) => call.host === 'github' && !call.fault && (call.status ?? 0) >= 400 && path.test(call.path),
  )

/** Runs of other requests that went on with this one. */
const inItsPlace = ({ history, runId }: Case): Life[] =>
  history.requests.flatMap((other) =>
    other.runs.flatMap(({ main }) => (takenUp(history, other, main)?.runId === runId ? [main] : [])),
  )

type Test = (one: Case) => boolean

/** The thread may remember what the pull request changed at another event (3.13). Its end is the same for each workflow. */
const isKept = (one: Case): boolean =>
  isOfPull(one) &&
  one.history.requests.some(
    (other) =>
      other.runId !== one.runId &&
      (other.ask.workflow === one.ask.workflow || /-(closed|merged)$/.test(one.ask.event)) &&
      isOfPull(other) &&
      other.thread === one.thread,
  )

/** Somebody said there that nothing is to be documented (3.2). */
const wasSkipped = (one: Case): boolean =>
  one.history.requests.some(({ ask, thread }) => ask.event === 'skip' && thread === one.thread)

/** When a reason is true. A run whose reason is not gives a person who may ask the wrong answer. */
const SKIPPED_IF = {
  'not-a-command': ({ ask }) => ask.event === 'chatter',
  'not-a-new-comment': ({ ask }) => ask.event === 'edited',
  // A comment with a record is no person's (3.4).
  bot: (one) =>
    onBot(one) ||
    onUnreadMerge(one) ||
    [one.event.text, one.history.world.story.body].some((text) => text.includes('<!-- docs-agent:')),
  'agent-pull-request': ({ history, event }) =>
    event.opener?.endsWith('[bot]') === true ||
    isAgents(history.world, event.thread) ||
    event.merges.some(({ kind }) => kind !== 'person'),
  'permission-denied': (one) => strangersOf(one).length > 0,
  'missing-secret': ({ inputs }) => inputs['api-key'] === '',
  // The thread may remember the pull request of a job that the service no longer knows. One that the token may not read
  // counts as open (4.9).
  'pull-request-open': ({ history: { world }, life, inputs }) =>
    inputs.conversation === 'skip' &&
    (isRefused(life, /\/pulls\/\d+$/) ||
      pullsOfJobs(world).some(
        (pull) =>
          pull?.issue.state !== 'closed' || trueTime(world, pull.issue.closedAt) + 1000 >= life.bornAt,
      )),
  // A pull request that opens while a job works may be that job's (3.5).
  'job-active': ({ inputs, event }) => inputs.conversation === 'skip' || event.opener !== undefined,
  'pull-request-closed': (one) => /-(closed|merged)$/.test(one.ask.event) && isKept(one),
  'no-changes': (one) => one.inputs['changes-since'] !== undefined || isKept(one),
  'docs-skipped': (one) => one.ask.event === 'skip' || (isOfPull(one) && wasSkipped(one)),
  'dry-run': ({ inputs }) => inputs['dry-run'] === 'true',
  // `/docs skip` is for pull requests.
  help: ({ ask }) => ask.event === 'help' || ask.event === 'bare' || ask.event === 'skip',
  status: ({ ask }) => ask.event === 'status',
} satisfies Readonly<Record<SkipReason, Test>>

const FAILED_IF = {
  // A thread that cannot be read may have an open pull request, which `skip` asks for.
  'bad-input': ({ inputs, life }) =>
    inputs['timeout-minutes'] === 'soon' ||
    inputs['api-key'] === '' ||
    /^\.\./.test(inputs['job-id'] ?? '') ||
    (inputs.conversation === 'skip' && isRefused(life, /\/issues\/\d+\/comments\b/)),
  // 4.4: only what the service itself says, also to a sweep; the thread remembers it. A job that worked is looked for
  // twice.
  'job-not-found': (one) =>
    [...livesOf(one), ...one.history.sweeps, ...inItsPlace(one)].some(({ calls }) => {
      const missed = calls.filter(
        ({ host, status, text = '' }) => host === 'service' && status === 404 && text.startsWith('{'),
      )
      const isKnown = one.inputs['job-id'] === undefined && one.ask.event !== 'status'
      return missed.length > (isKnown && !missed.some(({ method }) => method === 'POST') ? 1 : 0)
    }),
  // 5.7: only while GitHub is away or at its limit, after half a minute of tries that all broke, for a short run as long as
  // one break, and before the agent is asked.
  'github-unavailable': (one) =>
    (outagesOf(one.history.world, one.life).length > 0 ||
      metLimit(one.life) ||
      brokeForLong(one.life) ||
      (isShort(one) && metFaults(one.life))) &&
    sentPrompts(one.history.world, one.life.calls).length === 0,
  'creation-uncertain': (one) =>
    (one.runs.length > 1 && !canRemember(one.history, one)) ||
    livesOf(one).some(
      (life) =>
        !couldReport(one.history.world, life) ||
        life.calls.some(({ host, fault }) => host === 'service' && fault),
    ),
  unauthorized: onService,
  forbidden: onService,
  'payment-required': onService,
  rejected: onService,
  'rate-limited': onService,
  'service-unavailable': onService,
  network: onService,
  'bad-response': onService,
  internal: () => false,
} satisfies Readonly<Record<ErrorReason, Test>>

export const TRUE_IF: Readonly<Record<string, Test>> = { ...SKIPPED_IF, ...FAILED_IF }

interface Ending {
  readonly red: boolean
  /** Of the job, not of the run alone. */
  readonly endsJob: boolean
  readonly reasons?: readonly string[]
}

export const OUTCOMES: Readonly<Record<string, Ending>> = {
  'pull-request': { red: false, endsJob: true },
  'no-pull-request': { red: false, endsJob: true },
  archived: { red: false, endsJob: true },
  failed: { red: true, endsJob: true },
  'timed-out': { red: true, endsJob: false },
  cancelled: { red: true, endsJob: false },
  started: { red: false, endsJob: false },
  skipped: { red: false, endsJob: false, reasons: Object.keys(SKIPPED_IF) },
  error: { red: true, endsJob: false, reasons: Object.keys(FAILED_IF) },
} satisfies Readonly<Record<Outcome, Ending>>

export const endsJob = (life: Life): boolean => OUTCOMES[outcomeOf(life)]?.endsJob === true
