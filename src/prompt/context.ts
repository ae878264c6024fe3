import { fullName } from '../base/link.ts'
import { codeSpan, count, grouped, joined } from '../base/text.ts'
import { comparedBranch, describeCommentedLines, type PullRequest } from '../event/objects.ts'
import type { Push, Runner, Subject, Trigger } from '../event/trigger.ts'
import type { ChangedFile, Comparison } from '../github/answers.ts'
import { CONTEXT_MS } from '../github/retry-budget.ts'
import type { PathFilter } from '../inputs/paths.ts'
import { digestOfText } from '../record/request-identity.ts'
import { isAllThere } from '../words/missing-changes.ts'
import type { Omission } from '../words/side-tasks.ts'
import { BUDGETS } from './budgets.ts'
import { type Change, type ChangeTexts, restOfChange, textsOfChange } from './change-texts.ts'
import type { ChangesOf } from './part-sources.ts'
import {
  cutToBudget,
  inOneLine,
  lengthOf,
  type Part,
  partOf,
  type RestOfChanges,
  type Section,
  withinBudget,
} from './parts.ts'
import { type RenderDeps, renderedBody } from './rendered.ts'

/** What triggered the run has more than fits. */
export const PAST_BUDGET: Omission = { kind: 'context', most: BUDGETS.changes }

/** Files are listed a hundred a page; more than this many would fill the budget with names alone. */
const MOST_LISTED_FILES = 300
/** GitHub lists no more of a comparison: https://docs.github.com/rest/commits/commits#compare-two-commits */
export const MAX_COMPARED_FILES = 300

/** Describes what triggered the run, for the prompt of a new job; nothing when there is nothing to say. */
export async function readContext(
  deps: RenderDeps,
  trigger: Trigger,
  run: Runner,
  paths: PathFilter | undefined,
  pushed?: Comparison,
  changes?: Promise<PullRequestChanges>,
): Promise<readonly Part[]> {
  const { subject, push, release } = trigger
  const within = (...parts: readonly Part[]) => withinBudget(parts, BUDGETS.changes, PAST_BUDGET)
  if (subject?.isPullRequest === true) {
    const [body, changed] = await Promise.all([
      readBodyOf(deps, subject),
      changes ?? readPullRequestChanges(deps, subject, MOST_LISTED_FILES, CONTEXT_MS),
    ])
    return describePullRequest(subject, body, changed, paths)
  }
  if (subject !== undefined) return within(bodyPart(subject, await readBodyOf(deps, subject)))
  if (push !== undefined) return describePush(push, pushed, run, paths)
  return release === undefined ? [] : within(await describeRelease(deps, release))
}

async function describeRelease(
  deps: RenderDeps,
  { id, name, tag, url, body, author, isPrerelease }: NonNullable<Trigger['release']>,
): Promise<Part> {
  // A release needs no name: GitHub then shows its tag.
  const kind = isPrerelease ? 'Pre-release' : 'Release'
  const title = `${kind}: ${inOneLine(name === '' ? tag : `${name} (${tag})`)}`
  const { text, ...lacks } = await renderedBody(deps, { kind: 'release', id }, body)
  return partOf({ kind: 'body', of: 'release', by: author }, joined('\n\n', title, url, text), lacks)
}

type Body = Awaited<ReturnType<typeof renderedBody>>

async function readBodyOf(deps: RenderDeps, { isPullRequest, number, body }: Subject): Promise<Body> {
  return await renderedBody(deps, { kind: isPullRequest ? 'pull' : 'issue', number }, body)
}

