import { isAgents, isOfPull, isPrompt, metTrouble, outcomeOf, reasonOf, strangersOf } from '../history.ts'
import type { MainStep, Rule } from './rule.ts'

type Test = (step: MainStep) => boolean

/** Somebody's earlier request is known in the thread. */
const isOfThread: Test = ({ history, request }) =>
  history.requests.some((other) => other !== request && other.thread === request.thread)

const event =
  (...names: readonly string[]): Test =>
  ({ request }) =>
    names.includes(request.ask.event)
const input =
  (name: string, value?: string): Test =>
  ({ request: { inputs } }) =>
    value === undefined ? inputs[name] !== undefined : inputs[name] === value
const any =
  (...tests: readonly Test[]): Test =>
  (step) =>
    tests.some((test) => test(step))
const ofPull: Test = ({ request }) => isOfPull(request)
const isEnd = event('code-closed', 'code-merged', 'pull-closed')
const onService: Test = ({ life }) =>
  life.calls.some(({ host, fault, status = 0 }) => host === 'service' && (fault || status >= 400))
const onGitHub: Test = ({ life }) => metTrouble(life, 'github')
const refused: Test = ({ life }) =>
  life.calls.some(({ host, status = 0 }) => host === 'github' && status >= 400)
const sentNothing: Test = ({ life }) => !life.calls.some((call) => isPrompt(call) && (call.status ?? 0) < 300)
const hasBot: Test = ({ world, request }) =>
  [...request.event.accounts, request.ask.sender, request.event.opener ?? ''].some((login) =>
    login.endsWith('[bot]'),
  ) || [request.event.text, world.story.body].some((text) => text.includes('<!-- docs-agent:'))

/** What an answer of the service, or none, ends as. */
const ANSWERS = [
  ...['unauthorized', 'forbidden', 'payment-required', 'rejected', 'rate-limited'],
  ...['service-unavailable', 'network', 'bad-response'],
]

/** When a reason is true: one that is not gives a person who may ask the wrong answer. */
const REASONS: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  skipped: {
    'not-a-command': event('chatter'),
    'not-a-new-comment': event('edited'),
    bot: hasBot,
    'agent-pull-request': ({ world, request }) =>
      request.event.opener?.endsWith('[bot]') === true ||
      isAgents(world, request.thread) ||
      request.event.merges.some(({ kind }) => kind !== 'person'),
    'permission-denied': ({ request }) => strangersOf(request).length > 0,
    'missing-secret': input('api-key', ''),
    'pull-request-open': input('conversation', 'skip'),
    'job-active': any(input('conversation', 'skip'), ofPull),
    'pull-request-closed': isEnd,
    'no-changes': any(
      input('changes-since'),
      input('paths'),
      (step) => ofPull(step) && isOfThread(step),
      event('push'),
    ),
    'docs-skipped': any(event('skip'), (step) => ofPull(step) && isOfThread(step)),
    'daily-limit': input('daily-limit'),
    'dry-run': input('dry-run', 'true'),
    help: event('help', 'bare', 'skip'),
    status: event('status'),
  },
  error: {
    'bad-input': any(input('timeout-minutes', 'soon'), input('api-key', ''), input('job-id', '..'), refused),
    'job-not-found': any(onService, ({ world }) => world.interferences.includes('forget')),
    'github-unavailable': (step) => onGitHub(step) && sentNothing(step),
    'creation-uncertain': ({ request, world }) =>
      request.runs.length > 1 ||
      world.faults.size > 0 ||
      request.runs.some(({ main }) => main.cancelledAt !== undefined),
    ...Object.fromEntries(ANSWERS.map((name) => [name, onService])),
  },
}

const GREEN = ['pull-request', 'no-pull-request', 'archived', 'started', 'skipped']
const RED = ['failed', 'timed-out', 'cancelled', 'error']

/** A run that is not killed ends with one outcome, one reason that is true, and the right colour. */
const oneEnd: Rule = {
  promise: 'H7',
  name: 'one-end',
  afterLife: (_, { name, fate }) =>
    fate === 'threw' ? [`${name} threw`] : fate === 'hung' ? [`${name} never ended`] : [],
  afterMain(step) {
    const { life, request } = step
    if (life.fate !== 'ended') return []
    const [outcome, reason] = [outcomeOf(life), reasonOf(life)]
    const said = [outcome, reason].filter(Boolean).join(', ')
    const isRed =
      RED.includes(outcome) && !(outcome === 'timed-out' && request.inputs['on-timeout'] === 'warn')
    const reasons = REASONS[outcome]
    const isTrue = reasons === undefined ? reason === '' : reasons[reason]?.(step) === true
    return [
      ...([...GREEN, ...RED].includes(outcome) ? [] : [`${life.name} ended with the outcome "${outcome}"`]),
      ...(new Set(life.footprint.outcomes).size > 1
        ? [`${life.name} said ${life.footprint.outcomes.join(', then ')}`]
        : []),
      ...(isTrue
        ? []
        : [`${life.name} ends as ${said} for ${request.ask.author} (${request.ask.event}), which is not so`]),
      ...(life.red === isRed ? [] : [`${life.name} is ${life.red ? 'red' : 'green'} after ${said}`]),
      ...(outcome === 'cancelled' && life.cancelledAt === undefined
        ? [`${life.name} was not cancelled`]
        : []),
    ]
  },
}

/** A run that ends red says why in one sentence, and GitHub shows all of its summary. */
const saidToPeople: Rule = {
  promise: 'H7',
  name: 'said-to-people',
  afterMain({ life }) {
    if (life.fate !== 'ended') return []
    const errors = life.log.annotations.filter(({ level }) => level === 'error')
    const isLong = Buffer.byteLength(life.footprint.summary) > MOST_SUMMARY
    return [
      ...(life.red && errors.length !== 1 ? [`${life.name} is red with ${errors.length} errors`] : []),
      ...(errors.some(({ message }) => message.trim() === '')
        ? [`${life.name} does not say why it is red`]
        : []),
      ...(isLong ? [`${life.name}: GitHub drops a summary as long as this`] : []),
    ]
  },
}

const MOST_SUMMARY = 1024 * 1024

export const H7: readonly Rule[] = [oneEnd, saidToPeople]
