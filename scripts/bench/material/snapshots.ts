import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ChangedFile } from '../../../src/github/answers.ts'
import { isGenerated, isTest } from '../../../src/prompt/file-kinds.ts'

/** A page that people read, with the lines that a commit added to it. */
export interface Page {
  readonly lines: readonly { readonly text: string; readonly isCode: boolean }[]
}

/** A commit in which people changed code and pages together. */
export interface Commit {
  readonly title: string
  readonly description: string
  readonly code: readonly ChangedFile[]
  readonly pages: readonly Page[]
}

export interface Repository {
  readonly name: string
  readonly commits: readonly Commit[]
}

const MOST_COMMITS = 100
const MOST_FILES = 300
/** GitHub shows no patch of a longer one. */
const LONGEST_PATCH = { lines: 20_000, characters: 500_000 }
/** Of a history, so many commits are looked at. */
const LOOKED_AT = 10_000
const AT_A_TIME = 500

/** The repositories below a folder, such as `NAME/.git`, `NAME.git` or `NAME/repo`. */
export function findSnapshots(folder: string): readonly string[] {
  const isRepository = (path: string) => existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))
  const below = (path: string) =>
    statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : []
  return below(folder)
    .flatMap((path) => (isRepository(path) ? [path] : below(path).filter(isRepository).slice(0, 1)))
    .toSorted()
}

/** The newest commits, along first parents, that change code and a page that was there before. */
export function readRepository(path: string): Repository {
  const name = /^(repo|\.git)$/.test(basename(path)) ? basename(dirname(path)) : basename(path)
  const commits: Commit[] = []
  for (let skip = 0; skip < LOOKED_AT && commits.length < MOST_COMMITS; skip += AT_A_TIME) {
    const listed = listCommits(path, skip)
    if (listed.length === 0) break
    for (const one of listed) {
      if (commits.length === MOST_COMMITS) break
      const commit = isWanted(one) ? readCommit(path, one) : undefined
      if (commit !== undefined) commits.push(commit)
    }
  }
  return { name, commits }
}

interface Listed {
  readonly sha: string
  readonly title: string
  readonly description: string
  readonly files: readonly { readonly status: string; readonly path: string }[]
}

/** Without what a repository, or the person at this machine, configured. */
const git = (path: string, ...args: readonly string[]): string =>
  execFileSync(
    'git',
    ['-C', path, '-c', 'core.attributesFile=/dev/null', '-c', 'core.quotePath=false', ...args],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )

function listCommits(path: string, skip: number): readonly Listed[] {
  const range = ['--first-parent', '--diff-merges=first-parent', `--skip=${skip}`, `--max-count=${AT_A_TIME}`]
  const log = git(path, 'log', ...range, '--no-renames', '--name-status', '--format=%x1e%H%x1f%s%x1f%b%x1f')
  return log
    .split('\x1e')
    .slice(1)
    .map((entry) => {
      const [sha = '', subject = '', body = '', names = ''] = entry.split('\x1f')
      const files = names.split('\n').flatMap((line) => {
        const [status = '', path] = line.split('\t')
        return path === undefined ? [] : [{ status, path }]
      })
      // GitHub's own merge commits have the title of the pull request in their body.
      const isMerge = /^Merge (pull request|PR) #/.test(subject)
      const [first = '', ...rest] = body.trim().split('\n')
      return isMerge
        ? { sha, title: first || subject, description: rest.join('\n').trim(), files }
        : { sha, title: subject, description: body.trim(), files }
    })
}

const UNWANTED_TITLE =
  /^(merge\b|revert\b|back-?port|(chore|build|ci)?(\([^)]*\))?:? ?(release|publish|version packages|bump version|prepare)\b|(bump|cut|new|prepare)\b.*\b(release|version)|v?\d+\.\d+)/i
const PAGE = /\.(mdx?|rst|adoc)$/i
const DOCS = /(^|\/)docs?\//i
const CHANGELOG =
  /(^|[/_-])(change_?log|changes|history|news|release[-_]?notes?|releases?|whats?[-_]?new|unreleased)([/_.-]|$)|(^|\/)\.changeset\/|newsfragments/i
const TRANSLATED =
  /(^|[/._-])(zh|ja|ko|es|pt|fr|ru|de|it|uk|tr|pl|vi|fa|ar|id|hi|cn|jp)([-_](cn|tw|hans?t?|br|pt|jp|kr|es|fr))?\/|\.(zh|ja|ko|es|pt|fr|ru|de)([-_]\w+)?\.mdx?$/i
