import { type EmulatedRequest, json, text } from '../http.ts'
import { type Route, route } from '../router.ts'
import type { Api } from './api.ts'
import { invalid } from './errors.ts'
import type { Repository } from './model.ts'
import { renderMarkdown } from './render.ts'

type Form = 'raw' | 'text' | 'html' | 'full'

const MEDIA_TYPE = /application\/vnd\.github\.(?:v3\.)?(raw|text|html|full)(?:\+json)?\b/i

/** The forms of a body that `Accept` asks for. Rendering costs: nothing is rendered that is not wanted. */
export function withBody<T extends { readonly body?: string | null }>(
  { links }: Api,
  request: EmulatedRequest,
  repo: Repository,
  resource: T,
): Omit<T, 'body'> {
  const form = MEDIA_TYPE.exec(request.headers.accept ?? '')?.[1]?.toLowerCase() as Form | undefined
  if (form === undefined || form === 'raw') return resource
  const { body = null, ...rest } = resource
  const context = { repository: repo.name, serverUrl: links().web }
  const html = body === null ? null : renderMarkdown(body, context)
  const forms = { body, body_html: html, body_text: html === null ? '' : textOf(html) }
  if (form === 'full') return { ...rest, ...forms }
  return { ...rest, ...(form === 'html' ? { body_html: html } : { body_text: forms.body_text }) }
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** What of HTML is text, as far as the emulator's own rendering goes. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      return ENTITIES[name ?? ''] ?? all
    })
    .trim()
}

/** What `POST /markdown` makes of a text. With a repository in `context`, references such as `#12` become its links. */
export const markdownRoutes = ({ settings, links }: Api): Route[] => [
  route('POST', '/markdown', ({ body }) => {
    const given: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
    if (typeof given.text !== 'string') throw invalid('Markdown', 'text', 'text is missing')
    if (given.mode !== undefined && given.mode !== 'gfm' && given.mode !== 'markdown')
      return json(400, { message: 'mode is not one of markdown, gfm' })
    const repository = typeof given.context === 'string' ? given.context : settings.repository
    const context = { repository, serverUrl: links().web }
    const html = renderMarkdown(given.text, given.mode === 'gfm' ? context : undefined)
    return text(200, html, 'text/html;charset=utf-8')
  }),
]
