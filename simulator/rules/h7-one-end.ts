import {
  isAgents,
  isNamed,
  isOfPull,
  isPrompt,
  jobOf,
  mayHaveLaterTurn,
  metTrouble,
  outcomeOf,
  reasonOf,
  strangersOf,
} from '../history.ts'
import { mayAsk, RE_RUNS } from '../people.ts'
import { PULL } from '../world.ts'
import { complaints, type MainStep, type Rule } from './rule.ts'

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
    'comment-gone': ({ world }) => world.interferences.includes('delete-trigger'),
    bot: hasBot,
    'agent-pull-request': ({ world, request }) =>
      request.event.opener?.endsWith('[bot]') === true ||
      isAgents(world, request.thread) ||
      request.event.merges.some(({ kind }) => kind !== 'person'),
    // Who re-runs what is in doubt needs the permission, whatever the event.
    'permission-denied': ({ world, request, run, life }) =>
      strangersOf(request, world.leftAt <= life.endedAt).length > 0 ||
      (run.attempt > 1 && !mayAsk(RE_RUNS, request.inputs['min-permission'] ?? 'write', [])),
    'missing-secret': input('api-key', ''),
    'pull-request-open': input('conversation', 'skip'),
    'job-active': any(input('conversation', 'skip'), ofPull),
    // Also where it was closed before the run, such as a re-run, had its turn.
    'pull-request-closed': (step) =>
      ofPull(step) && step.world.emulator.github.issue(step.request.thread ?? PULL).state === 'closed',
    'no-changes': any(
      input('changes-since'),
      ({ request: { inputs, event } }) => !event.files.some((file) => isNamed(inputs.paths, file)),
      (step) => ofPull(step) && isOfThread(step),
      // What a bot carries there shows no key that is known: a person decides.
      (step) => ofPull(step) && step.world.interferences.includes('carry-record'),
      event('push', 'merge-pushed'),
    ),
    'docs-skipped': any(event('skip'), (step) => ofPull(step) && isOfThread(step)),
    ignored: input('ignore'),
    'merge-group': event('queue-checks', 'queue-leaves'),
    'daily-limit': input('daily-limit'),
    'dry-run': input('dry-run', 'true'),
    help: event('help', 'bare', 'skip', 'unclear-skip'),
    status: event('status'),
  },
  error: {
    'bad-input': any(input('timeout-minutes', 'soon'), input('api-key', ''), input('job-id', '..'), refused),
    'job-not-found': any(onService, ({ world }) => world.interferences.includes('forget')),
    // Of a turn before the last one. Another attempt, or an event of the same changes, may take up what an earlier run sent.
    'end-uncertain': ({ world, life }) => {
      const own = world.messages.findLast((one) => one.life === life)
      return mayHaveLaterTurn(world, jobOf(life), own?.at ?? 0)
    },
    'github-unavailable': (step) => onGitHub(step) && sentNothing(step),
    // The same changes are the same request, which the run of an earlier event may have left open.
    'creation-uncertain': any(
      (step) => ofPull(step) && isOfThread(step),
      ({ request, world }) =>
        request.runs.length > 1 ||
        world.faults.size > 0 ||
        request.runs.some(({ main }) => main.cancelledAt !== undefined),
    ),
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
    complaints([fate === 'threw', `${name} threw`], [fate === 'hung', `${name} never ended`]),
  afterMain(step) {
    const { name, fate, red, cancelledAt, footprint } = step.life
    if (fate !== 'ended') return []
    const { ask, inputs } = step.request
    const [outcome, reason] = [outcomeOf(step.life), reasonOf(step.life)]
    const said = `${outcome} ${reason}`.trim()
    const isRed = RED.includes(outcome) && !(outcome === 'timed-out' && inputs['on-timeout'] === 'warn')
    const reasons = REASONS[outcome]
    const isTrue = reasons === undefined ? reason === '' : reasons[reason]?.(step) === true
    return complaints(
      [![...GREEN, ...RED].includes(outcome), `${name} ends with the outcome "${outcome}"`],
      [new Set(footprint.outcomes).size > 1, `${name} said ${footprint.outcomes.join(', then ')}`],
      [!isTrue, `${name} ends as ${said} for ${ask.author} (${ask.event}), which is not so`],
      [red !== isRed, `${name} is ${red ? 'red' : 'green'} after ${said}`],
      [outcome === 'cancelled' && cancelledAt === undefined, `${name} was not cancelled`],
    )
  },
}

/** GitHub drops a longer summary, in bytes. */
const MOST_SUMMARY = 1024 * 1024

/** A run that ends red says why in one sentence, and GitHub shows all of its summary. */
const saidToPeople: Rule = {
  promise: 'H7',
  name: 'said-to-people',
  afterMain({ life: { name, fate, red, log, footprint } }) {
    if (fate !== 'ended') return []
    const errors = log.annotations.filter(({ level }) => level === 'error')
    return complaints(
      [red && errors.length !== 1, `${name} is red with ${errors.length} errors`],
      [errors.some(({ message }) => message.trim() === ''), `${name} does not say why it is red`],
      [Buffer.byteLength(footprint.summary) > MOST_SUMMARY, `${name} has a summary that GitHub drops`],
    )
  },
}

export const H7: readonly Rule[] = [oneEnd, saidToPeople]
