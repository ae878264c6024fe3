import type { Comment, Issue, PullRequest, Repository } from '../../../emulator/github/model.ts'
import { EMOJI } from '../screen.ts'
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

const NOTHING = html``

/** What stands behind a path: a thread, a run or, behind `/`, what something happened on last. */
type Shown =
  | { readonly kind: 'thread'; readonly story: Story; readonly issue: Issue; readonly repository: Repository }
  | { readonly kind: 'run'; readonly story: Story; readonly run: Run }

/** The whole page. @returns undefined where nothing stands behind the path */
export function page({ stories, verdict }: Stage, path: string): string | undefined {
  const all = stories.flatMap((story) => [...threadsOf(story), ...story.runs.map(shownRun(story))])
  const paths = new Map(all.map((shown) => [pathOf(stories, shown), shown]))
  const shown = path === '/' ? focus(stories, verdict, paths) : paths.get(path)
  if (shown === undefined && path !== '/') return undefined
  const current = shown && pathOf(stories, shown)
  const status = verdict === undefined ? 'playing' : verdict === '' ? 'ended' : 'failed'
  const list = (kind: Shown['kind']) =>
    stories.map((story) => {
      const items = all.filter((one) => one.kind === kind && one.story === story)
      const links = items.map((one) => item(one, pathOf(stories, one), current))
      return items.length === 0 ? NOTHING : html`<section><h3>${story.title}</h3>${links}</section>`
    })
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
</head>
<body class="${path === '/' ? '' : 'chosen'}">
  <header>
    <a id="home" href="/">Docs agent</a>
    <span>an emulated GitHub on this machine</span>
    <span id="status" class="${status}" title="${verdict ?? ''}">${status}</span>
  </header>
  <div id="columns">
    <nav id="threads"><h2>Threads</h2>${list('thread')}</nav>
    <main id="main">${shown === undefined ? NOTHING : content(shown, stories)}</main>
    <nav id="runs"><h2>Runs</h2>${list('run')}</nav>
  </div>
</body>
</html>
`.text
}

const shownRun = (story: Story) => (run: Run) => ({ kind: 'run', story, run }) as const

function threadsOf(story: Story): Shown[] {
  const { github, settings } = story.emulator
  return [...new Set([settings.repository, settings.docsRepository])].flatMap((name) => {
    const repository = github.repository(name)
    if (repository === undefined) return []
    const issues = [...repository.issues.values()].sort((a, b) => a.number - b.number)
    return issues.map((issue) => ({ kind: 'thread', story, issue, repository }) as const)
  })
}

function pathOf(stories: readonly Story[], shown: Shown): string {
  const place =
    shown.kind === 'run' ? `run/${shown.run.id}` : `${shown.repository.name}/${shown.issue.number}`
  return `/${stories.indexOf(shown.story) + 1}/${place}`
}

/** While the demo plays, where something happened last; once it has ended well, the thread that it begins with. */
function focus(
  stories: readonly Story[],
  verdict: string | undefined,
  paths: ReadonlyMap<string, Shown>,
): Shown | undefined {
  const runs = stories.flatMap((story) => story.runs.map((run) => ({ story, run })))
  const first = verdict === '' ? runs.find(({ run }) => run.thread !== undefined) : undefined
  const last = first ?? runs.at(-1)
  if (last === undefined) return undefined
  const { thread } = last.run
  const key = `/${stories.indexOf(last.story) + 1}/${thread?.repository}/${thread?.number}`
  return paths.get(key) ?? shownRun(last.story)(last.run)
}

function item(shown: Shown, path: string, current: string | undefined): Html {
  const attribute = path === current ? html` aria-current="page"` : NOTHING
  if (shown.kind === 'run') {
    const { title, event } = shown.run
    const small = [event, outcomeOf(shown.run), secondsOf(shown.run)].filter(Boolean).join(' · ')
    return html`<a href="${path}"${attribute}>${icon('run', stateOf(shown.run))}<span><strong>${title}</strong><small>${small}</small></span></a>`
  }
  const { issue, repository, story } = shown
  const count = story.emulator.github.comments(issue.number, repository.name).length
  const small = `${repository.name}#${issue.number} · ${plural(count, 'comment')}`
  const sign = icon(issue.isPullRequest ? 'pull' : 'issue', threadState(issue, repository))
  return html`<a href="${path}"${attribute}>${sign}<span><strong>${issue.title}</strong><small>${small}</small></span></a>`
}

