import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'
import { id, object, text } from '../json.ts'
import { type Marker, type MarkerScope, readMarker } from '../marker.ts'

/** A request whose job is known and whose end nobody has reported. */
export interface OpenRequest {
  readonly thread: number
  readonly marker: Marker
}

/** Whether a sweep may take the request up: its job is known, and no run waits for it any more (contract 8.1). */
export function isUncollected({ state, job, until }: Marker, now: number): boolean {
  if (job === '') return false
  return state === 'parted' || (state === 'open' && until * 1000 <= now)
}

/**
 * Reads the repository's issue comments updated since then, a hundred a request, and keeps the newest marker of each
 * request: one whose end was reported after all is newer than the comment that says it is open.
 * @throws what octokit throws
 */
export async function openRequests(
  github: GitHub,
  scope: Omit<MarkerScope, 'thread'>,
  since: number,
  now: number,
): Promise<readonly OpenRequest[]> {
  const newest = new Map<string, OpenRequest>()
  const pages = github.paginate.iterator('GET /repos/{owner}/{repo}/issues/comments', {
    ...repositoryParts(scope.repository),
    since: new Date(since).toISOString(),
    per_page: 100,
  })
  for await (const { data } of pages) {
    for (const request of data.flatMap((comment) => requestOf(comment, scope))) {
      const key = `${request.thread}:${request.marker.key}`
      const known = newest.get(key)
      if (known === undefined || known.marker.at < request.marker.at) newest.set(key, request)
    }
  }
  return [...newest.values()].filter(({ marker }) => isUncollected(marker, now))
}

function requestOf(comment: unknown, scope: Omit<MarkerScope, 'thread'>): OpenRequest[] {
  const { body, issue_url } = object(comment)
  const thread = id(Number(/\/(\d+)$/.exec(text(issue_url))?.[1]))
  if (thread === undefined) return []
  const marker = readMarker(text(body).replaceAll('\r\n', '\n'), { ...scope, thread })
  return marker === undefined || marker.state === 'refusal' || marker.state === 'pointer'
    ? []
    : [{ thread, marker }]
}
