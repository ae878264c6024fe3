import type { BodySource } from '../event/trigger.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import { markdownTask, textTask } from '../messages/side-tasks.ts'

export interface RenderDeps {
  readonly forge: Forge
  readonly warnings: FailureWarnings
}

const sameText = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n')

const EDITED = '[This text was edited after the event, and is left out.]'
const UNREAD = '[This text could not be read, and is left out.]'

const NEEDS: Readonly<Record<BodySource['kind'], string>> = {
  issue: 'issues: read',
  pull: 'pull-requests: read',
  release: 'contents: read',
}

/** Loads the HTML parser for the first text: `collect`, among others, has none. "eager" keeps it in the one bundle. */
async function textOf(html: string): Promise<string> {
  const { htmlToText } = await import(/* webpackMode: "eager" */ './html-to-text.ts')
  return htmlToText(html)
}

/**
 * A body as its readers on the forge see it (contract 4.2), or a note in its place: never the raw text.
 * @param body the event's, which is the one that counts (3.7)
 * @param html the same body rendered, where the forge sent it along
 */
export async function renderedBody(
  { forge, warnings }: RenderDeps,
  source: BodySource,
  body: string,
  html?: string,
): Promise<string> {
  if (body.trim() === '') return ''
  if (html !== undefined) return await textOf(html)
  const rendered = await warnings.warnOnFailure(textTask(NEEDS[source.kind]), () => forge.readBody(source))
  if (rendered === undefined) return UNREAD
  return sameText(rendered.markdown, body) ? await textOf(rendered.html) : EDITED
}

/** Markdown that is no body of the forge, as its readers see it, or a note in its place. */
export async function renderedMarkdown({ forge, warnings }: RenderDeps, markdown: string): Promise<string> {
  if (markdown.trim() === '') return ''
  const html = await warnings.warnOnFailure(markdownTask, () => forge.renderMarkdown(markdown))
  return html === undefined ? UNREAD : await textOf(html)
}
