import { messageOf } from '../core/errors.ts'
import { oneLine, plainText } from '../core/text.ts'
import { ServiceError } from '../http/service-error.ts'
import type { Deps } from '../runner/deps.ts'
import { collectSentence, collectSummary } from './summary.ts'
import { type Collected, ofKind } from './sweep.ts'

/** Tells what the sweep came to: log, annotations, outputs and summary (contract 8.3). */
export function report({ runner, log, now }: Deps, collected: readonly Collected[]): void {
  const finished = ofKind(collected, 'finished')
  for (const one of collected) log(`  ${lineOf(one)}`)
  log(collectSentence(collected))
  for (const { request, ending } of finished) {
    if (ending.job?.unusableLink !== true) continue
    const job = `job ${request.marker.job} of #${request.thread}`
    runner.annotate('warning', `The service sent an unusable link for ${job}: look at it in the dashboard.`)
  }
  const [failure, ...more] = ofKind(collected, 'failed')
  if (failure !== undefined) {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`
    runner.annotate('warning', `${lineOf(failure)}${others} The next sweep tries again.`)
  }

  runner.output('finished', String(finished.length))
  runner.output('active', String(ofKind(collected, 'active').length))
  runner.output('failed', String(ofKind(collected, 'failed').length))
  const result = finished.map(({ request, ending }) => ({
    'job-id': request.marker.job,
    thread: request.thread,
    outcome: ending.outcome,
    'pr-link': ending.job?.prLink ?? '',
  }))
  runner.output('result', JSON.stringify(result))
  runner.summary(collectSummary(collected, now()))
}

function lineOf(one: Collected): string {
  const { thread, marker } = one.request
  return `#${thread}  ${marker.job}  ${newsOf(one)}`
}

function newsOf(one: Collected): string {
  switch (one.kind) {
    case 'finished':
      return `${one.ending.outcome}  ${one.ending.job?.prLink ?? ''}`.trim()
    case 'active':
      return one.job.status
    case 'left':
      return 'taken up by another run meanwhile'
    case 'failed':
      return plainText(oneLine(messageOf(one.error)))
  }
}

/** One job's trouble is its own; when every read failed, the service cannot be used, and the first one tells why. */
export function serviceTrouble(collected: readonly Collected[]): ServiceError | undefined {
  const errors = ofKind(collected, 'failed').map(({ error }) => error)
  const [first] = errors
  const all = errors.length === collected.length && errors.every((error) => error instanceof ServiceError)
  return all && first instanceof ServiceError ? first : undefined
}
