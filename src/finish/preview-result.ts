import type { WaitOptions } from '../agent/poll.ts'
import { deployPreview } from '../agent/preview.ts'
import { orCancelled } from '../cancellation.ts'
import { Cancelled, unexpectedError } from '../errors.ts'
import { pullRequestOf } from '../link.ts'
import { pullRequestLink, type Report } from '../messages/report.ts'
import type { Preview } from '../request/job.ts'
import { plainText } from '../text.ts'
import type { Request } from './request.ts'

/**
 * Deploys the preview of the pull request where the request asks for one. It decides nothing (contract 4.10).
 * @returns undefined where there is none to have, or where the run is cancelled while it waits
 */
export async function previewOf(
  request: Request,
  { outcome, job }: Pick<Report, 'outcome' | 'job'>,
  waiting: () => WaitOptions,
): Promise<Preview | undefined> {
  const { session, identity } = request
  const { deps, client } = session
  if (!identity.settings.preview || outcome !== 'pull-request' || job === undefined) return undefined
  try {
    const branch = (await orCancelled(deps.cancellation, headBranch(request, job.prLink))) || job.ref
    return await deployPreview(deps, client.access, branch, waiting())
  } catch (error) {
    if (!(error instanceof Cancelled))
      return { status: 'unavailable', why: unexpectedError(deps.core, error) }
    deps.core.info('The run was cancelled while it waited for the preview. The result stays as it is.')
    return undefined
  }
}

/** Where the pull request can be read: the job may name the branch that it began from. */
async function headBranch({ session }: Request, link: string): Promise<string> {
  const pull = pullRequestOf(link, session.context.serverUrl)
  if (pull === undefined) return ''
  return await session.forge.pullRequest(pull).then(
    ({ head }) => head,
    () => '',
  )
}

/** What goes wrong with the preview that the result shows is one warning. */
export function warnOfPreview({ session }: Request, { preview, job }: Report): void {
  const warning = preview === undefined ? '' : previewWarning(preview, pullRequestLink(job?.prLink))
  if (warning !== '') session.deps.core.warning(plainText(warning))
}

function previewWarning(preview: Preview, link: string): string {
  switch (preview.status) {
    case 'success':
      if (preview.url !== '') return ''
      return `The service sent an unusable link to the preview of ${link}: look at it in the dashboard.`
    case 'failure':
      return `The preview of ${link} failed to build.`
    default:
      return `There is no preview of ${link} in the result. ${preview.why}`
  }
}
