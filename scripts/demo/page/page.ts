import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { StartedCheck } from '../../../emulator/github/checks.ts'
import type {
  ChangedFile,
  Comment,
  Commit,
  Issue,
  ReactionContent,
  Repository,
} from '../../../emulator/github/model.ts'
import { clockTime, isShown, type Line, type Run, type Story } from '../story.ts'
import { emojiUrl, toHtml } from './markdown.ts'

const packaged = createRequire(import.meta.url)
/** The page goes to other machines as one file, so it holds what draws its charts. */
const mermaid = () => html`<script>${new Html(
  readFileSync(packaged.resolve('@mermaid-js/tiny'), 'utf8').replaceAll('</script', '<\\/script'),
)}</script>
  <script>
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default'
    mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, theme })
    mermaid.run({ querySelector: 'code.language-mermaid', suppressErrors: true })
  </script>`
const styles = () =>
  [packaged.resolve('github-markdown-css'), new URL('page.css', import.meta.url)]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

/** HTML; every other value that goes into a template is text. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Value = Html | string | number | readonly Html[]

function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(asHtml)))
}

function asHtml(value: Value): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

const EMOJI: Readonly<Record<ReactionContent, string>> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  confused: '😕',
  heart: '❤️',
  hooray: '🎉',
  rocket: '🚀',
  eyes: '👀',
}

/** A story, and what its anchors begin with. */
interface Place {
  readonly story: Story
  readonly prefix: string
}

/** Writes one page with all stories into a folder. @returns its address */
export function writePage(stories: readonly Story[], folder: string): string {
  const file = join(folder, 'demo.html')
  const places = stories.map((story, at) => ({ story, prefix: `${at + 1}` }))
  const told = places.map(storyHtml)
  const page = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>The docs agent, played</title>
  <style>${new Html(styles())}</style>
</head>
<body class="markdown-body">
  <h1>The docs agent, played</h1>
  <p>People comment, push and merge, and the action does what it does in a workflow.
    <b>GitHub and Mintlify are emulated</b>: no request reaches them, the docs are made up, and so is the clock.</p>
  <nav><ol>${places.map(({ story, prefix }) => html`<li><a href="#${prefix}">${story.title}</a></li>`)}</ol></nav>
  ${told}
  ${told.some(({ text }) => text.includes('language-mermaid')) ? mermaid() : ''}
</body>
</html>
`
  writeFileSync(file, page.text)
  return pathToFileURL(file).href
}

/** Its threads, each run beside what caused it; a story without a thread is the summaries of its runs. */
function storyHtml(place: Place): Html {
  const { story, prefix } = place
  const { github, settings } = story.emulator
  const names = new Set([settings.repository, settings.docsRepository])
  const threads = [...names]
    .map((name) => github.repo(name))
    .flatMap((repository) => [...repository.issues.values()].map((issue) => ({ repository, issue })))
    .filter(({ issue }) => isShown(story, issue))
    .sort((a, b) => Date.parse(a.issue.createdAt) - Date.parse(b.issue.createdAt))
  const alone = story.runs.filter(({ thread }) => thread === 0)
  return html`<section id="${prefix}"><h2>${story.title}</h2><p>${rendered(place, story.about, false)}</p>
  ${threads.map(({ repository, issue }) => threadHtml(place, repository, issue))}
  ${alone.map((run) => summaryHtml(place, run))}</section>`
}

/** What a thread shows, by its time; of the same second by its rank. */
interface Entry {
  readonly at: number
  readonly rank: 0 | 1 | 2
  readonly content: Html
}

function threadHtml(place: Place, repository: Repository, issue: Issue): Html {
  const { emulator, lines, runs, said } = place.story
  const { number, title } = issue
  const isOurs = (one: { readonly thread: number }) => one.thread === number
  const comments = emulator.github.comments(number, repository.name)
  const posts = [issue, ...comments]
  const isAsItWas = ({ id, body }: Comment) => comments.some((one) => one.id === id && one.body === body)
  const earlier = said.filter((one) => one.issue === number && !isAsItWas(one))
  const told = lines.filter(isOurs)
  const seen = new Set(told.map(({ commit }) => commit?.sha))
  const commits = (repository.pulls.get(number)?.commits ?? []).filter(({ sha }) => !seen.has(sha))
  const all = [...commits, ...told.flatMap(({ commit }) => commit ?? [])]
  const now = emulator.settings.now()
  const entries: Entry[] = [
    // What the action wrote stands where it wrote that, and so does what it said before it edited or deleted that.
    ...posts.map((post) => {
      const isOfAction = post.user.login === emulator.settings.tokenLogin
      const at = Date.parse('id' in post && isOfAction ? post.updatedAt : post.createdAt)
      return { at, rank: isOfAction ? (2 as const) : (0 as const), content: postHtml(place, post) }
    }),
    ...earlier.map((post) => {
      const isGone = comments.every(({ id }) => id !== post.id)
      const content = postHtml(place, post, isGone ? ', later deleted' : ', later edited')
      return { at: Date.parse(post.updatedAt), rank: 2 as const, content }
    }),
    ...commits.map((commit) => {
      const text = `${shortName(commit.author?.login ?? '')} pushed`
      const line = { thread: number, at: Date.parse(commit.at), text, commit }
      return { at: line.at, rank: 0 as const, content: lineHtml(line, repository, now) }
    }),
    ...told.map((line) => ({
      at: second(line.at),
      rank: 0 as const,
      content: lineHtml(line, repository, now),
    })),
    ...runs
      .filter(isOurs)
      .map((run) => ({ at: second(run.at), rank: 1 as const, content: runHtml(place, run) })),
    ...all.flatMap((commit) => statusesOf(repository, commit, now)),
  ]
  entries.sort((a, b) => a.at - b.at || a.rank - b.rank)
  return html`<section id="${place.prefix}/${number}" class="thread"><h3>${title} <span class="muted">${repository.name}#${number}</span></h3>${entries.map(({ content }) => content)}</section>`
}

