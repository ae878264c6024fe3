import { fullName, type RunContext } from '../event/run-context.ts'
import type { Push, Subject, Trigger } from '../event/trigger.ts'
import type { ChangedFile, Comparison } from '../github/answers.ts'
import { withoutInvisible } from '../text.ts'
import { type RenderDeps, renderedBody } from './rendered-text.ts'

/** Characters of context in all (contract 4.2). */
export const CONTEXT_BUDGET = 20_000
/** Files are listed a hundred a page; more than this many would fill the budget with names alone. */
const MAX_FILES = 300

/**
 * Describes what triggered the run, for the prompt of a new job; '' when there is nothing to say.
 * @param pushed before against after, of a push; undefined where that is not known
 */
export async function readContext(
  deps: RenderDeps,
  trigger: Trigger,
  run: RunContext,
  pushed?: Comparison,
): Promise<string> {
  const { subject, push, release } = trigger
  if (subject?.isPullRequest === true) {
    const [described, branches, files] = await Promise.all([
      describeSubject(deps, subject),
      describeBranches(deps, subject),
      describeFilesOf(deps, subject.number, MAX_FILES),
    ])
    return withinBudget([...described, ...describeHunk(trigger), ...branches, ...files])
  }
  if (subject !== undefined) return withinBudget(await describeSubject(deps, subject))
  if (push !== undefined) return withinBudget(describePush(push, pushed, run))
  if (release !== undefined) {
    const { id, name, tag, url, body } = release
    // A release needs no name: GitHub then shows its tag.
    const title = `Release: ${name === '' ? tag : `${name} (${tag})`}`
    return withinBudget([title, url, await renderedBody(deps, { kind: 'release', id }, body)])
  }
  return ''
}

/** For a follow-up: the place that a review comment is about; '' for everything else. */
export const reviewPlace = (trigger: Trigger): string => withinBudget(describeHunk(trigger))

async function describeSubject(deps: RenderDeps, subject: Subject): Promise<string[]> {
  const { isPullRequest, number, title, url, body } = subject
  const kind = isPullRequest ? 'Pull request' : 'Issue'
  const source = { kind: isPullRequest ? ('pull' as const) : ('issue' as const), number }
  return [`${kind} #${number}: ${title}`, url, await renderedBody(deps, source, body)]
}

const FILES_TASK = { doing: 'read the changed files', permission: 'pull-requests: read', consequence: '' }

/** The event of a comment names neither the branches of a pull request nor its files. */
async function describeBranches({ forge, warnings }: RenderDeps, subject: Subject): Promise<string[]> {
  const read = () => forge.pullRequest({ ...forge.repository, number: subject.number })
  const pull = subject.base === '' ? await warnings.warnOnFailure(FILES_TASK, read) : subject
  return pull?.base ? [`Base: ${pull.base}, head: ${pull.head}`] : []
}

/** The changed files of a pull request: a text that lists them, then each patch. @param most to read */
export async function describeFilesOf(
  { forge, warnings }: RenderDeps,
  number: number,
  most: number,
): Promise<string[]> {
  const read = () => forge.pullRequestFiles(number, most)
  return describeFiles(await warnings.warnOnFailure(FILES_TASK, read))
}

function describeHunk({ comment }: Trigger): string[] {
  if (comment?.kind !== 'review') return []
  const line = comment.line === undefined ? '' : `, line ${comment.line}`
  return [`The comment is about ${comment.path}${line}:`, comment.hunk]
}

const MAX_COMMITS = 50

/** Before against after, so that it does not matter how many commits there were, nor of which kind. */
function describePush(
  { before, after, ref }: Push,
  comparison: Comparison | undefined,
  { serverUrl, repository }: RunContext,
): string[] {
  const head = `Push to ${ref.replace(/^refs\/heads\//, '')}`
  if (comparison === undefined) return [head]
  const { commits, files } = comparison
  const url = `${serverUrl}/${fullName(repository)}/compare/${before}...${after}`
  const subjects = commits.slice(0, MAX_COMMITS).map(({ subject }) => `- ${subject}`)
  return [head, url, ...subjects, ...describeFiles(files)]
}

function describeFiles(files: readonly ChangedFile[] | undefined): string[] {
  if (files === undefined) return []
  const names = files.map(
    ({ status, path, additions, deletions }) => `${status} ${path} (+${additions} -${deletions})`,
  )
  const list = [`Changed files: ${names.length}`, names.join('\n')].filter(Boolean).join('\n\n')
  const patched = files.filter(({ patch }) => patch !== '')
  return [list, ...patched.map(({ path, patch }) => `--- ${path}\n${patch}`)]
}

/** The parts as one text within the budget, cut at a line, with a note. */
export function withinBudget(parts: readonly string[], budget = CONTEXT_BUDGET): string {
  const whole = withoutInvisible(parts.filter(Boolean).join('\n\n'))
  if (whole.length <= budget) return whole
  const start = whole.slice(0, budget).toWellFormed()
  // In the middle of a line that is long itself, rather than to lose most of what fits.
  const line = start.lastIndexOf('\n')
  const cut = line > budget / 2 ? start.slice(0, line) : start
  return `${cut}\n[cut: ${whole.length - cut.length} more characters]`
}

/** Cut so that the note fits into the room as well. */
export const cutToFit = (text: string, room: number): string =>
  text.length <= room ? text : withinBudget([text], Math.max(0, room - 50))
