import type { ChangedFile, Comment, Issue, Repository } from '../../../emulator/github/model.ts'
import { checksOf, EMOJI } from '../screen.ts'
import type { Run, Stage, Story } from '../stage.ts'
import { emojiPath, toHtml } from './markdown.ts'

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

/** What stands behind a path: a thread or a run. */
interface Entry {
  readonly path: string
  readonly title: string
  readonly small: string
  readonly content: () => Html
}

/** A story, and where its paths begin. */
interface Place {
  readonly story: Story
  readonly prefix: string
}

/** The whole page; `/` shows what something happened on last, and at the end what began. @returns undefined where nothing stands behind the path */
export function page({ stories, verdict }: Stage, path: string): string | undefined {
  const places = stories.map((story, at): Place => ({ story, prefix: `/${at + 1}` }))
  const lists = places.map((place) => ({
    place,
    entries: [...threadsOf(place), ...place.story.runs.map(runOf(place))],
  }))
  const all = lists.flatMap(({ entries }) => entries)
  const reported = places.flatMap((place) => place.story.runs.map(threadPath(place)))
  const focus = verdict === '' ? reported[0] : reported.at(-1)
  const shown = all.find((entry) => entry.path === (path === '/' ? focus : path))
  if (shown === undefined && path !== '/') return undefined
  const status = verdict === undefined ? 'playing' : verdict === '' ? 'ended' : 'failed'
  const link = (entry: Entry) =>
    html`<a href="${entry.path}" class="${entry === shown ? 'current' : ''}">${entry.title}<small>${entry.small}</small></a>`
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Docs agent: the demo</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/markdown.css">
  <link rel="stylesheet" href="/page.css">
  <script type="module" src="/client.js"></script>
  <script defer src="/mermaid.js"></script>
</head>
<body class="markdown-body">
  <header><a href="/">Docs agent</a><span>on an emulated GitHub</span><a id="more" href="#nav">Threads and runs</a><span id="status" class="${status}" title="${verdict ?? ''}">${status}</span></header>
  <main id="main">${shown?.content() ?? ''}</main>
  <nav id="nav">${lists.map(({ place, entries }) => html`<section><h4>${place.story.title}</h4>${entries.map(link)}</section>`)}</nav>
</body>
</html>
`.text
}

/** The path of what a run reports to, or its own. */
const threadPath =
  ({ prefix }: Place) =>
  ({ id, thread }: Run): string =>
    thread === undefined ? `${prefix}/run/${id}` : `${prefix}/${thread.repository}/${thread.number}`

function threadsOf(place: Place): Entry[] {
  const { github, settings } = place.story.emulator
  return [...new Set([settings.repository, settings.docsRepository])].flatMap((name) => {
    const repository = github.repository(name)
    if (repository === undefined) return []
    return [...repository.issues.values()]
      .sort((a, b) => a.number - b.number)
      .map((issue) => ({
        path: `${place.prefix}/${name}/${issue.number}`,
        title: issue.title,
        small: `${name}#${issue.number}, ${nameOf(issue.user.login)}`,
        content: () => threadContent(place, repository, issue),
      }))
  })
}

function threadContent(place: Place, repository: Repository, issue: Issue): Html {
  const pull = repository.pulls.get(issue.number)
  const state = pull?.mergedAt ? 'merged' : issue.state
  const comments = place.story.emulator.github.comments(issue.number, repository.name)
  return html`<h2>${issue.title} <small>#${issue.number}</small></h2>
<p><span class="state ${state}">${state}</span> ${pull ? html`<code>${pull.head.ref}</code> into <code>${pull.base.ref}</code>` : 'issue'} in ${repository.name}</p>
${[issue, ...comments].map((post) => postHtml(place, repository, post))}
${pull ? commits(place, repository, pull.number) : ''}`
}

/** Each commit with its checks and its diff, oldest first. */
function commits({ story: { emulator } }: Place, repository: Repository, number: number): Html[] {
  const all = repository.pulls.get(number)?.commits ?? []
  return all.map((commit, at) => {
    const checks = checksOf(repository, commit, emulator.settings.now()).map(
      ({ name, sign }) => html`<span class="${sign === '✓' ? 'success' : 'failure'}">${sign} ${name}</span>`,
    )
    return html`<article class="commit"><header>Commit ${at + 1} <code>${commit.sha.slice(0, 7)}</code> ${checks}</header>${commit.files.map(diff)}</article>`
  })
}

