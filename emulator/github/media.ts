import { type EmulatedResponse, isRecord, json, text } from '../http.ts'
import { type Route, route } from '../router.ts'
import type { Api, Call } from './api.ts'
import { invalid } from './errors.ts'
import { withLinkedCode } from './linked-code.ts'
import { pageOf } from './paging.ts'
import { renderMarkdown } from './render.ts'

const WITH_HTML = /application\/vnd\.github\.(?:v3\.)?full\+json\b/i

/** A resource, with its text in the forms that `Accept` asks for. */
export const reply = (call: Call, resource: object, status = 200, headers = {}): EmulatedResponse =>
  json(status, withForms(call, resource), headers)

/** One page of a list. Only what the page shows is made. */
export function replyAll<T>(call: Call, all: readonly T[], show: (item: T) => object): EmulatedResponse {
  const { items, headers } = pageOf(call, all)
  const shown = items.map((item) => withForms(call, show(item)))
  return json(200, shown, headers)
}

/** Rendering costs: nothing is rendered that is not wanted. */
function withForms({ request, repo, links }: Call, resource: object): object {
  if (!WITH_HTML.test(request.headers.accept ?? '') || !('body' in resource)) return resource
  const { body } = resource
  const context = { repository: repo.name, serverUrl: links.web }
  const html = typeof body === 'string' ? renderMarkdown(body, context) : null
  return { ...resource, body_html: html && withLinkedCode(html, repo, links.web) }
}

/** What `POST /markdown` makes of a text. With a repository in `context`, references such as `#12` become its links. */
export const rendering = (api: Api): Route =>
  route('POST', '/markdown', ({ body }) => {
    const given = isRecord(body) ? body : {}
    if (typeof given.text !== 'string') throw invalid('Markdown', 'text', 'text is missing')
    const repository = typeof given.context === 'string' ? given.context : api.settings.repository
    const context = { repository, serverUrl: api.links.web }
    const html = renderMarkdown(given.text, given.mode === 'gfm' ? context : undefined)
    return text(200, html, 'text/html;charset=utf-8')
  })
