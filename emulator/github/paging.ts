import type { Call } from './api.ts'

/** One page of a list, with the `Link` header that GitHub would send for it. */
export function pageOf<T>({ request, links }: Call, all: readonly T[], usual = 30, most = 100) {
  const perPage = clamp(request.query.get('per_page'), usual, most)
  const page = clamp(request.query.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const parts: string[] = []
  if (page > 1) parts.push(`<${pageUrl(page - 1)}>; rel="prev"`)
  if (page < last) parts.push(`<${pageUrl(page + 1)}>; rel="next"`, `<${pageUrl(last)}>; rel="last"`)
  if (page > 1) parts.push(`<${pageUrl(1)}>; rel="first"`)
  const headers: Record<string, string> = parts.length > 0 ? { link: parts.join(', ') } : {}
  return { items: all.slice((page - 1) * perPage, page * perPage), page, headers }

  function pageUrl(number: number): string {
    const query = new URLSearchParams(request.query)
    query.set('page', String(number))
    return `${links.api}${request.path}?${query}`
  }
}

function clamp(given: string | null, missing: number, most: number): number {
  const value = Number(given)
  return given !== null && Number.isInteger(value) && value >= 1 ? Math.min(value, most) : missing
}
