import type { BodySource } from '../event/trigger.ts'
import type { GitHub } from '../github/github.ts'
import type { FailureWarnings } from '../words/side-tasks.ts'
import type { VisibleText } from './html-to-text.ts'

export interface RenderDeps {
  readonly github: GitHub
  readonly warnings: FailureWarnings
}

/** A text as its readers on GitHub see it: never the raw text. */
interface Rendered extends VisibleText {
  /** Why it is not there, in words of our own; '' where it is. */
  readonly note: string
}

const shown = (text: VisibleText): Rendered => ({ ...text, note: '' })
const NOTHING: VisibleText = { text: '', pictures: 0 }
const KINDS = { issue: 'issue', pull: 'pull request', release: 'release' } as const
const EDITED = { ...NOTHING, note: 'Its words were edited after the event, and are left out.' }
const UNREAD = { ...NOTHING, note: 'Its words could not be read, and are left out.' }

/** Loads the HTML parser for the first text: `collect`, among others, has none. "eager" keeps it in the one bundle. */
export async function visibleTextOf(html: string): Promise<VisibleText> {
  const { htmlToText } = await import(/* webpackMode: "eager" */ './html-to-text.ts')
  return htmlToText(html)
}

/**
 * @param body the event's, which is the one that counts
 * @param html the same body rendered, where GitHub sent it along
 */
export async function renderedBody(
  { github, warnings }: RenderDeps,
  source: BodySource,
  body: string,
  html?: string,
): Promise<Rendered> {
  if (body.trim() === '') return shown(NOTHING)
  if (html !== undefined) return shown(await visibleTextOf(html))
  const rendered = await warnings.warnOnFailure(`${source.kind}-text`, () => github.readBody(source))
  if (rendered === undefined) return UNREAD
  const [read = '', event = ''] = [rendered.markdown, body].map((text) => text.replaceAll('\r\n', '\n'))
  const now = await visibleTextOf(rendered.html)
  if (read === event) return shown(now)
  if (holdsLines(read, event)) {
    const then = await renderedMarkdown({ github, warnings }, body)
    if (then.note !== '' || showsLines(now.text, then.text)) return then
  }
  warnings.omit({ kind: 'edited-text', of: KINDS[source.kind] })
  return EDITED
}

const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.trimEnd())

/** Somebody, such as a bot, may write above or below it: an edited line takes something back. */
function holdsLines(markdown: string, earlier: string): boolean {
  const whole = linesOf(earlier.replace(/^\s*\n/, '').trimEnd()).join('\n')
  return `\n${linesOf(markdown).join('\n')}\n`.includes(`\n${whole}\n`)
}

/** What is now in a comment, in a quotation or struck out is taken back, too. */
function showsLines(now: string, then: string): boolean {
  const shown = new Set(linesOf(now))
  // Above and below blocks that are struck out.
  if (shown.has('~~')) return false
  return linesOf(then).every((line) => shown.has(line))
}

/** Markdown that is no body of GitHub. */
export async function renderedMarkdown(
  { github, warnings }: RenderDeps,
  markdown: string,
): Promise<Rendered> {
  if (markdown.trim() === '') return shown(NOTHING)
  const html = await warnings.warnOnFailure('markdown', () => github.renderMarkdown(markdown))
  return html === undefined ? UNREAD : shown(await visibleTextOf(html))
}
