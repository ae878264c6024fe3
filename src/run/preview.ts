import { deployPreview, type Preview, type PreviewRequest } from '../agent/preview.ts'
import type { Deps } from '../deps.ts'
import { Cancelled, unexpectedError } from '../errors.ts'
import type { ServiceAccess } from '../http/service.ts'
import { resultComment } from '../messages/comments.ts'
import { type MessageContext, pullRequestLink, type Report } from '../messages/report.ts'
import type { RequestIdentity } from '../request/record.ts'
import { plainText } from '../text.ts'
import type { Thread } from './thread.ts'

/** How a request gets its preview, and how long that may take. */
export interface PreviewOptions extends Omit<PreviewRequest, 'branch'> {
  readonly access: ServiceAccess
}

interface PreviewTarget {
  readonly identity: RequestIdentity
  readonly deps: Deps
  readonly preview: PreviewOptions
}

const wantsPreview = ({ identity }: PreviewTarget, { outcome }: Report): boolean =>
  identity.finish.preview && outcome === 'pull-request'

/**
 * Deploys the preview of the job's branch where the request asks for one. It never rejects, and decides nothing: what
 * goes wrong is one warning (contract 4.10).
 * @returns undefined where there is none to have, or where the run is cancelled while it waits
 */
export async function previewOf(target: PreviewTarget, report: Report): Promise<Preview | undefined> {
  if (!wantsPreview(target, report)) return undefined
  const { deps, preview: options } = target
  const { core } = deps
  const { job } = report
  const preview = await deployPreview(deps, options.access, { ...options, branch: job?.ref ?? '' }).catch(
    (error: unknown) => {
      if (!(error instanceof Cancelled))
        return { status: 'unavailable', why: unexpectedError(core, error) } as const
      core.info('The run was cancelled while it waited for the preview. The result stays as it is.')
      return undefined
    },
  )
  const warning = preview === undefined ? '' : previewWarning(preview, job?.prLink ?? '')
  if (warning !== '') core.warning(plainText(warning))
  return preview
}

function previewWarning(preview: Preview, prLink: string): string {
  const link = pullRequestLink(prLink)
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

/** Adds the preview to the result that the thread already shows. */
export async function showPreview(
  thread: Thread,
  preview: Preview,
  report: Report,
  messages: MessageContext,
): Promise<void> {
  const shown = preview.status === 'failure' || (preview.status === 'success' && preview.url !== '')
  if (shown) await thread.amend(resultComment({ ...report, preview }, messages))
}
