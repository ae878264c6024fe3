import type { Readers } from '../../emulator/service/analytics/readers.ts'

const TOPICS = ['fetching', 'authentication', 'webhooks', 'errors', 'pagination', 'keys', 'exports']

/** The pages of the documentation that have visitors, most visited first; further ones are made up. */
export const PAGES: readonly string[] = ['guides', 'reference', 'concepts', 'sdks'].flatMap((area) =>
  TOPICS.map((topic) => `/${area}/${topic}`),
)

const DAY_MS = 86_400_000

const COMMENTS: readonly (readonly [path: string, comment: string])[] = [
  ['/guides/fetching', 'It does not say how long fetchAll waits before it tries again.'],
  ['/guides/fetching', 'The example does not compile with version 2.4.'],
  ['/reference/webhooks', 'Which events are sent when an export fails?'],
  [
    '/guides/authentication',
    'I followed every step and still get a 401. Write to me at jane.doe@example.com.',
  ],
]

/** The same question more than once counts as so many readers. */
const QUESTIONS: readonly (readonly [page: string, query: string])[] = [
  ['/guides/fetching', 'Is there a limit on the number of retries?'],
  ['/guides/fetching', 'Is there a limit on the number of retries?'],
  ['/concepts/keys', 'How do I rotate an API key without downtime?'],
]

const SEARCHES: readonly (readonly [term: string, hits: number])[] = [
  ['retry', 41],
  ['proxy', 23],
  ['rotate key', 17],
]

/** What readers wrote and looked for in the week before, a day apart. @param until milliseconds since the epoch */
export function readersOf(until: number): Readers {
  const time = (at: number) => new Date(until - (at + 1) * DAY_MS).toISOString()
  return {
    feedback: COMMENTS.map(([path, comment], at) => ({
      id: `feedback-${at}`,
      path,
      comment,
      createdAt: time(at),
      source: 'contextual',
      status: 'pending',
      helpful: false,
    })),
    conversations: QUESTIONS.map(([page, query], at) => ({
      id: `conversation-${at}`,
      timestamp: time(at),
      query,
      response: 'I could not find this in the documentation.',
      sources: [],
      resolutionStatus: 'unanswered',
      queryCategory: null,
      pageUrl: `https://docs.example.com${page}`,
    })),
    searches: SEARCHES.map(([searchQuery, hits], at) => ({
      searchQuery,
      hits,
      ctr: 0,
      topClickedPage: null,
      lastSearchedAt: time(at),
    })),
  }
}
