import { fullName } from '../base/link.ts'
import { count, grouped, joined } from '../base/text.ts'
import { describeCommentedLines, type PullRequest } from '../event/objects.ts'
import type { BodySource, Push, Runner, Subject, Trigger } from '../event/trigger.ts'
import type { ChangedFile, Comparison } from '../github/answers.ts'
import { CONTEXT_MS } from '../github/patience.ts'
import type { Omission } from '../words/side-tasks.ts'
import { inOneLine, type Part, partOf, type Section, withinRoom } from './parts.ts'
import { type RenderDeps, renderedBody } from './rendered.ts'
import { ROOMS } from './rooms.ts'
import type { ChangesOf } from './voices.ts'

/** What triggered the run has more than fits. */
export const PAST_ROOM: Omission = { kind: 'context', most: ROOMS.changes }

/** Files are listed a hundred a page; more than this many would fill the room with names alone. */
const MAX_FILES = 300
/** GitHub lists no more of a comparison: https://docs.github.com/rest/commits/commits#compare-two-commits */
export const MAX_COMPARED_FILES = 300

/** Describes what triggered the run, for the prompt of a new job; nothing when there is nothing to say. */
export async function readContext(
  deps: RenderDeps,
  trigger: Trigger,
  run: Runner,
  pushed?: Comparison,
  changes?: Promise<PullRequestChanges>,
): Promise<readonly Part[]> {
  const { subject, push, release } = trigger
  const within = (...parts: readonly Part[]) => withinRoom(parts, ROOMS.changes, PAST_ROOM)
  if (subject?.isPullRequest === true) {
    const [described, changed] = await Promise.all([
      describeSubject(deps, subject),
      changes ?? readPullRequestChanges(deps, subject, MAX_FILES, CONTEXT_MS),
    ])
    return within(described, ...describeChanges(subject, changed))
  }
  if (subject !== undefined) return within(await describeSubject(deps, subject))
  if (push !== undefined) return within(...describePush(push, pushed, run))
  return release === undefined ? [] : within(await describeRelease(deps, release))
}

async function describeRelease(
  deps: RenderDeps,
  { id, name, tag, url, body, author }: NonNullable<Trigger['release']>,
): Promise<Part> {
  // A release needs no name: GitHub then shows its tag.
  const title = `Release: ${inOneLine(name === '' ? tag : `${name} (${tag})`)}`
  const { text, note } = await renderedBody(deps, { kind: 'release', id }, body)
  return partOf({ kind: 'body', of: 'release', by: author }, joined('\n\n', title, url, text), { note })
}

async function describeSubject(deps: RenderDeps, subject: Subject): Promise<Part> {
  const { isPullRequest, number, url, body, author } = subject
  const source: BodySource = { kind: isPullRequest ? 'pull' : 'issue', number }
  const { text, note } = await renderedBody(deps, source, body)
  const of = isPullRequest ? 'pull request' : 'issue'
  const whole = joined('\n\n', titleOf(subject), url, text)
  return partOf({ kind: 'body', of, number, by: author }, whole, { note })
}

/** `Issue #12: Retries` */
export const titleOf = ({
  number,
  title,
  isPullRequest = true,
}: Pick<Subject, 'number' | 'title'> & Partial<Pick<Subject, 'isPullRequest'>>): string =>
  `${isPullRequest ? 'Pull request' : 'Issue'} #${number}: ${inOneLine(title)}`

const MOVED = 'The pull request has other commits than at the event.'
const UNKNOWN_HEAD = 'The commit of the pull request could not be read.'
const UNREAD_COMMITS = 'They could not be read.'
const UNREAD_FILES = 'It could not be read.'

/** Undefined for what cannot be read. */
export interface PullRequestChanges {
  readonly files: readonly ChangedFile[] | undefined
  readonly pull: PullRequest | undefined
}

/** @param most files to read @param patienceMs with GitHub, for the files */
async function readPullRequestChanges(
  { github, warnings }: RenderDeps,
  { number, headSha }: Pick<Subject, 'number' | 'headSha'>,
  most: number,
  patienceMs?: number,
): Promise<PullRequestChanges> {
  const files = warnings.warnOnFailure('files', () => github.pullRequestFiles(number, most, patienceMs))
  // Where the event names a commit, the head is read last: if it has not moved by then, the files are of no later one.
  if (headSha !== '') await files
  const pull = await warnings.warnOnFailure('files', () =>
    github.pullRequest({ ...github.repository, number }),
  )
  return { files: await files, pull }
}