function bodyPart(subject: Subject, { text, ...lacks }: Body): Part {
  const { isPullRequest, number, url, author } = subject
  const of = isPullRequest ? 'pull request' : 'issue'
  return partOf({ kind: 'body', of, number, by: author }, joined('\n\n', titleOf(subject), url, text), lacks)
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
const NO_PATCHES = 'Its patches are left out, too.'
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

const sourceOf = (sha: string): string => `Files of ${sha.slice(0, 7)}, the head when this run began.`

/** Text, branches, files and patches of a pull request, of the commit that the event names. */
function describePullRequest(
  subject: Subject,
  body: Body,
  { files: all, pull }: PullRequestChanges,
  paths: PathFilter | undefined,
): readonly Part[] {
  const { headSha, number, author } = subject
  const changes: ChangesOf = { of: 'pull request', number, by: author, since: '' }
  const branched = subject.base === '' ? (pull ?? subject) : subject
  const [base, head] = [comparedBranch(branched), branched.head]
  const branches = base === '' ? '' : `Base: ${inOneLine(base)}, head: ${inOneLine(head)}`
  // The event of a comment names no commit, so the prompt does.
  const isKnown = headSha === '' && all !== undefined && pull !== undefined && pull.headSha !== ''
  const comparedBy = (source: string) =>
    partOf({ kind: 'comparison', ...changes }, joined('\n', branches, source))
  const compared = comparedBy(isKnown ? sourceOf(pull.headSha) : '')
  // The same budget for each event, so that a later one chooses the same lines.
  const taken =
    lengthOf(bodyPart(subject, { text: '', note: '', pictures: 0 })) +
    lengthOf(comparedBy(sourceOf('0000000')))
  const budget = BUDGETS.changes - taken
  const without = (note: string, omissions: readonly Omission[]) => [
    bodyPart(subject, { ...body, text: cutToBudget(body.text, budget) }),
    compared,
    partOf({ kind: 'files', ...changes }, '', { note, omissions }),
  ]
  const isMoved = headSha !== '' && pull?.headSha !== headSha
  if (isMoved && pull === undefined) return without(`${UNKNOWN_HEAD} ${NO_PATCHES}`, [])
  if (isMoved) return without(`${MOVED} ${NO_PATCHES}`, [{ kind: 'moved' }])
  // A warning says so already.
  if (all === undefined) return without(UNREAD_FILES, [])
  const change = {
    files: all.slice(0, MOST_LISTED_FILES),
    total: pull?.changedFiles,
    paths,
    description: body.text,
  }
  const { description, parts } = describeFiles(changes, change, MOST_LISTED_FILES, budget)
  return [bodyPart(subject, { ...body, text: description }), compared, ...parts]
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
  paths: PathFilter | undefined,
): readonly Part[] {
  const changes: ChangesOf = { of: 'pull request', number: subject.number, by: subject.author, since: before }
  const name = partOf({ kind: 'comparison', ...changes }, `${titleOf(subject)}\n${subject.url}`, {
    note:
      others > 0
        ? `${count(others, 'other file')} changed since then: of its base branch, or not changed by it any more.`
        : '',
  })
  // Commits of a merge of the base branch are not the pull request's own.
  const own = others > 0 ? [] : [describeCommits(changes, commits)]
  return withFiles([name, ...own], changes, files, paths)
}

/** The place that a review comment is about; none for everything else. */
export function describeHunk({ comment }: Trigger): readonly Section[] {
  if (comment?.kind !== 'review') return []
  const place = `${codeSpan(comment.path)}${describeCommentedLines(comment.lines)}`
  return [{ heading: `The request is about ${place}:`, text: comment.hunk }]
}

const MAX_COMMITS = 50

/** The first lines of the commits, with a note about those that are left out. */
function describeCommits(changes: ChangesOf, commits: Comparison['commits']): Part {
  const shown = commits.slice(0, MAX_COMMITS).map(({ subject }) => `- ${inOneLine(subject)}`)
  const omitted = commits.length - shown.length
  const lacks =
    omitted === 0 ? {} : { note: `Left out: ${count(omitted, 'more commit')}.`, omissions: [PAST_BUDGET] }
  return partOf({ kind: 'commits', ...changes }, shown.join('\n'), lacks)
}

function describePush(
  { before, after, ref, change }: Push,
  comparison: Comparison | undefined,
  { serverUrl, repository }: Runner,
  paths: PathFilter | undefined,
): readonly Part[] {
  if (comparison === undefined) {
    const unread = partOf({ kind: 'commits', of: 'push' }, '', { note: UNREAD_COMMITS })
    return [namePush(ref), ...(change === 'updated' ? [unread] : [])]
  }
  const { commits, files } = comparison
  const url = `${serverUrl}/${fullName(repository)}/compare/${before}...${after}`
  const pushed = { of: 'push' } as const
  return withFiles([namePush(ref, url), describeCommits(pushed, commits)], pushed, files ?? [], paths)
}

/** @param ref such as `refs/heads/main` @param url of its comparison; '' for none */
export const namePush = (ref: string, url = ''): Part =>
  partOf(
    { kind: 'comparison', of: 'push' },
    joined('\n\n', `Push to ${inOneLine(ref.replace(/^refs\/heads\//, ''))}`, url),
  )

/** Parts of a comparison, and the files in the budget that they leave. */
function withFiles(
  parts: readonly Part[],
  changes: ChangesOf,
  files: readonly ChangedFile[],
  paths: PathFilter | undefined,
): readonly Part[] {
  const before = withinBudget(parts, BUDGETS.changes / 2, PAST_BUDGET)
  const budget = BUDGETS.changes - before.reduce((sum, part) => sum + lengthOf(part), 0)
  if (files.length === 0) return before
  return [
    ...before,
    ...describeFiles(changes, { description: '', files, paths }, MAX_COMPARED_FILES, budget).parts,
  ]
}

/**
 * The list of the changed files and their patches, with as much of the description as the budget has left.
 * @param most files that a list can hold @param budget of all of them
 */
function describeFiles(changes: ChangesOf, change: Change, most: number, budget: number) {
  const { files, total } = change
  const goesOn = total === undefined && files.length >= most
  const heading = `Changed files: ${grouped(Math.max(files.length, total ?? 0))}${goesOn ? ' or more' : ''}`
  const left = budget - heading.length - GAP
  const texts = textsOfChange(change, left)
  const { description, list, patches, legend, note, missing } = texts
  const rest = isWholePullRequest(changes) ? describeRest(changes, change, texts, left) : undefined
  const omissions = isAllThere(missing) ? [] : [{ kind: 'changes', missing, most: BUDGETS.changes } as const]
  const parts = [
    partOf({ kind: 'files', ...changes }, joined('\n\n', heading, list), {
      omissions: goesOn ? [PAST_BUDGET] : [],
    }),
    partOf({ kind: 'patches', ...changes }, patches, {
      note: joined(' ', legend, note, goesOn ? LISTS_NO_MORE : ''),
      omissions,
      rest,
    }),
  ]
  return { description, parts }
}

const GAP = 2
const LISTS_NO_MORE = 'GitHub lists no more files: the changes of any others are left out.'

/** A later command reads the whole changes, and can tell what of them went before: not of a push, or of an increment. */
const isWholePullRequest = (changes: ChangesOf): boolean =>
  changes.of === 'pull request' && changes.since === ''

const REST = 'Changed lines that an earlier message left out.'

/** For a later message. @param before the budget of the texts */
function describeRest(
  changes: ChangesOf,
  change: Change,
  texts: ChangeTexts,
  before: number,
): RestOfChanges | undefined {
  if (texts.missing.lines === 0) return undefined
  const most = BUDGETS.restOfChanges
  const { text, lines } = restOfChange(change, texts, before, most)
  if (text === '') return undefined
  const lacks =
    lines === 0
      ? { note: REST }
      : {
          note: `${REST} Left out again: ${count(lines, 'changed line')}.`,
          omissions: [{ kind: 'rest-of-changes', lines, most } as const],
        }
  // Neither holds numbers of lines, so a rebase and a merge of the base leave it as it is.
  const digest = digestOfText(JSON.stringify([texts.patches, text, lines]))
  return { digest, part: partOf({ kind: 'patches', ...changes }, text, lacks) }
}
