import { json } from '../../http.ts'
import { type Handler, type Route, route } from '../../router.ts'
import { type Site, visitorsPage } from '../visitors.ts'
import { cursorAt, cursorPage, offsetOf } from './cursor.ts'
import { BadQuery, type Query, queryOf } from './query.ts'
import { type Readers, rowsIn, STATUSES } from './readers.ts'

interface Parts {
  readonly seed: number
  readonly now: () => number
  readonly site: () => Site
  readonly readers: () => Readers
}

type Endpoint = (query: Query, parts: Parts) => object

/** What the action asks for of `GET /v1/analytics/{project}/…`. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  visitors(query, { seed, site }) {
    const wanted = { ...query.period(), limit: query.limit(50, 250), offset: query.offset() }
    return visitorsPage(site(), seed, wanted)
  },

  feedback(query, { seed, readers }) {
    const wanted = query.value('status', (given) => given.split(',')) ?? STATUSES
    if (!wanted.every((status) => STATUSES.some((known) => known === status)))
      throw new BadQuery('status is invalid')
    const all = rowsIn(readers(), seed, query.period()).feedback()
    const rows = all.filter(({ status }) => wanted.some((one) => one === status))
    const { rows: feedback, ...more } = pageOf(rows, query, readers(), 50, 100)
    return { feedback, ...more }
  },

  assistant(query, { seed, readers }) {
    const all = rowsIn(readers(), seed, query.period()).conversations()
    const { rows: conversations, ...more } = pageOf(all, query, readers(), 100, 1000)
    return { conversations, ...more }
  },

  /** There is no `hasMore`: the cursor alone tells. */
  searches(query, { seed, readers }) {
    const all = rowsIn(readers(), seed, query.period()).searches()
    const { rows: searches, nextCursor, hasMore } = pageOf(all, query, readers(), 50, 100)
    const totalSearches = all.reduce((sum, { hits }) => sum + hits, 0)
    return { searches, totalSearches, nextCursor: hasMore ? (nextCursor ?? cursorAt(0)) : null }
  },
}

const pageOf = <T>(all: readonly T[], query: Query, readers: Readers, usual: number, most: number) =>
  cursorPage(all, query.value('cursor', offsetOf), query.limit(usual, most), readers.paging ?? 'plain')

/** `guard` checks the project and the limit that all these requests share. */
export const analyticsRoutes = (parts: Parts, guard: (handler: Handler) => Handler): Route[] =>
  Object.entries(ENDPOINTS).map(([path, answer]) =>
    route(
      'GET',
      `/v1/analytics/:project/${path}`,
      guard(({ query }) => {
        try {
          return json(200, answer(queryOf(query, parts.now()), parts))
        } catch (error) {
          if (!(error instanceof BadQuery)) throw error
          return json(400, { error: 'Invalid query parameters', details: [{ message: error.message }] })
        }
      }),
    ),
  )