const INSTRUCTIONS = /(^|\/)(agents|claude|copilot-instructions|skill|pull_request_template|security)\.md$/i

const isDocs = (path: string): boolean => (PAGE.test(path) && !isTest(path)) || DOCS.test(path)
const isPage = (path: string): boolean =>
  (PAGE.test(path) || (DOCS.test(path) && path.endsWith('.txt'))) &&
  !isTest(path) &&
  ![CHANGELOG, TRANSLATED, INSTRUCTIONS].some((pattern) => pattern.test(path)) &&
  !isGenerated(path)

function isWanted({ title, files }: Listed): boolean {
  if (UNWANTED_TITLE.test(title) || files.length > MOST_FILES) return false
  return (
    files.some(({ status, path }) => status === 'M' && isPage(path)) &&
    files.some(({ path }) => !isDocs(path) && !CHANGELOG.test(path))
  )
}

/** Undefined where no changed line of code has a patch. */
function readCommit(repository: string, { sha, title, description }: Listed): Commit | undefined {
  const diff = git(
    repository,
    ...['diff-tree', '-p', '-M', '-U3', '--no-color', '--no-ext-diff', '--no-textconv'],
    ...['--src-prefix=a/', '--dst-prefix=b/', '--full-index', `${sha}^1`, sha],
  )
  const files = diff
    .split(/^diff --git /m)
    .slice(1)
    .map(parseFile)
  const code = files.filter(({ path }) => !isDocs(path) && !CHANGELOG.test(path))
  if (!code.some(({ patch }) => patch !== '')) return undefined
  const pages = files
    .filter(({ path, patch, status }) => isPage(path) && patch !== '' && status !== 'removed')
    .map(({ path, patch }) => ({ lines: addedLines(patch, git(repository, 'show', `${sha}:${path}`)) }))
  return { title, description, code, pages }
}

/** As GitHub lists it. */
function parseFile(diff: string): ChangedFile {
  const [header = '', ...hunks] = diff.split(/^(?=@@ )/m)
  const name = (pattern: RegExp) => pattern.exec(header)?.[1]?.replace(/^"|"$/g, '').trimEnd()
  const path =
    name(/^\+\+\+ "?b\/(.+)$/m) ??
    name(/^rename to (.+)$/m) ??
    name(/^--- "?a\/(.+)$/m) ??
    name(/ "?b\/(.+)$/m)
  const text = hunks.join('').replace(/\n$/, '')
  const lines = text.split('\n')
  const isLong = lines.length > LONGEST_PATCH.lines || text.length > LONGEST_PATCH.characters
  const earlierPath = name(/^rename from (.+)$/m) ?? ''
  let status = earlierPath === '' ? 'modified' : 'renamed'
  if (/^new file mode/m.test(header)) status = 'added'
  if (/^deleted file mode/m.test(header)) status = 'removed'
  const starting = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return {
    ...{ path: path ?? '', earlierPath, status, sha: '' },
    ...{ additions: starting('+'), deletions: starting('-'), patch: isLong ? '' : text },
  }
}

/** @param page its whole text after the commit: whether a line stands in a code block, the lines above it say */
function addedLines(patch: string, page: string): Page['lines'] {
  const isCode = codeLines(page)
  let at = 0
  return patch.split('\n').flatMap((line) => {
    const start = /^@@ -\S+ \+(\d+)/.exec(line)
    if (start !== null) at = Number(start[1]) - 1
    else if (line.startsWith('+')) return [{ text: line.slice(1), isCode: isCode[at++] === true }]
    else if (line.startsWith(' ')) at += 1
    return []
  })
}

function codeLines(page: string): readonly boolean[] {
  let fence = ''
  let indent = -1
  return page.split('\n').map((line) => {
    const [, mark = ''] = /^[\s>]*(`{3,}|~{3,}|-{4,}$)/.exec(line) ?? []
    if (fence !== '') {
      if (mark.startsWith(fence)) fence = ''
      return true
    }
    // A block of reStructuredText goes as far as its indentation.
    const depth = line.search(/\S/)
    if (indent >= 0) {
      if (depth < 0 || depth > indent) return true
      indent = -1
    }
    if (/^\s*\.\. (code|code-block|sourcecode)::|^[^.].*::$/.test(line)) indent = depth
    else if (!mark.startsWith('-')) fence = mark
    return false
  })
}
