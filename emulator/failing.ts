import type { Fault, FaultRule } from './faults.ts'
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
    429: 'You have exceeded a secondary rate limit',
    500: 'Server Error',
  },
} as const

function failuresOf(host: Host): Readonly<Record<string, Failure>> {
  const field = host === 'service' ? 'error' : 'message'
  const statuses = Object.entries(REASONS[host]).map(([status, reason]) => {
    const fault = { kind: 'status', status: Number(status), body: { [field]: reason } } as const
    return [status, { fault, says: `answers ${status}` }] as const
  })
  return {
    ...Object.fromEntries(statuses),
    drop: { fault: { kind: 'reset' }, says: 'ends with a dropped connection' },
    slow: { fault: { kind: 'delay', ms: SLOW_MS }, says: `waits ${SLOW_MS / 1000} seconds for its answer` },
  }
}

/** The ways in which every request of a host can fail, by the name that the command line takes. */
export const FAILURES: Readonly<Record<Host, Readonly<Record<string, Failure>>>> = {
  service: failuresOf('service'),
  github: failuresOf('github'),
}

export const failing = (host: Host, { fault }: Failure): FaultRule => ({
  match: { host },
  times: Number.POSITIVE_INFINITY,
  fault,
})