/** Branches, files and patches of a pull request, of the commit that the event names. */
function describeChanges(subject: Subject, { files: all, pull }: PullRequestChanges): readonly Part[] {
  const { headSha, number, author } = subject
  const changes: ChangesOf = { of: 'pull request', number, by: author, since: '' }
  const { base, head } = subject.base === '' ? (pull ?? subject) : subject
  const branches = base === '' ? '' : `Base: ${inOneLine(base)}, head: ${inOneLine(head)}`
  const without = (note: string, omissions: readonly Omission[] = []) => [
    partOf({ kind: 'files', ...changes }, '', { note: `${note} Its patches are left out, too.`, omissions }),
  ]
  const compared = partOf({ kind: 'comparison', ...changes }, branches)
  if (headSha !== '' && pull === undefined) return [compared, ...without(UNKNOWN_HEAD)]
  if (headSha !== '' && pull?.headSha !== headSha) return [compared, ...without(MOVED, [{ kind: 'moved' }])]
  const files = all?.slice(0, MAX_FILES)
  const described = describeFiles(changes, files, MAX_FILES, pull?.changedFiles)
  // The event of a comment names no commit, so the prompt does.
  const isKnown = headSha === '' && files !== undefined && pull !== undefined && pull.headSha !== ''
  const source = isKnown ? `Files of ${pull.headSha.slice(0, 7)}, the head when this run began.` : ''
  return [partOf({ kind: 'comparison', ...changes }, joined('\n', branches, source)), ...described]
}

/**
 * What a pull request brings since an earlier head of it.
 * @param files those of the comparison that the pull request changes @param others how many more files it has
 */
export function describeIncrement(
  subject: Subject,
  before: string,
  { commits }: Comparison,
  files: readonly ChangedFile[],
  others: number,
): readonly Part[] {
  const changes: ChangesOf = { of: 'pull request', number: subject.number, by: subject.author, since: before }
  const name = partOf({ kind: 'comparison', ...changes }, `${titleOf(subject)}\n${subject.url}`, {
    note:
      others > 0
        ? `${count(others, 'other file')} changed since then: of its base branch, or not changed by it any more.`
        : '',
  })
  // Those of a merge of the base branch are none of its own.
  const own = others > 0 ? [] : [describeCommits(changes, commits)]
  return withinRoom(
    [name, ...own, ...describeFiles(changes, files, MAX_COMPARED_FILES)],
    ROOMS.changes,
    PAST_ROOM,
  )
}

/** The place that a review comment is about; none for everything else. */
export function describeHunk({ comment }: Trigger): readonly Section[] {
  if (comment?.kind !== 'review') return []
  const place = `${inOneLine(comment.path)}${describeCommentedLines(comment.lines)}`
  return [{ heading: `The request is about ${place}:`, text: comment.hunk }]
}

const MAX_COMMITS = 50

/** Their subjects, with a note about those that are not there. */
function describeCommits(changes: ChangesOf, commits: Comparison['commits']): Part {
  const shown = commits.slice(0, MAX_COMMITS).map(({ subject }) => `- ${inOneLine(subject)}`)
  const omitted = commits.length - shown.length
  const lacks =
    omitted === 0 ? {} : { note: `Left out: ${count(omitted, 'more commit')}.`, omissions: [PAST_ROOM] }
  return partOf({ kind: 'commits', ...changes }, shown.join('\n'), lacks)
}

function describePush(
  { before, after, ref, change }: Push,
  comparison: Comparison | undefined,
  { serverUrl, repository }: Runner,
): readonly Part[] {
  const pushed = { of: 'push' } as const
  const head = `Push to ${inOneLine(ref.replace(/^refs\/heads\//, ''))}`
  if (comparison === undefined) {
    const unread = partOf({ kind: 'commits', ...pushed }, '', { note: UNREAD_COMMITS })
    return [partOf({ kind: 'comparison', ...pushed }, head), ...(change === 'updated' ? [unread] : [])]
  }
  const { commits, files } = comparison
  const url = `${serverUrl}/${fullName(repository)}/compare/${before}...${after}`
  const described = files === undefined ? [] : describeFiles(pushed, files, MAX_COMPARED_FILES)
  return [
    partOf({ kind: 'comparison', ...pushed }, `${head}\n\n${url}`),
    describeCommits(pushed, commits),
    ...described,
  ]
}

/** A list of the changed files, and their patches. @param most that a list can hold @param total how many there are */
export function describeFiles(
  changes: ChangesOf,
  files: readonly ChangedFile[] | undefined,
  most: number,
  total?: number,
): readonly [list: Part, patches: Part] {
  const [list, patches] = [
    { kind: 'files', ...changes },
    { kind: 'patches', ...changes },
  ] as const
  // A warning says so already.
  if (files === undefined) return [partOf(list, '', { note: UNREAD_FILES }), partOf(patches, '')]
  const names = files.map(({ status, earlierPath, path, additions, deletions }) => {
    const from = earlierPath === '' ? '' : `${inOneLine(earlierPath)} → `
    return `${status} ${from}${inOneLine(path)} (+${additions} -${deletions})`
  })
  const listed = names.length
  let of = total === undefined && listed >= most ? ' or more' : ''
  if (total !== undefined && total > listed) of = ` of ${grouped(total)}`
  const text = joined('\n\n', `Changed files: ${grouped(listed)}${of}`, names.join('\n'))
  const patched = files
    .filter(({ patch }) => patch !== '')
    .map(({ path, patch }) => `--- ${inOneLine(path)}\n${patch}`)
  return [
    partOf(list, text, { omissions: of === '' ? [] : [PAST_ROOM] }),
    partOf(patches, patched.join('\n\n')),
  ]
}
