import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ChangedFile, Comment, Commit, Issue, Repository } from '../../../emulator/github/model.ts'
import { checksOf, EMOJI } from '../screen.ts'
import type { Story } from '../story.ts'
import { emojiUrl, toHtml } from './markdown.ts'

const packaged = createRequire(import.meta.url)
const MERMAID = pathToFileURL(packaged.resolve('@mermaid-js/tiny'))
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

/** A story, and what its anchors begin with. */
interface Place {
  readonly story: Story
  readonly prefix: string
}

/** Writes one page with all threads, step summaries and diffs into a folder. @returns its address */
export function writePage(stories: readonly Story[], folder: string): string {
  const file = join(folder, 'demo.html')
  const sections = stories.flatMap((story, at) => sectionsOf({ story, prefix: `${at + 1}` }))
  const page = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Docs agent: the demo</title>
  <style>${new Html(styles())}</style>
  <script src="${MERMAID.href}"></script>
</head>
<body class="markdown-body">
  <nav>${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
  ${sections.map(({ id, title, content }) => html`<section id="${id}"><h2>${title}</h2>${content}</section>`)}
  <script>
    const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'default'
    mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, theme })
    mermaid.run({ querySelector: 'code.language-mermaid', suppressErrors: true })
  </script>
</body>
</html>
`
  writeFileSync(file, page.text)
  return pathToFileURL(file).href
}

interface Section {
  readonly id: string
  readonly title: string
  readonly content: readonly Html[]
}

/** Its threads and pull requests, then the summaries of its runs. */
function sectionsOf(place: Place): Section[] {
  const { github, settings } = place.story.emulator
  const names = [...new Set([settings.repository, settings.docsRepository])]
  const threads = names.flatMap((name) => {
    const repository = github.repository(name)
    if (repository === undefined) return []
    const issues = [...repository.issues.values()].sort((a, b) => a.number - b.number)
    return issues.map((issue) => threadOf(place, repository, issue))
  })
  const summaries = place.story.runs
    .filter(({ summary }) => summary !== '')
    .map(({ id, title, summary }) => ({
      id: `${place.prefix}/run/${id}`,
      title,
      content: [
        html`<article class="summary"><header>Step summary</header><div class="text">${rendered(place, settings.repository, summary, false)}</div></article>`,
      ],
    }))
  return [...threads, ...summaries]
}

function threadOf(place: Place, repository: Repository, issue: Issue): Section {
  const { name } = repository
  const { emulator } = place.story
  const posts = [issue, ...emulator.github.comments(issue.number, name)]
  const commits = repository.pulls.get(issue.number)?.commits ?? []
  return {
    id: `${place.prefix}/${name}/${issue.number}`,
    title: `${issue.title} ${name}#${issue.number}`,
    content: [
      ...posts.map((post) => postHtml(place, name, post)),
      ...commits.map((commit) => commitHtml(repository, commit, emulator.settings.now())),
    ],
  }
}

function commitHtml(repository: Repository, commit: Commit, now: number): Html {
  const checks = checksOf(repository, commit, now).map(
    ({ name, sign }) => html`<span class="${sign === '✓' ? 'success' : 'failure'}">${sign} ${name}</span>`,
  )
  return html`<article class="commit"><header>Commit <code>${commit.sha.slice(0, 7)}</code> ${checks}</header>${commit.files.map(diff)}</article>`
}

const diff = ({ filename, additions = 0, deletions = 0, patch = '' }: ChangedFile): Html =>
  html`<details open><summary><code>${filename}</code> <span class="success">+${additions}</span> <span class="failure">−${deletions}</span></summary><pre>${patch.trimEnd().split('\n').map(diffLine)}</pre></details>`

const KINDS: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', '@': 'place' }
const diffLine = (line: string): Html =>
  html`<span class="${KINDS[line.charAt(0)] ?? ''}">${line || ' '}</span>`

function postHtml(place: Place, repository: string, post: Issue | Comment): Html {
  const { user, body, createdAt } = post
  const given = 'id' in post ? place.story.emulator.github.reactions('issue', post.id, repository) : []
  const reactions = given.map(
    ({ content }) =>
      html`<span class="badge"><img class="emoji" alt="${EMOJI[content]}" src="${emojiUrl(EMOJI[content])}"></span>`,
  )
  const at = new Date(createdAt).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return html`<article class="post">
  <header><b>${user.login.replace(/\[bot\]$/, '')}</b> ${user.type === 'Bot' ? html`<span class="badge">bot</span>` : ''} ${'id' in post ? 'commented' : 'opened'} at ${at}</header>
  <div class="text">${body === '' ? html`<em>No description.</em>` : rendered(place, repository, body)}</div>
  ${reactions}
</article>`
}

function rendered({ story, prefix }: Place, repository: string, markdown: string, breaks = true): Html {
  const { github, settings } = story.emulator
  const resolve = (path: string): string | undefined => {
    const run = /^\/[^/]+\/[^/]+\/actions\/runs\/(\d+)/.exec(path)?.[1]
    if (run !== undefined) return `#${prefix}/run/${run}`
    const [, name = '', number = ''] = /^\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(path) ?? []
    return github.repository(name)?.issues.has(Number(number)) ? `#${prefix}/${name}/${number}` : undefined
  }
  return new Html(toHtml(markdown, { repository, serverUrl: settings.serverUrl, resolve, breaks }))
}
