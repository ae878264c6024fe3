import type { Job } from '../../record/job.ts'
import { ending } from '../../record/outcome.ts'
import { pullRequestNow } from '../../thread/docs-pull-request.ts'
import type { PullChanges } from '../../thread/pull-changes.ts'
import type { Session } from '../../thread/session.ts'
import { docsOfNothing, NO_FILES, NONE_IN_PATHS } from '../../words/commit-verdict.ts'
import { CAUSES } from '../../words/notes.ts'
import type { Answer } from './same-changes.ts'

/**
 * What the thread says of changes that need no docs, unless a request has decided them; undefined where a file counts. Docs that are
 * under way for changes that are gone wait for a person.
 * @param job of the thread @param command word
 * @throws {GitHubError} where GitHub does not answer
 */
export async function nothingToDocument(
  session: Session,
  { isEmpty, isInPaths }: Pick<PullChanges, 'isEmpty' | 'isInPaths'>,
  job: Job | undefined,
  command: string,
): Promise<Answer | undefined> {
  if (!isEmpty)
    return isInPaths
      ? undefined
      : { ending: ending('skipped', 'no-changes', CAUSES.noneInPaths), otherwise: NONE_IN_PATHS }
  const link = job?.prLink ?? ''
  const { state } = await pullRequestNow(session, link)
  const isOpen = state === 'open' || state === 'unreadable'
  return {
    ending: ending('skipped', 'no-changes', CAUSES.noFiles),
    otherwise: isOpen ? docsOfNothing(link, command) : NO_FILES,
  }
}
