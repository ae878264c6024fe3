import { OUTCOMES } from '../endings.ts'
import { isFix, outcomeOf, reasonOf, sentPrompts } from '../history.ts'
import type { Life } from '../life.ts'
import type { Rule } from './rule.ts'

/** Every run that is not killed says how it ended, in the contract's words, and in the right colour. */
export const agreedOutcome: Rule = {
  name: 'agreed-outcome',
  clause: '2, 2.1, 6.3',
  afterLife: (_, { name, fate }) => (fate === 'threw' ? [`${name} threw`] : []),
  afterMain({ request: { inputs }, life }) {
    if (life.fate !== 'ended') return []
    const [outcome, reason] = [outcomeOf(life), reasonOf(life)]
    const rule = OUTCOMES[outcome]
    if (rule === undefined) return [`${life.name} ended with the outcome "${outcome}"`]
    const { reasons = [''] } = rule
    const red = rule.red && !(outcome === 'timed-out' && inputs['on-timeout'] === 'warn')
    return [
      ...(reasons.includes(reason) ? [] : [`${life.name} gives ${outcome} the reason "${reason}"`]),
      ...(life.red === red ? [] : [`${life.name} is ${life.red ? 'red' : 'green'} after ${outcome}`]),
      ...(reason === 'internal' ? [`${life.name} met a fault of its own`] : []),
    ]
  },
}

const FORMS: Readonly<Record<string, RegExp>> = {
  'duration-seconds': /^\d+$/,
  'job-action': /^(created|continued|resumed|none)$/,
  'pr-link': /^(https:\/\/[\x21-\x7e]+)?$/,
  'comment-url': /^(https:\/\/[\x21-\x7e]+)?$/,
}

/** The output `result` says what the others say, and each has its form. */
export const resultsAgree: Rule = {
  name: 'results-agree',
  clause: '2, 2.2',
  afterLife(_, life) {
    if (life.role === 'sweep' || life.fate !== 'ended') return []
    const { result, ...rest } = Object.fromEntries(life.footprint.outputs)
    const same = result === undefined || sameFields(JSON.parse(result) as object, rest)
    const odd = Object.entries(rest).filter(
      ([name, value]) => /[\r\n]/.test(value) || FORMS[name]?.test(value) === false,
    )
    return [
      ...(same ? [] : [`${life.name}: result is ${result}, the outputs are ${JSON.stringify(rest)}`]),
      ...odd.map(([name, value]) => `${life.name}: ${name} is ${JSON.stringify(value)}`),
    ]
  },
}

const sameFields = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

/** `job-action` is what the run did; one that resumes or does nothing sends nothing. */
export const truthfulAction: Rule = {
  name: 'truthful-action',
  clause: '2, 5.2',
  afterMain({ world, request, life }) {
    if (life.fate !== 'ended') return []
    const sent = sentPrompts(world, life.calls).filter((call) => !isFix(request, call))
    const action = life.footprint.outputs.get('job-action') ?? ''
    return sent.every(({ path }) => ALLOWS[action]?.(path, life)) && (sent.length > 0 || !/^c/.test(action))
      ? []
      : [`${life.name} says ${action}, and sent ${sent.map(({ path }) => path).join(', ') || 'nothing'}`]
  },
}

const ALLOWS: Readonly<Record<string, (path: string, life: Life) => boolean>> = {
  created: (path) => path.endsWith('/job'),
  continued: (path) => path.endsWith('/message'),
  resumed: () => false,
  // What was sent without a word of it coming back.
  none: (_, life) => reasonOf(life) === 'creation-uncertain',
}
