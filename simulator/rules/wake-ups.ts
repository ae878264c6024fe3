import { isPrompt } from '../history.ts'
import type { Rule } from './rule.ts'

/** Beyond the wait itself: the previews, and what GitHub's retries may take. */
const SLACK_MS = 2 * 3_600_000

/** A sweep, woken or not, starts and continues nothing; one that is woken waits no longer than it was given. */
export const sweepsStartNothing: Rule = {
  name: 'sweeps-start-nothing',
  clause: '8.1, 8.4',
  afterLife(_, { name, role, calls, inputs, bornAt }) {
    if (role !== 'sweep') return []
    const deadline = bornAt + Number(inputs['wait-minutes'] ?? '3') * 60_000 + SLACK_MS
    return [
      ...calls.filter(isPrompt).map(({ method, path }) => `${name} sent ${method} ${path}`),
      ...calls
        .filter(({ host, at }) => host === 'service' && at > deadline)
        .map(({ method, path }) => `${name} waits on: ${method} ${path}`)
        .slice(0, 1),
    ]
  },
}