const diff = ({ filename, additions = 0, deletions = 0, patch = '' }: ChangedFile): Html =>
  html`<details open><summary><code>${filename}</code> <span class="success">+${additions}</span> <span class="failure">−${deletions}</span></summary><pre>${patch.trimEnd().split('\n').map(diffLine)}</pre></details>`

const KINDS: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '@': 'place' }
const diffLine = (line: string): Html =>
  html`<span class="${KINDS[line.charAt(0)] ?? ''}">${line || ' '}</span>`

function postHtml(place: Place, repository: Repository, post: Issue | Comment): Html {
  const { user, body, createdAt } = post
  const isComment = 'id' in post
  return html`<article class="post">
  <header><b>${nameOf(user.login)}</b> ${user.type === 'Bot' ? html`<span class="badge">bot</span>` : ''} ${isComment ? 'commented' : 'opened'} at ${time(createdAt)}</header>
  <div class="text">${body === '' ? html`<em>No description.</em>` : rendered(place, repository.name, body)}</div>
  ${isComment ? reactions(place, repository.name, post.id) : ''}
  <details class="source"><summary>Source</summary><pre>${body}</pre></details>
</article>`
}

function reactions({ story }: Place, repository: string, comment: number): Html[] {
  const given = story.emulator.github.reactions('issue', comment, repository)
  return given.map(
    ({ content, user }) =>
      html`<span class="badge" title="${nameOf(user.login)}"><img class="emoji" alt="${EMOJI[content]}" src="${emojiPath(EMOJI[content])}"></span>`,
  )
}

const runOf =
  (place: Place) =>
  (run: Run): Entry => ({
    path: `${place.prefix}/run/${run.id}`,
    title: run.title,
    small: [run.event, outcomeOf(run), secondsOf(run)].filter(Boolean).join(' · '),
    content: () => runContent(place, run),
  })

function runContent(place: Place, run: Run): Html {
  const { thread, result, log } = run
  const { repository } = place.story.emulator.settings
  const link = thread
    ? html`<a href="${threadPath(place)(run)}">${thread.repository}#${thread.number}</a>`
    : ''
  const state = result === undefined ? 'running' : result.exitCode === 0 ? 'success' : 'failure'
  return html`<h2>${run.title}</h2>
<p><span class="state ${state}">${outcomeOf(run)}</span> ${run.event} ${secondsOf(run)} ${link}</p>
${result?.summary ? html`<article class="summary"><header>Step summary</header><div class="text">${rendered(place, repository, result.summary, false)}</div></article>` : ''}
<article class="log"><header>Log</header><pre>${log.join('\n') || '…'}</pre></article>`
}

function rendered({ story, prefix }: Place, repository: string, markdown: string, breaks = true): Html {
  const { github, settings } = story.emulator
  const resolve = (path: string): string | undefined => {
    const run = /^\/[^/]+\/[^/]+\/actions\/runs\/(\d+)/.exec(path)?.[1]
    if (run !== undefined)
      return story.runs.some(({ id }) => id === Number(run)) ? `${prefix}/run/${run}` : undefined
    const [, name = '', number = ''] = /^\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(path) ?? []
    return github.repository(name)?.issues.has(Number(number)) ? `${prefix}/${name}/${number}` : undefined
  }
  return new Html(toHtml(markdown, { repository, serverUrl: settings.serverUrl, resolve, breaks }))
}

function outcomeOf({ result }: Run): string {
  if (result === undefined) return 'running'
  const { outcome = '', reason = '' } = result.outputs
  return [outcome, reason].filter(Boolean).join(', ') || (result.exitCode === 0 ? 'success' : 'failure')
}

const secondsOf = ({ startedAt, endedAt }: Run): string =>
  endedAt === undefined ? '' : `${Math.round((endedAt - startedAt) / 1000)} s`

/** Bots by the name that GitHub shows. */
const nameOf = (login: string): string => login.replace(/\[bot\]$/, '')

const time = (iso: string): string =>
  new Date(iso).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
