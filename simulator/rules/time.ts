import { ENDED, isPrompt, outcomeOf, type Request, requestOf } from '../history.ts'
import type { Call } from '../life.ts'
import { outagesOf } from '../truth.ts'
import type { Rule } from './rule.ts'

const timeoutOf = (inputs: Readonly<Record<string, string>>): number =>
  Number(inputs['timeout-minutes'] ?? '30') * 60_000

/** The service gets no request after the deadline, on a clock that is never set; GitHub may get some. */
export const nothingAfterDeadline: Rule = {
  name: 'nothing-after-deadline',
  clause: '1, 4.4',
  afterMain({ request, life }) {
    const deadline = life.bornAt + timeoutOf(request.inputs)
    return life.calls
      .filter(({ host, at }) => host === 'service' && at > deadline)
      .map(({ method, path, at }) => `${life.name} sent ${method} ${path} ${(at - deadline) / 1000} s late`)
  },
}

/** A job is read at the deadline itself, so that one which ended in time is never called late. */
export const readsAtDeadline: Rule = {
  name: 'reads-at-deadline',
  clause: '4.6',
  afterMain({ world, request, life }) {
    const isDisturbed = life.calls.some(({ status = 500, fault }) => fault !== undefined || status >= 400)
    const jobId = life.footprint.outputs.get('job-id') ?? ''
    if (outcomeOf(life) !== 'timed-out' || jobId === '' || isDisturbed || outagesOf(world, life).length > 0)
      return []
    const before = life.bornAt + timeoutOf(request.inputs) - (life.calls.findLast(isRead)?.at ?? 0)
    return before < AT_ONCE_MS ? [] : [`${life.name} read its job last ${before} ms before the deadline`]
  },
}

const AT_ONCE_MS = 100

const isRead = ({ host, method }: Call): boolean => host === 'service' && method === 'GET'

/** A run takes the time that it was given, and what GitHub's retries may take, and no more. */
export const endsInTime: Rule = {
  name: 'ends-in-time',
  clause: '1, 4.4, 5.7',
  afterLife: (_, { name, fate }) => (fate === 'hung' ? [`${name} never ended`] : []),
}

const SOON_MS = 5000

/** A run that is cancelled has reported within five seconds. */
export const cancelledSoon: Rule = {
  name: 'cancelled-soon',
  clause: '6.1',
  afterLife(_, { name, fate, cancelledAt, endedAt }) {
    if (cancelledAt === undefined || fate === 'threw') return []
    const took = endedAt - cancelledAt
    return took <= SOON_MS ? [] : [`${name} took ${took / 1000} s to stop`]
  },
}

/** The shortest pause that a run makes of its own accord, less what chance takes off it (4.6). */
const SHORTEST_MS = 0.89 * 1000

/**
 * The service has time between two reads of a job, whatever the wall clock says meanwhile. The deadline cuts the last
 * pause short (4.6).
 */
export const patient: Rule = {
  name: 'patient',
  clause: '4.4, 4.6',
  afterLife(history, life) {
    const request = requestOf(history, life)
    if (request === undefined) return []
    const pollMs = Number(request.inputs['poll-interval-seconds'] ?? '15') * 1000
    const deadline = life.bornAt + timeoutOf(request.inputs)
    const reads = life.calls.filter(
      ({ host, method, at }) => host === 'service' && method === 'GET' && at < deadline,
    )
    const hasty = reads.findIndex((read, n) => {
      const before = reads[n - 1]
      // A run that has waited for the job of a pull request reads it once more for its own plan (3.5, 4.9).
      const isOver = request.event.opener !== undefined && ENDED.test(before?.text ?? '')
      // An event of a pull request asks first whether the job failed with what it got before (3.13).
      const isFirst = n === 1 && request.event.opener !== undefined
      return (
        !isOver &&
        !isFirst &&
        !endsLook(request, read, reads.slice(0, n)) &&
        before?.path === read.path &&
        read.at - before.at < Math.min(SHORTEST_MS, 0.89 * pollMs)
      )
    })
    return hasty < 0 ? [] : [`${life.name} read a job twice at once (read ${hasty + 1} of ${reads.length})`]
  },
}

/** Of a run that looks at its job once, as for `/docs status`: where no try is answered, the last is a minute after the first. */
function endsLook({ inputs, ask }: Request, { at, path }: Call, tries: readonly Call[]): boolean {
  const looksOnce = inputs.wait === 'false' || ask.event === 'status'
  const hasFailed = ({ status = 500, fault }: Call) => status >= 400 || fault !== undefined
  const isOfLook = tries.every((one) => one.path === path && hasFailed(one))
  return looksOnce && isOfLook && Math.abs(at - (tries[0]?.at ?? at) - LOOK_MS) < 1
}

const LOOK_MS = 60_000

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
