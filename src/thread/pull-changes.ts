import { GitHubError, isRefused } from '../base/errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { ChangedFile } from '../github/answers.ts'
import { isUnlistable } from '../http/failure.ts'
import { isInPaths, type PathFilter } from '../inputs/paths.ts'
import type { PullRequestChanges } from '../prompt/context.ts'
import type { PromptSource } from '../prompt/task.ts'
import type { RequestIdentity } from '../record/record.ts'
import { digestOfText } from '../record/request-identity.ts'
import { isSamePullRequest } from './docs-pull-request.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'

/** GitHub lists no more: https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
export const MAX_FILES = 3000

/** The pull request of the code as it is now, whatever head its event names. */
export interface PullChanges extends PullRequestChanges {
  /** Of its changes: a rebase and a merge of the base leave it as it is. '' where GitHub cut the list of files. */
  readonly digest: string
  /** The pull request surely changes no file. */
  readonly isEmpty: boolean
  /** The pull request changes a file that `paths` names, or may. */
  readonly isInPaths: boolean
}

/** The code as far as two requests can compare it. */
export type ChangesId = Pick<RequestIdentity['head'], 'sha' | 'digest'>

/** Whether both are about the same head, or the same changes of two heads. */
export const isSameChanges = (one: ChangesId, other: ChangesId): boolean =>
  one.sha === other.sha || (one.digest !== '' && one.digest === other.digest)

/** What GitHub cut, or does not list at all. */
const UNCOMPARED = { digest: '', isEmpty: false, isInPaths: true } as const

/**
 * @returns undefined where neither the event nor a commit status is about the changes of a pull request, and where GitHub does
 * not show it
 * @throws {GitHubError} where GitHub does not answer, or does not list the files: without a digest, the same changes would be
 * paid again, and a head would miss its verdict. Only an event of the pull request asks nothing about what GitHub never lists.
 */
export async function readPullChanges(
  session: Session,
  thread: number | undefined,
  { trigger, inputs }: Pick<PromptSource, 'trigger' | 'inputs'>,
): Promise<PullChanges | undefined> {
  const { subject, push } = trigger
  const isOfEvent = isPullRequestEvent(trigger)
  if (thread === undefined || push !== undefined || subject?.isPullRequest === false) return undefined
  if (!isOfEvent && inputs.commitStatus === '') return undefined
  return await pullChangesOf(session, thread, inputs.paths, !isOfEvent).catch((error: unknown) => {
    if (!isRefused(error)) throw error
    // The input `issue-number` may name an issue.
    if (subject !== undefined || !isRefused(error, 404)) session.warnings.add('head', error)
    return isOfEvent ? { ...UNCOMPARED, pull: subject, files: undefined } : undefined
  })
}

/**
 * @param goesWithout whether a pull request too large for a list of its files is read without
 * @throws {GitHubError} where the pull request, or the list of its files, cannot be read
 */
export async function pullChangesOf(
  { github }: Pick<Session, 'github'>,
  number: number,
  paths: PathFilter | undefined,
  goesWithout = false,
): Promise<PullChanges> {
  // The head first: files of a later head can then only belong to one that has an event of its own.
  const pull = await github.pullRequest({ ...github.repository, number })
  const files = await github.pullRequestFiles(number, MAX_FILES).catch((error: unknown) => {
    if (goesWithout && error instanceof GitHubError && isUnlistable(error)) return undefined
    // The token can read the pull request, so no permission is missing: GitHub has no answer now.
    throw isRefused(error) ? new GitHubError({ ...error, kind: 'away' }) : error
  })
  if (files === undefined) return { ...UNCOMPARED, pull, files }
  const isWhole = files.length < MAX_FILES && files.length === (pull.changedFiles ?? files.length)
  if (!isWhole) return { ...UNCOMPARED, pull, files }
  const named = paths === undefined ? files : files.filter((file) => isInPaths(paths, file))
  const counts = paths === undefined || named.length > 0
  // Where none counts, a command can still be about all of them.
  const isEmpty = files.length === 0
  return { pull, files, digest: digestOf(counts ? named : files), isEmpty, isInPaths: counts }
}

/** @returns '' if a file has neither a patch nor a SHA to compare */
function digestOf(files: readonly ChangedFile[]): string {
  if (files.some(({ patch, sha }) => patch === '' && sha === '')) return ''
  const lines = files.map(({ path, earlierPath, status, patch, sha }) =>
    JSON.stringify([path, earlierPath, status, patch === '' ? sha : patch.replace(HUNK, '@@')]),
  )
  return digestOfText(JSON.stringify(lines.sort()))
}

/** Line numbers, and the heading that Git finds above. Only a line feed ends a line: others can stand in one. */
const HUNK = /(?<![^\n])@@ -[\d,]+ \+[\d,]+ @@[^\n]*/g

/**
 * Notes what the request is about: this head, and its status where the pull request is open and not the job's own.
 * @param name of the status, '' for none
 */
export async function noteHead(
  session: Session,
  run: Run,
  name: string,
  { pull, digest }: Pick<PullChanges, 'pull' | 'digest'>,
): Promise<void> {
  if (pull === undefined || pull.headSha === '') return
  const { headSha: sha, state, url } = pull
  const isOwn = await isSamePullRequest(session, run.facts.job?.prLink ?? '', url)
  const hasStatus = name !== '' && state === 'open' && !isOwn
  const head = { ...run.identity.head, sha, digest }
  run.updateIdentity({ head, ...(hasStatus && { commitStatus: { name, sha } }) })
}