/** GitHub writes times to the second. */
const second = (at: number): number => Math.floor(at / 1000) * 1000

const shortName = (login: string): string => login.replace(/\[bot\]$/, '')

function lineHtml({ at, text, commit }: Line, repository: Repository, now: number): Html {
  const line = html`<p class="line">${text} <span class="muted">${clockTime(at)}</span></p>`
  return commit === undefined ? line : html`${line}${commitHtml(repository, commit, now)}`
}

const minutes = (ms: number): string =>
  ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`

/** Open where a person has to do something. */
function runHtml(place: Place, run: Run): Html {
  const { outcome = '', reason = '', findings } = run.outputs
  const codes = [outcome, reason].filter((code) => code !== '').map((code) => html` <code>${code}</code>`)
  const ended = findings === undefined ? codes : html` ${findings} findings`
  return html`<details class="run" ${outcome === 'error' ? 'open' : ''}><summary>${run.action === 'root' ? 'Workflow run' : `Its step ${run.action}`}, ${minutes(run.endedAt - run.at)}:${ended} <span class="muted">summary and log</span></summary>${summaryHtml(place, run)}<pre>${run.log}</pre></details>`
}

/** Inside a `details`, which a link to it opens. */
const summaryHtml = (place: Place, { id, attempt, summary }: Run): Html =>
  html`<article class="summary" id="${place.prefix}/run/${id}/${attempt}"><header>Step summary</header><div class="text">${rendered(place, summary, false)}</div></article>`

function commitHtml(repository: Repository, commit: Commit, now: number): Html {
  const checks = checksOf(repository, commit, now).map(
    ({ name, sign }) => html`<span class="${COLOURS[sign]}">${sign} ${name}</span>`,
  )
  return html`<article class="commit"><header>Commit <code>${commit.sha.slice(0, 7)}</code> ${checks}</header>${commit.files.map(diff)}</article>`
}

/** A commit's checks, as they stand now: `✓ build`, `✗ links`. */
function checksOf(repository: Repository, { sha }: Commit, now: number) {
  const runs = (repository.checks.get(sha) ?? []).filter(({ kind }) => kind !== 'status')
  const newest = new Map(runs.map((check) => [check.name, check]))
  return [...newest.values()].map((check) => ({ name: check.name, sign: signOf(check, now) }))
}

/** What was said of a commit, one after the other: `… docs: The docs agent is working`, `✓ docs: octo/app#77`. */
function statusesOf(repository: Repository, { sha }: Commit, now: number): Entry[] {
  const statuses = (repository.checks.get(sha) ?? []).filter(({ kind }) => kind === 'status')
  const fresh = statuses.filter(({ summary }, at) => statuses[at - 1]?.summary !== summary)
  return fresh.map((status) => {
    const { name, summary = '', appearsAt: at } = status
    const sign = signOf(status, now)
    const content = html`<p class="line status"><span class="${COLOURS[sign]}">${sign} ${name}</span> ${summary} <span class="muted">${clockTime(at)}</span></p>`
    return { at: second(at), rank: 1, content }
  })
}

