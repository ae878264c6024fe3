import { hash } from '../../random.ts'
import { type Site, type VisitorsPage, type VisitorsQuery, visitorsPage } from '../visitors.ts'
import type { Query } from './query.ts'

/** `visitors` and `views`: the same figures under two names, each with a seed of its own. */
export function traffic(name: 'visitors' | 'views', seed: number, site: () => Site) {
  const page = pages(name === 'views' ? hash(seed, name) : seed, site)
  return (query: Query) => {
    const wanted = { ...query.period(), limit: query.limit(50, 250), offset: query.offset() }
    return () => {
      const { totals, visitors, hasMore } = page(wanted)
      return { totals, [name]: visitors, hasMore }
    }
  }
}

/** Caches the totals of each period, so that a large site computes them only once. */
function pages(seed: number, site: () => Site): (query: VisitorsQuery) => VisitorsPage {
  let known = new Map<string, VisitorsPage['totals']>()
  let of: Site | undefined
  return (query) => {
    if (of !== site()) known = new Map()
    of = site()
    const key = `${query.from}-${query.to}`
    const page = visitorsPage(of, seed, query, known.get(key))
    known.set(key, page.totals)
    return page
  }
}
