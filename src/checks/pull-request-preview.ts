import { deployPreview } from '../agent/preview.ts'
import { orCancelled } from '../deps.ts'
import { Cancelled, messageOf } from '../errors.ts'
import type { WaitOptions } from '../http/retry.ts'
import { pullRequestOf } from '../link.ts'
import { explainError } from '../messages/explain.ts'
import type { Job, Preview } from '../request/job.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'

/** What is waited for ends, too, once nothing needs it any more. */
const until = (deps: Session['deps'], abandoned: AbortSignal): Session['deps'] => {
  const requested = AbortSignal.any([deps.cancellation.requested, abandoned])
  return { ...deps, cancellation: { ...deps.cancellation, requested } }
}

/** Contract 4.10. @returns undefined where the request asks for none, or where the run is cancelled while it waits */
export async function previewOf(
  session: Session,
  { identity }: Request,
  job: Job | undefined,
  waiting: () => WaitOptions,
  abandoned?: AbortSignal,
): Promise<Preview | undefined> {
  const { client, forge, context } = session
  const deps = abandoned === undefined ? session.deps : until(session.deps, abandoned)
  if (!identity.settings.preview || job === undefined) return undefined
  const pull = pullRequestOf(job.prLink, context.serverUrl)
  // The job may name the branch that it began from.
  const reading = pull && forge.pullRequest(pull).catch(() => undefined)
  try {
    const read = reading && (await orCancelled(deps.cancellation, reading))
    return await deployPreview(deps, client.access, read?.head || job.ref, waiting())
  } catch (error) {
    if (!(error instanceof Cancelled)) return { status: 'unavailable', why: explainError(deps.core, error) }
    if (abandoned?.aborted === true) return { status: 'timed-out', why: messageOf(abandoned.reason) }
    deps.core.info('The run was cancelled while it waited for the preview. The result stays as it is.')
    return undefined
  }
}
