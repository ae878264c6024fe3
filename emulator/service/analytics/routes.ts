import { type Handler, type Route, route } from '../../router.ts'
import type { Site } from '../visitors.ts'
import { assistant } from './assistant.ts'
import { feedback } from './feedback.ts'
import { checked, type Query } from './query.ts'
import type { Audience } from './readers.ts'
import { searches } from './searches.ts'
import { traffic } from './traffic.ts'

/** `guard` checks the project and the limit that all these requests share. */
export function analyticsRoutes(
  parts: Audience & { readonly now: () => number; readonly site: () => Site },
  guard: (handler: Handler) => Handler,
): Route[] {
  const { seed, now, site } = parts
  const { list, byPage } = feedback(parts)
  const endpoints: Readonly<Record<string, (query: Query) => () => unknown>> = {
    visitors: traffic('visitors', seed, site),
    views: traffic('views', seed, site),
    feedback: list,
    'feedback/by-page': byPage,
    assistant: assistant(parts),
    searches: searches(parts),
  }
  return Object.entries(endpoints).map(([path, read]) =>
    route(
      'GET',
      `/v1/analytics/:project/${path}`,
      guard((request) => checked(request, now(), read)),
    ),
  )
}
