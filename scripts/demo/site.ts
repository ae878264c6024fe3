import type { Readers } from '../../emulator/service/analytics/readers.ts'

const TOPICS = ['fetching', 'authentication', 'webhooks', 'errors', 'pagination', 'keys', 'exports']

/** The pages of the documentation that have visitors, most visited first; further ones are made up. */
export const PAGES: readonly string[] = ['guides', 'reference', 'concepts', 'sdks'].flatMap((area) =>
  TOPICS.map((topic) => `/${area}/${topic}`),
)

const DAY_MS = 86_400_000

/** What readers write and look for, each with the week of the refresh in which the agent answers it. */
const COMMENTS: readonly (readonly [week: number, path: string, comment: string])[] = [
  [1, '/guides/fetching', 'It does not say how long fetchAll waits before it tries again.'],
  [1, '/guides/fetching', 'What does the option `retry` take?'],
  [2, '/reference/webhooks', 'Which events are sent when an export fails?'],
  [
    3,
    '/guides/authentication',
    'I followed every step and still get a 401. Write to me at jane.doe@example.com.',
  ],
]

/** The same question more than once counts as so many readers. */
const QUESTIONS: readonly (readonly [week: number, page: string, query: string])[] = [
  [1, '/guides/fetching', 'Is there a limit on the number of retries?'],
  [1, '/guides/fetching', 'Is there a limit on the number of retries?'],
  [2, '/concepts/keys', 'How do I rotate an API key without downtime?'],
]

const SEARCHES: readonly (readonly [week: number, term: string, hits: number])[] = [
  [1, 'retry', 41],
  [3, 'proxy', 23],
  [2, 'rotate key', 17],
]

/**
 * What readers missed in the seven days before a time, a day apart.
 * @param until milliseconds since the epoch
 * @param week what an earlier one answered is missed no more
 */
export function readersOf(until: number, week = 1): Readers {
  const time = (at: number) => new Date(until - (at + 1) * DAY_MS).toISOString()
  const missed = <T extends readonly [number, ...unknown[]]>(rows: readonly T[]) =>
    rows.filter(([answered]) => answered >= week)
  return {
    feedback: missed(COMMENTS).map(([, path, comment], at) => ({
      id: `feedback-${at}`,
      path,
      comment,
      createdAt: time(at),
      source: 'contextual',
      status: 'pending',
      helpful: false,
    })),
    conversations: missed(QUESTIONS).map(([, page, query], at) => ({
      id: `conversation-${at}`,
      timestamp: time(at),
      query,
      response: 'I could not find this in the documentation.',
      sources: [],
      resolutionStatus: 'unanswered',
      queryCategory: null,
      pageUrl: `https://docs.example.com${page}`,
    })),
    searches: missed(SEARCHES).map(([, searchQuery, hits], at) => ({
      searchQuery,
      hits,
      ctr: 0,
      topClickedPage: null,
      lastSearchedAt: time(at),
    })),
  }
}
