import type { Marker, MarkerState } from '../core/marker.ts'
import { type Everywhere, type Marked, markedComment } from '../github/marked-comment.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'

/** A request whose job is known and whose end nobody has reported; `touched` is that of its oldest comment. */
export type OpenRequest = Marked

/** Whether a sweep may take the request up: its job is known, and no run waits for it any more (contract 8.1). */
function isUncollected({ state, job, until }: Marker, now: number): boolean {
  return job !== '' && (state === 'parted' || (state === 'open' && until * 1000 <= now))
}

/**
 * Reads the repository's issue comments updated since then, a hundred a request, and keeps the newest marker of each
 * request: one whose end was reported after all is newer than the comment that says it is open.
 * @returns those to look after, in the order in which they were asked
 * @throws what octokit throws
 */
export async function openRequests(
  github: GitHub,
  everywhere: Everywhere,
  since: number,
  now: number,
): Promise<readonly OpenRequest[]> {
  const newest = new Map<string, OpenRequest>()
  const pages = github.paginate.iterator('GET /repos/{owner}/{repo}/issues/comments', {
    ...repositoryParts(everywhere.repository),
    since: new Date(since).toISOString(),
    per_page: 100,
  })
  for await (const { data } of pages) {
    for (const request of data.flatMap((comment) => requestOf(comment, everywhere))) {
      const key = `${request.thread}:${request.marker.key}`
      newest.set(key, newer(newest.get(key), request))
    }
  }
  return [...newest.values()]
    .filter(({ marker }) => isUncollected(marker, now))
    .sort((a, b) => a.marker.from - b.marker.from)
}

function newer(known: OpenRequest | undefined, other: OpenRequest): OpenRequest {
  if (known === undefined) return other
  const { thread, marker } = known.marker.at < other.marker.at ? other : known
  return { thread, marker, touched: Math.min(known.touched, other.touched) }
}

function requestOf(comment: unknown, everywhere: Everywhere): OpenRequest[] {
  const marked = markedComment(comment, everywhere)
  return marked === undefined || NO_REQUESTS.has(marked.marker.state) ? [] : [marked]
}

const NO_REQUESTS: ReadonlySet<MarkerState> = new Set(['refusal', 'pointer'])
