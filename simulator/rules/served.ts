import { type History, livesOf, outcomeOf, type Request, reasonOf, sentPrompts } from '../history.ts'
import type { Life } from '../life.ts'
import {
  allowedBots,
  canRemember,
  couldReport,
  isAgents,
  isShort,
  metFaults,
  metLimit,
  outagesOf,
  pullsOfJobs,
  strangersOf,
  wasMisled,
} from '../truth.ts'
import type { Rule } from './rule.ts'

interface Case extends Request {
  readonly history: History
  readonly life: Life
}

const onBot = ({ event, inputs }: Case): boolean =>
  event.accounts.some((login) => login.endsWith('[bot]') && !allowedBots(inputs).includes(login))

const onService = ({ life }: Case): boolean =>
  life.calls.some(({ host, fault, status = 0 }) => host === 'service' && (fault || status >= 400))

/** What GitHub itself refused, without a fault. */
const isRefused = ({ calls }: Life, path: RegExp): boolean =>
  calls.some(
    (call) => call.host === 'github' && !call.fault && (call.status ?? 0) >= 400 && path.test(call.path),
  )

/** When a reason is true (contract 2). A run whose reason is not gives a person who may ask the wrong answer. */
const TRUE_IF: Readonly<Record<string, (one: Case) => boolean>> = {
  'not-a-command': ({ ask }) => ask.event === 'chatter',
  'not-a-new-comment': ({ ask }) => ask.event === 'edited',
  // A comment with a record is no person's (3.4).
  bot: (one) =>
    onBot(one) ||
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
    (isRefused(life, /\/pulls\/\d+$/) || pullsOfJobs(world).some((pull) => pull?.issue.state !== 'closed')),
  // A pull request that opens while a job works may be that job's (3.5).
  'job-active': ({ inputs, event }) => inputs.conversation === 'skip' || event.opener !== undefined,
  'no-changes': ({ inputs }) => inputs['changes-since'] !== undefined,
  'dry-run': ({ inputs }) => inputs['dry-run'] === 'true',
  help: ({ ask }) => ask.event === 'help' || ask.event === 'bare',
  status: ({ ask }) => ask.event === 'status',
  // A thread that cannot be read may have an open pull request, which `skip` asks for.
  'bad-input': ({ inputs, life }) =>
    inputs['timeout-minutes'] === 'soon' ||
    inputs['api-key'] === '' ||
    /^\.\./.test(inputs['job-id'] ?? '') ||
    (inputs.conversation === 'skip' && isRefused(life, /\/issues\/\d+\/comments\b/)),
  // 4.4: only what the service itself says, also to a sweep; the thread remembers it.
  'job-not-found': (one) =>
    [...livesOf(one), ...one.history.sweeps].some(({ calls }) =>
      calls.some(
        ({ host, status, text = '' }) => host === 'service' && status === 404 && text.startsWith('{'),
      ),
    ),
  // 5.7: only while GitHub is away or at its limit, for a short run as long as one break, and before the agent is asked.
  'github-unavailable': (one) =>
    (outagesOf(one.history.world, one.life).length > 0 ||
      metLimit(one.life) ||
      (isShort(one) && metFaults(one.life))) &&
    sentPrompts(one.history.world, one.life.calls).length === 0,
  'creation-uncertain': (one) =>
    (one.runs.length > 1 && !canRemember(one.history, one)) ||
    livesOf(one).some(
      (life) =>
        !couldReport(one.history.world, life) ||
        life.calls.some(({ host, fault }) => host === 'service' && fault),
    ),
  internal: () => false,
}

/** Whoever may ask is served, or hears a reason of the contract that is true; no one else is told so by mistake. */
export const served: Rule = {
  name: 'served',
  clause: '2, 3.3, 5.7',
  afterMain({ history, request, life }) {
    if (life.fate !== 'ended' || wasMisled(life)) return []
    const one: Case = Object.assign(Object.create(request) as Request, { history, life })
    const [outcome, reason] = [outcomeOf(life), reasonOf(life)]
    if (isTrue(one, outcome, reason)) return []
    const said = [outcome, reason].filter(Boolean).join(', ')
    return [`${life.name} ends as ${said} for ${request.ask.author} (${request.ask.event}), which is not so`]
  },
}

function isTrue(one: Case, outcome: string, reason: string): boolean {
  if (outcome === 'cancelled') return one.life.cancelledAt !== undefined
  if (reason !== '') return (TRUE_IF[reason] ?? onService)(one)
  const jobId = one.life.footprint.outputs.get('job-id') ?? ''
  if (outcome === 'timed-out' && jobId === '') return isShort(one) || onService(one)
  const { service } = one.history.world.emulator
  const job = service.job(jobId)
  // A job that is gone holds no prompt any more.
  return job === undefined || job.prompts.some((prompt) => prompt.includes(`${one.ask.id};`))
}