const content = (shown: Shown, stories: readonly Story[]): Html =>
  shown.kind === 'run' ? runContent(shown, stories) : threadContent(shown, stories)

function threadContent(
  { story, issue, repository }: Extract<Shown, { kind: 'thread' }>,
  stories: readonly Story[],
): Html {
  const pull = repository.pulls.get(issue.number)
  const state = threadState(issue, repository)
  const comments = story.emulator.github.comments(issue.number, repository.name)
  const author = nameOf(issue.user.login)
  const posts = [issue, ...comments].map((post) => postHtml(post, { story, repository, stories }))
  const words = pull
    ? html`${author} wants to merge ${plural(pull.commits, 'commit')} into <code>${pull.base.ref}</code> from <code>${pull.head.ref}</code>`
    : html`${author} opened this issue`
  return html`<div class="title">
  <small>${repository.name}</small>
  <h1>${issue.title} <span>#${issue.number}</span></h1>
  <p><span class="state ${state}">${icon(pull ? 'pull' : 'issue', state)}${state}</span><span>${words}</span></p>
  ${pull ? files(pull) : NOTHING}
</div>${posts}`
}

const files = ({ files }: PullRequest): Html[] =>
  files.map(({ filename, additions = 0, deletions = 0, patch = '' }) => {
    const lines = patch.trimEnd().split('\n').map(diffLine)
    return html`<details class="file" open><summary><code>${filename}</code> <span class="added">+${additions}</span> <span class="gone">−${deletions}</span></summary><pre>${lines}</pre></details>`
  })

const KINDS: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '@': 'place' }
const diffLine = (line: string): Html =>
  html`<span class="line ${KINDS[line.charAt(0)] ?? ''}">${line || ' '}</span>`

interface Where {
  readonly story: Story
  readonly repository: Repository
  readonly stories: readonly Story[]
}

function postHtml(post: Issue | Comment, { story, repository, stories }: Where): Html {
  const { user, body, createdAt } = post
  const isBot = user.type === 'Bot'
  const isComment = !('number' in post)
  const login = nameOf(user.login)
  const hue = ([...login].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) * 47) % 360
  const reactions = isComment ? reactionsOf(story, repository, post.id) : []
  const text =
    body === '' ? html`<em>No description.</em>` : rendered(body, repository.name, { story, stories })
  return html`<article class="post">
  <span class="avatar ${isBot ? 'app' : ''}" style="--hue: ${hue}" aria-hidden="true">${login.slice(0, 1).toUpperCase()}</span>
  <div class="box">
    <div class="head"><strong>${login}</strong>${isBot ? html`<span class="badge">bot</span>` : NOTHING}<span>${isComment ? 'commented' : 'opened'} at ${time(createdAt)}</span></div>
    <div class="markdown-body">${text}</div>
    ${reactions.length > 0 ? html`<div class="reactions">${reactions}</div>` : NOTHING}
    <details class="source"><summary>Source</summary><pre>${body}</pre></details>
  </div>
</article>`
}

function reactionsOf({ emulator }: Story, repository: Repository, comment: number): Html[] {
  const given = emulator.github.reactions('issue', comment, repository.name)
  return [...Map.groupBy(given, ({ content }) => content)].map(([content, same]) => {
    const logins = same.map(({ user }) => nameOf(user.login)).join(', ')
    return html`<span class="reaction" title="${logins}"><img class="emoji" alt="${EMOJI[content]}" src="${emojiPath(EMOJI[content])}"> ${same.length}</span>`
  })
}

