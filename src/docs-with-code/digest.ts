import { createHash } from 'node:crypto'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Trigger } from '../event/trigger.ts'
import type { ChangedFile } from '../github/answers.ts'
import { type PullRequestChanges, readPullRequestChanges } from '../prompt/context.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'

/** GitHub lists no more: https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const MAX_FILES = 3000

export interface DigestedChanges extends PullRequestChanges {
  /** '' where the files of the head that was asked for cannot be read whole. */
  readonly digest: string
}

/**
 * What a pull request changes at a head, with its digest.
 * @param subject its `headSha` is '' if the event names no head; then the current head counts
 */
export async function digestChanges(
  session: Session,
  subject: { readonly number: number; readonly headSha: string },
): Promise<DigestedChanges> {
  const changes = await readPullRequestChanges(session, subject, MAX_FILES)
  const { files = [], pull } = changes
  const { headSha, changedFiles = files.length } = pull ?? { headSha: '' }
  const isOfHead = headSha !== '' && (subject.headSha === '' || subject.headSha === headSha)
  const isWhole = changedFiles === files.length && files.length < MAX_FILES
  return { ...changes, digest: isOfHead && isWhole ? digestOfFiles(files) : '' }
}

/**
 * A digest that a rebase and a merge of the base leave as it is (contract 3.13).
 * @returns '' if a file has neither a patch nor a SHA to compare
 */
function digestOfFiles(files: readonly ChangedFile[]): string {
  if (files.some(({ patch, sha }) => patch === '' && sha === '')) return ''
  const lines = files.map(({ path, earlierPath, status, patch, sha }) =>
    JSON.stringify([path, earlierPath, status, patch === '' ? sha : patch.replace(HUNK, '@@')]),
  )
  return textDigestOf(lines.sort().join('\n'))
}

export const textDigestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Line numbers, and the heading that Git finds above. Only a line feed ends a line: others can stand in one. */
const HUNK = /(?<![^\n])@@ -[\d,]+ \+[\d,]+ @@[^\n]*/g

/**
 * Notes in the record what the request is about. A command moves no head, and decides the changes that it found.
 * @param pull whose head gets the commit status
 */
export function rememberChanges(
  request: Request,
  trigger: Trigger,
  { digest, pull: now }: DigestedChanges,
  pull: PullRequest | undefined,
): void {
  const { head } = request.identity
  if (isPullRequestEvent(trigger)) {
    request.amend({ head: { ...head, sha: trigger.subject?.headSha ?? '', digest } })
  } else if (pull !== undefined && pull.headSha === now?.headSha) {
    request.amend({ head: { ...head, digest } })
  }
}
