import { type EmulatedRequest, type EmulatedResponse, json } from '../http.ts'

/** One page of a list with the `Link` header that GitHub would send for it. Only what the page shows is made. */
export function paged<T>(
  request: EmulatedRequest,
  items: readonly T[],
  base: string,
  show: (item: T) => unknown = (item) => item,
  most = 100,
): EmulatedResponse {
  const perPage = clamp(request.query.get('per_page'), 30, most)
  const page = clamp(request.query.get('page'), 1, Number.MAX_SAFE_INTEGER)
  const last = Math.max(1, Math.ceil(items.length / perPage))
  const shown = items.slice((page - 1) * perPage, page * perPage).map((item) => show(item))
  const link = links({ prev: page > 1 ? page - 1 : 0, next: page < last ? page + 1 : 0, last, page })
  return json(200, shown, link === '' ? {} : { link })

  function links(at: { prev: number; next: number; last: number; page: number }): string {
    const parts: string[] = []
    if (at.prev) parts.push(`<${pageUrl(at.prev)}>; rel="prev"`)
    if (at.next) parts.push(`<${pageUrl(at.next)}>; rel="next"`, `<${pageUrl(at.last)}>; rel="last"`)
    if (at.prev) parts.push(`<${pageUrl(1)}>; rel="first"`)
    return parts.join(', ')
  }

  function pageUrl(number: number): string {
    const query = new URLSearchParams(request.query)
    query.set('page', String(number))
    return `${base}${request.path}?${query}`
  }
}

function clamp(given: string | null, missing: number, most: number): number {
  const value = Number(given)
  return given !== null && Number.isInteger(value) && value >= 1 ? Math.min(value, most) : missing
}
