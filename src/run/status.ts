import { throwIfCancelled } from '../cancellation.ts'
import { reasonOf, ServiceError } from '../http/service-error.ts'
import { explainFailure } from '../messages/service-errors.ts'
import { threadJob } from '../request/plan.ts'
import type { RequestRun } from './request-run.ts'

/** `/docs status`: reads the thread's job once (contract 3.2). */
export async function answerStatus(run: RequestRun): Promise<void> {
  const { deps, client, thread, setup } = run
  const { history } = thread
  const answer = (message = '') => run.apply({ type: 'answered', reason: 'status', message })
  if (history === undefined) return await answer('I can’t read this thread, so I don’t know its job')
  const known = threadJob(history)
  if (known === undefined) return await answer()
  if (setup.inputs.dryRun) {
    run.shownJob = known
    return await answer()
  }
  const left = run.deadline - deps.monotonic()
  if (left <= 0) return await run.apply({ type: 'deadline', message: '' })
  const [result] = await Promise.all([
    client.read(known.id, left, deps.cancellation.requested),
    thread.reactions.acknowledge(),
  ])
  throwIfCancelled(deps.cancellation)
  if ('job' in result) {
    run.shownJob = result.job
    return await answer()
  }
  if (reasonOf(result.failure) === 'job-not-found')
    return await answer('The job of this thread no longer exists')
  throw new ServiceError(result.failure, explainFailure('read', result.failure, client.access, known.id))
}
