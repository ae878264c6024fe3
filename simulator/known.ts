import type { History } from './history.ts'

/** What the action still breaks, and everybody knows. */
interface Known {
  readonly name: string
  /** Of the rule that notices it. */
  readonly rule: string
  /** What happens. */
  readonly what: string
  /** The complaint is this one. */
  readonly is: (complaint: string, history: History) => boolean
}

/** Each entry goes with the repair. */
export const KNOWN_BREAKS: readonly Known[] = [
  {
    name: 'back to earlier changes',
    rule: 'same-changes-once',
    what: 'A push that goes back to changes which were decided before others asks for them again.',
    is: (complaint) => complaint.endsWith('and others since'),
  },
  {
    name: 'two commands at once',
    rule: 'one-thread-one-job',
    what: 'Two requests that begin together, without `concurrency`, make two jobs in one thread.',
    is: (complaint) => complaint.endsWith('at once'),
  },
]
