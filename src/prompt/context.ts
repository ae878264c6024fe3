import { withoutInvisible } from '../base/invisible.ts'
import { fullName } from '../base/link.ts'
import { count, grouped, joined } from '../base/text.ts'
import { describeCommentedLines, type PullRequest } from '../event/objects.ts'
import type { BodySource, Push, Runner, Subject, Trigger } from '../event/trigger.ts'
import type { ChangedFile, Comparison } from '../github/answers.ts'
import type { GitHub } from '../github/github.ts'
import { CONTEXT_MS } from '../github/patience.ts'
import type { FailureWarnings, Omission } from '../words/side-tasks.ts'

export const CONTEXT_BUDGET = 20_000

/** A text for the agent, and what people hear that it lacks, once it goes out. */
export interface Excerpt {
  readonly text: string
  readonly omissions: readonly Omission[]
}

/** What triggered the run has more than fits. */
export const PAST_BUDGET: Omission = { kind: 'context', most: CONTEXT_BUDGET }

/** Files are listed a hundred a page; more than this many would fill the budget with names alone. */
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
): Promise<Excerpt> {
  const { subject, push, release } = trigger
  if (subject?.isPullRequest === true) {
    const [described, changed] = await Promise.all([
      describeSubject(deps, subject),
      changes ?? readPullRequestChanges(deps, subject, MAX_FILES, CONTEXT_MS),
    ])
    return withinBudget([...described, ...describeHunk(trigger), ...describeChanges(subject, changed)])
  }
  if (subject !== undefined) return withinBudget(await describeSubject(deps, subject))
  if (push !== undefined) return withinBudget(describePush(push, pushed, run))
  if (release !== undefined) {
    const { id, name, tag, url, body } = release
    // A release needs no name: GitHub then shows its tag.
    const title = `Release: ${name === '' ? tag : `${name} (${tag})`}`
    return withinBudget([title, url, await renderedBody(deps, { kind: 'release', id }, body)])
  }
  return withinBudget([])
}

async function describeSubject(deps: RenderDeps, subject: Subject): Promise<string[]> {
  const { isPullRequest, number, title, url, body } = subject
  const kind = isPullRequest ? 'Pull request' : 'Issue'
  const source: BodySource = { kind: isPullRequest ? 'pull' : 'issue', number }
  return [`${kind} #${number}: ${title}`, url, await renderedBody(deps, source, body)]
}

const MOVED: Excerpt = {
  text: '[The pull request has other commits than at the event: its files and patches are left out.]',
  omissions: [{ kind: 'moved' }],
}
const UNREAD_COMMITS = '[The commits of the push could not be read, and are left out.]'
const UNREAD_FILES = '[The changed files could not be read, and are left out.]'
const UNKNOWN_HEAD = '[The commit of the pull request could not be read: its files and patches are left out.]'

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
function describeChanges(subject: Subject, { files: all, pull }: PullRequestChanges): Part[] {
  const { headSha } = subject
  const files = all?.slice(0, MAX_FILES)
  const { base, head } = subject.base === '' ? (pull ?? subject) : subject
  const branches = base === '' ? '' : `Base: ${base}, head: ${head}`
  const described = describeFiles(files, MAX_FILES, pull?.changedFiles)
  if (headSha !== '') {
    if (pull === undefined) return [branches, UNKNOWN_HEAD]
    return [branches, ...(pull.headSha === headSha ? described : [MOVED])]
  }
  // The event of a comment names no commit, so the prompt does.
  const isKnown = files !== undefined && pull !== undefined && pull.headSha !== ''
  const source = isKnown ? `Files of ${pull.headSha.slice(0, 7)}, the head when this run began:` : ''
  return [branches, source, ...described]
}

/**
 * What a pull request brings since an earlier head of it.
 * @param files those of the comparison that the pull request changes @param others how many more files it has
 */
export function describeIncrement(
  { number, title, url }: Subject,
  before: string,
  { commits }: Comparison,
  files: readonly ChangedFile[],
  others: number,
): Excerpt {
  const heading = `Pull request #${number}: ${title}\n${url}`
  const since = `What it changes since ${before.slice(0, 7)}, which you know:`
  // Those of a merge of the base branch are none of its own.
  const subjects = others > 0 ? '' : describeCommits(commits)
  const note =
    others > 0
      ? `[${count(others, 'other file')} changed since then: of its base branch, or not changed by it any more.]`
      : ''
  return withinBudget([heading, since, subjects, ...describeFiles(files, MAX_COMPARED_FILES), note])
}

/** The place that a review comment is about; nothing for everything else. */
export function describeHunk({ comment }: Trigger): string[] {
  if (comment?.kind !== 'review') return []
  return [`The request is about ${comment.path}${describeCommentedLines(comment.lines)}:`, comment.hunk]
}

const MAX_COMMITS = 50

/** Their subjects, with a note about those that are not there. */
function describeCommits(commits: Comparison['commits']): Excerpt {
  const shown = commits.slice(0, MAX_COMMITS).map(({ subject }) => `- ${subject}`)
  const omitted = commits.length - shown.length
  const note = omitted === 0 ? '' : `[${count(omitted, 'more commit')}]`
  return { text: joined('\n', ...shown, note), omissions: omitted === 0 ? [] : [PAST_BUDGET] }
}

