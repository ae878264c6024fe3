import { type EmulatedRequest, type EmulatedResponse, json } from '../http.ts'

interface Sizes {
  readonly usual: number
  readonly most: number
}

const SIZES: Sizes = { usual: 30, most: 100 }

/** One page of a list with the `Link` header that GitHub would send for it. Only what the page shows is made. */
export function paged<T>(
  request: EmulatedRequest,
  all: readonly T[],
  base: string,
  show: (item: T) => unknown = (item) => item,
): EmulatedResponse {
  const { items, headers } = pageOf(request, all, base)
  return json(200, items.map(show), headers)
}

export function pageOf<T>(
  request: EmulatedRequest,
  all: readonly T[],
  base: string,
  { usual, most }: Sizes = SIZES,
): { readonly items: readonly T[]; readonly page: number; readonly headers: Record<string, string> } {
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
    return `${base}${request.path}?${query}`
  }
}

function clamp(given: string | null, missing: number, most: number): number {
  const value = Number(given)
  return given !== null && Number.isInteger(value) && value >= 1 ? Math.min(value, most) : missing
}