const COLOURS = { '…': 'muted', '✓': 'success', '✗': 'failure' } as const

const signOf = ({ endsAt, conclusion = 'success' }: StartedCheck, now: number): keyof typeof COLOURS =>
  now < endsAt ? '…' : conclusion === 'success' ? '✓' : '✗'

const diff = ({ filename, additions = 0, deletions = 0, patch = '' }: ChangedFile): Html =>
  html`<details open><summary><code>${filename}</code> <span class="success">+${additions}</span> <span class="failure">−${deletions}</span></summary><pre>${patch.trimEnd().split('\n').map(diffLine)}</pre></details>`

const KINDS: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '@': 'place' }
const diffLine = (line: string): Html =>
  html`<span class="${KINDS[line.charAt(0)] ?? ''}">${line || ' '}</span>`

const hiddenSince = (post: Issue | Comment): string =>
  'minimized' in post && post.minimized !== undefined ? ', later hidden' : ''

/** @param since what became of it */
function postHtml(place: Place, post: Issue | Comment, since = hiddenSince(post)): Html {
  const { user, body, createdAt, updatedAt } = post
  const given = 'id' in post ? place.story.emulator.github.reactions('issue', post.id) : []
  const reactions = given.map(
    ({ content }) =>
      html`<span class="badge"><img class="emoji" alt="${EMOJI[content]}" src="${emojiUrl(EMOJI[content])}"></span>`,
  )
  const edited =
    'id' in post && updatedAt !== createdAt ? `, edited ${clockTime(Date.parse(updatedAt)).slice(-5)}` : ''
  return html`<article class="post ${since === '' ? '' : 'earlier'}">
  <header><b>${shortName(user.login)}</b> ${user.type === 'Bot' ? html`<span class="badge">bot</span>` : ''} <span class="muted">${'id' in post ? 'commented' : 'opened'} ${clockTime(Date.parse(createdAt))}${edited}${since}</span></header>
  <div class="text">${body === '' ? html`<em>No description.</em>` : rendered(place, body)}</div>
  ${reactions}
</article>`
}

function rendered({ story, prefix }: Place, markdown: string, breaks = true): Html {
  const { github, settings } = story.emulator
  const { repository, serverUrl } = settings
  const resolve = (path: string): string | undefined => {
    const [isRun, run, attempt = 1] = /\/actions\/runs\/(\d+)(?:\/attempts\/(\d+))?$/.exec(path) ?? []
    if (isRun) return `#${prefix}/run/${run}/${attempt}`
    const [, name = '', number = ''] = /^\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(path) ?? []
    const issue = github.repository(name)?.issues.get(Number(number))
    return issue !== undefined && isShown(story, issue) ? `#${prefix}/${number}` : undefined
  }
  return new Html(toHtml(markdown, { repository, serverUrl, resolve, breaks }))
}