function describePush(
  push: Push,
  comparison: Comparison | undefined,
  { serverUrl, repository }: Runner,
): Part[] {
  const { before, after, ref } = push
  const head = `Push to ${ref.replace(/^refs\/heads\//, '')}`
  if (comparison === undefined) return push.change === 'updated' ? [head, UNREAD_COMMITS] : [head]
  const { commits, files } = comparison
  const url = `${serverUrl}/${fullName(repository)}/compare/${before}...${after}`
  const described = files === undefined ? [] : describeFiles(files, MAX_COMPARED_FILES)
  return [head, url, describeCommits(commits), ...described]
}

/** A list of the changed files, then each patch. @param most that a list can hold @param total how many there are */
export function describeFiles(
  files: readonly ChangedFile[] | undefined,
  most: number,
  total?: number,
): readonly [list: Excerpt, ...patches: string[]] {
  // A warning says so already.
  if (files === undefined) return [{ text: UNREAD_FILES, omissions: [] }]
  const names = files.map(({ status, earlierPath, path, additions, deletions }) => {
    const from = earlierPath === '' ? '' : `${earlierPath} → `
    return `${status} ${from}${path} (+${additions} -${deletions})`
  })
  const listed = names.length
  let of = total === undefined && listed >= most ? ' or more' : ''
  if (total !== undefined && total > listed) of = ` of ${grouped(total)}`
  const text = joined('\n\n', `Changed files: ${grouped(listed)}${of}`, names.join('\n'))
  const list = { text, omissions: of === '' ? [] : [PAST_BUDGET] }
  const patched = files.filter(({ patch }) => patch !== '')
  return [list, ...patched.map(({ path, patch }) => `--- ${path}\n${patch}`)]
}

type Part = string | Excerpt

const textIn = (part: Part): string => (typeof part === 'string' ? part : part.text)

/** The parts as one text within the budget, and what it lacks of them, or they lack themselves. */
export function withinBudget(
  parts: readonly Part[],
  budget = CONTEXT_BUDGET,
  past: Omission = PAST_BUDGET,
): Excerpt {
  const text = joined('\n\n', ...parts.map(textIn))
  const omissions = parts.flatMap((part) => (typeof part === 'string' ? [] : part.omissions))
  const isCut = withoutInvisible(text).length > budget
  return { text: cutToBudget(text, budget), omissions: isCut ? [...omissions, past] : omissions }
}

const NOTE_ROOM = 60

/** Cut at a line, with a note. @param goesOn whether more follows that was not read */
export function cutToBudget(text: string, budget: number, goesOn = false): string {
  const whole = withoutInvisible(text)
  if (whole.length <= budget && !goesOn) return whole
  const room = Math.max(0, budget - NOTE_ROOM)
  const start = whole.slice(0, room).toWellFormed()
  // In the middle of a line where most of what fits would be lost.
  const line = start.lastIndexOf('\n')
  const cut = line > room / 2 && whole.length > room ? start.slice(0, line) : start
  return `${cut}\n[cut: ${goesOn ? 'more than ' : ''}${whole.length - cut.length} more characters]`
}

export interface RenderDeps {
  readonly github: GitHub
  readonly warnings: FailureWarnings
}

const KINDS = { issue: 'issue', pull: 'pull request', release: 'release' } as const
const EDITED = '[This text was edited after the event, and is left out.]'
const UNREAD = '[This text could not be read, and is left out.]'

/** Loads the HTML parser for the first text: `collect`, among others, has none. "eager" keeps it in the one bundle. */
export async function textOf(html: string): Promise<string> {
  const { htmlToText } = await import(/* webpackMode: "eager" */ './html-to-text.ts')
  return htmlToText(html)
}

/**
 * A body as its readers on GitHub see it, or a note in its place: never the raw text.
 * @param body the event's, which is the one that counts
 * @param html the same body rendered, where GitHub sent it along
 */
export async function renderedBody(
  { github, warnings }: RenderDeps,
  source: BodySource,
  body: string,
  html?: string,
): Promise<string> {
  if (body.trim() === '') return ''
  if (html !== undefined) return await textOf(html)
  const rendered = await warnings.warnOnFailure(`${source.kind}-text`, () => github.readBody(source))
  if (rendered === undefined) return UNREAD
  const [read, known] = [rendered.markdown, body].map((text) => text.replaceAll('\r\n', '\n'))
  if (read === known) return await textOf(rendered.html)
  warnings.omit({ kind: 'edited-text', of: KINDS[source.kind] })
  return EDITED
}

/** Markdown that is no body of GitHub, as its readers see it, or a note in its place. */
export async function renderedMarkdown({ github, warnings }: RenderDeps, markdown: string): Promise<string> {
  if (markdown.trim() === '') return ''
  const html = await warnings.warnOnFailure('markdown', () => github.renderMarkdown(markdown))
  return html === undefined ? UNREAD : await textOf(html)
}