function runContent({ story, run }: Extract<Shown, { kind: 'run' }>, stories: readonly Story[]): Html {
  const { title, event, startedAt, thread, result, log } = run
  const { repository } = story.emulator.settings
  const facts = [`${event} at ${time(new Date(startedAt).toISOString())}`, secondsOf(run)].filter(Boolean)
  const link = thread
    ? html` · <a href="/${stories.indexOf(story) + 1}/${thread.repository}/${thread.number}">${thread.repository}#${thread.number}</a>`
    : NOTHING
  const summary = rendered(result?.summary ?? '', repository, { story, stories }, false)
  return html`<div class="title">
  <small>Run</small>
  <h1>${title}</h1>
  <p><span class="state ${stateOf(run)}">${icon('run', stateOf(run))}${outcomeOf(run)}</span><span>${facts.join(' · ')}${link}</span></p>
</div>${result?.summary ? html`<section class="box summary"><h2 class="head">Step summary</h2><div class="markdown-body">${summary}</div></section>` : NOTHING}
<section class="box log"><h2 class="head">Log</h2><pre>${log.join('\n') || '…'}</pre></section>`
}

function rendered(
  markdown: string,
  repository: string,
  { story, stories }: Omit<Where, 'repository'>,
  breaks = true,
): Html {
  const { github, settings } = story.emulator
  const prefix = `/${stories.indexOf(story) + 1}`
  const resolve = (path: string): string | undefined => {
    const run = /^\/[^/]+\/[^/]+\/actions\/runs\/(\d+)/.exec(path)?.[1]
    if (run !== undefined)
      return story.runs.some(({ id }) => id === Number(run)) ? `${prefix}/run/${run}` : undefined
    const [, name = '', number = ''] = /^\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(path) ?? []
    return github.repository(name)?.issues.has(Number(number)) ? `${prefix}/${name}/${number}` : undefined
  }
  return new Html(toHtml(markdown, { repository, serverUrl: settings.serverUrl, resolve, breaks }))
}

const CIRCLE = 'M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z'
const SIGNS: Readonly<Record<string, string>> = {
  issue: `${CIRCLE}M8 7a1 1 0 1 1 0 2 1 1 0 0 1 0-2z`,
  pull: 'M3.5 2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM3.5 5v6m0 0a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM12.5 11a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zm0 0V6A2.5 2.5 0 0 0 10 3.5H8M10 1.5l-2 2 2 2',
  running: 'M8 1.5a6.5 6.5 0 1 1-6.5 6.5',
  success: `${CIRCLE}M5 8.2l2.1 2.1L11 6.2`,
  failure: `${CIRCLE}M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6`,
}

const icon = (sign: 'issue' | 'pull' | 'run', state: string): Html =>
  html`<svg class="icon ${state}" viewBox="0 0 16 16" role="img" aria-label="${state}"><path d="${SIGNS[sign === 'run' ? state : sign] ?? ''}"/></svg>`

const threadState = ({ number, state }: Issue, repository: Repository): string =>
  repository.pulls.get(number)?.merged ? 'merged' : state

const stateOf = ({ result }: Run): string =>
  result === undefined ? 'running' : result.exitCode === 0 ? 'success' : 'failure'

function outcomeOf(run: Run): string {
  const { outcome = '', reason = '' } = run.result?.outputs ?? {}
  return [outcome, reason].filter(Boolean).join(', ') || stateOf(run)
}

const secondsOf = ({ startedAt, endedAt }: Run): string =>
  endedAt === undefined ? '' : `${Math.round((endedAt - startedAt) / 1000)} s`

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Bots by the name that GitHub shows. */
const nameOf = (login: string): string => login.replace(/\[bot\]$/, '')

/** The time of day, with the date where that is not today. */
function time(iso: string): string {
  const date = new Date(iso)
  const isToday = date.toDateString() === new Date().toDateString()
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const)
  return date.toLocaleString('en-GB', { ...day, hour: '2-digit', minute: '2-digit' })
}
