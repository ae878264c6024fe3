import type { Fault } from './faults.ts'
import { SECONDARY_LIMIT } from './github/rate-limits.ts'
import type { Host } from './http.ts'

/** What `slow` waits before it answers. */
const SLOW_MS = 10_000

interface Failure {
  readonly fault: Fault
  /** What becomes of a request, after "every request …". */
  readonly says: string
}

const REASONS = {
  service: {
    401: 'Invalid API key',
    402: 'No credits left',
    403: 'This IP address is not on the allowlist of the key',
    404: 'Project not found',
    429: 'Rate limit exceeded',
    500: 'Internal server error',
  },
  github: {
    401: 'Bad credentials',
    403: 'Resource not accessible by integration',
    404: 'Not Found',
    429: SECONDARY_LIMIT,
    500: 'Server Error',
  },
} as const

/** What can happen to one request on its way, by the name that the command line uses. */
const BREAKS = {
  drop: { fault: { kind: 'reset' }, says: 'ends with a dropped connection' },
  'drop-after': { fault: { kind: 'reset', when: 'after' }, says: 'takes effect, and its answer is lost' },
  timeout: { fault: { kind: 'stall' }, says: 'is never answered' },
  '502': { fault: { kind: 'html', status: 502 }, says: 'answers 502 with a page' },
  '504-late': {
    fault: { kind: 'html', status: 504, when: 'late' },
    says: 'answers 504, and takes effect later',
  },
  'retry-after': {
    fault: {
      kind: 'status',
      status: 403,
      headers: { 'retry-after': '7' },
      body: { message: SECONDARY_LIMIT },
    },
    says: 'answers 403 with Retry-After',
  },
  'secondary-limit': {
    fault: { kind: 'status', status: 403, body: { message: SECONDARY_LIMIT } },
    says: "answers 403 with GitHub's text about the secondary limit",
  },
  slow: { fault: { kind: 'delay', ms: SLOW_MS }, says: `waits ${SLOW_MS / 1000} seconds for its answer` },
} as const satisfies Readonly<Record<string, Failure>>

function failuresOf(host: Host): Readonly<Record<string, Failure>> {
  const field = host === 'service' ? 'error' : 'message'
  const statuses = Object.entries(REASONS[host]).map(([status, reason]) => {
    const fault = { kind: 'status', status: Number(status), body: { [field]: reason } } as const
    return [status, { fault, says: `answers ${status}` }] as const
  })
  return { ...Object.fromEntries(statuses), ...BREAKS }
}

/** The ways in which a host can fail. */
export const FAILURES: Readonly<Record<Host, Readonly<Record<string, Failure>>>> = {
  service: failuresOf('service'),
  github: failuresOf('github'),
}
