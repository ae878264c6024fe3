import { list, object, text } from '../core/json.ts'
import type { Attempt } from '../github/attempt.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'
import type { Subject, Trigger } from './event.ts'
import { sanitize, withoutInvisible } from './sanitize.ts'

/** Characters of context in all (contract 4.2). */
const BUDGET = 20_000
/** Files are listed a hundred a page; more than this many would fill the budget with names alone. */
const MAX_FILES = 300

export interface ContextDeps {
  readonly github: GitHub
  /** What GitHub does not tell is left out of the context. */
  readonly attempt: Attempt
  readonly repository: string
  readonly serverUrl: string
}

/** Describes what set the run off, for the prompt of a new job; '' when there is nothing to say. */
export async function contextOf(
  trigger: Trigger,
  { github, attempt, repository, serverUrl }: ContextDeps,
): Promise<string> {
  const { subject, push, release, comment } = trigger
  if (subject?.isPullRequest === true) {
    const hunk = comment?.kind === 'review' ? describeHunk(trigger) : []
    const changes = await attempt('read the changed files', 'pull-requests: read', async () => [
      ...(await describeBranches(github, repository, subject)),
      ...(await changedInPullRequest(github, repository, subject.number)),
    ])
    return joined([...describeSubject(subject), ...hunk, ...(changes ?? [])])
  }
  if (subject !== undefined) return joined(describeSubject(subject))
  if (push !== undefined) {
    const changes = await attempt('compare the push', 'contents: read', () =>
      changedByPush(github, repository, push, serverUrl),
    )
    return joined(changes ?? [pushHead(push)])
  }
  if (release !== undefined) {
    const { name, tag, url, body } = release
    // A release needs no name: GitHub then shows its tag.
    return joined([`Release: ${name === '' ? tag : `${name} (${tag})`}`, url, sanitize(body)])
  }
  return ''
}

/** For a follow-up: the place that a review comment is about; '' for everything else. */
export function reviewPlace(trigger: Trigger): string {
  return trigger.comment?.kind === 'review' ? joined(describeHunk(trigger)) : ''
}

function describeSubject(subject: Subject | undefined): string[] {
  if (subject === undefined) return []
  const kind = subject.isPullRequest ? 'Pull request' : 'Issue'
  return [`${kind} #${subject.number}: ${subject.title}`, subject.url, sanitize(subject.body)]
}

/** A comment's event names a pull request's branches no more than its files; nothing else is taken from the answer. */
async function describeBranches(github: GitHub, repository: string, subject: Subject): Promise<string[]> {
  const { base, head, number } = subject
  if (base !== '') return [`Base: ${base}, head: ${head}`]
  const parameters = { ...repositoryParts(repository), pull_number: number }
  const { data } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', parameters)
  const pull = object(data)
  return [`Base: ${text(object(pull.base).ref)}, head: ${text(object(pull.head).ref)}`]
}

function describeHunk({ comment }: Trigger): string[] {
  const line = comment?.line === undefined ? '' : `, line ${comment.line}`
  return [`The comment is about ${comment?.path ?? ''}${line}:`, comment?.hunk ?? '']
}

async function changedInPullRequest(
  github: GitHub,
  repository: string,
  pull_number: number,
): Promise<string[]> {
  const files: unknown[] = []
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'
  const parameters = { ...repositoryParts(repository), pull_number, per_page: 100 }
  for await (const page of github.paginate.iterator(route, parameters)) {
    files.push(...page.data)
    if (files.length >= MAX_FILES) break
  }
  return describeFiles(files)
}

const pushHead = (push: NonNullable<Trigger['push']>): string =>
  `Push to ${push.ref.replace(/^refs\/heads\//, '')}`

/** Before against after, so that it does not matter how many commits there were, nor of which kind. */
async function changedByPush(
  github: GitHub,
  repository: string,
  push: NonNullable<Trigger['push']>,
  serverUrl: string,
): Promise<string[]> {
  const head = pushHead(push)
  // A new branch has nothing before it.
  if (/^0+$/.test(push.before) || /^0+$/.test(push.after)) return [head]
  const basehead = `${push.before}...${push.after}`
  const { data } = await github.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
    ...repositoryParts(repository),
    basehead,
  })
  const { files, commits } = object(data)
  const messages = list(commits).map(
    (commit) => text(object(object(commit).commit).message).split('\n')[0] ?? '',
  )
  const url = `${serverUrl}/${repository}/compare/${basehead}`
  return [head, url, ...messages.slice(0, 50).map((message) => `- ${message}`), ...describeFiles(list(files))]
}

/** First every file with its counts, then the patches as far as the budget goes. */
function describeFiles(files: readonly unknown[]): string[] {
  const narrowed = files.map(object)
  const names = narrowed.map(
    (file) =>
      `${text(file.status)} ${text(file.filename)} (+${Number(file.additions) || 0} -${Number(file.deletions) || 0})`,
  )
  const patches = narrowed
    .filter((file) => text(file.patch) !== '')
    .map((file) => `--- ${text(file.filename)}\n${text(file.patch)}`)
  return [`Changed files: ${names.length}`, names.join('\n'), ...patches]
}

/** The parts as one text within the budget, cut at a line. */
function joined(parts: readonly string[]): string {
  const whole = withoutInvisible(parts.filter(Boolean).join('\n\n'))
  if (whole.length <= BUDGET) return whole
  const start = whole.slice(0, BUDGET).toWellFormed()
  // At a line; in the middle of one that is long itself, rather than to lose most of what fits.
  const line = start.lastIndexOf('\n')
  const cut = line > BUDGET / 2 ? start.slice(0, line) : start
  return `${cut}\n[cut: ${whole.length - cut.length} more characters]`
}
