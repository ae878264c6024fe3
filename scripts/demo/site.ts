import type {
  Conversation,
  FeedbackEntry,
  Readers,
  Search,
} from '../../emulator/service/analytics/readers.ts'

/** The pages of the documentation whose readers the demo shows, most visited first, as far as they have names. */
export const PAGES: readonly string[] = [
  '/',
  '/quickstart',
  '/guides/fetching',
  '/guides/authentication',
  '/reference/webhooks',
  '/reference/errors',
  '/guides/pagination',
  '/reference/rate-limits',
  '/guides/exports',
  '/sdks/python',
  '/sdks/typescript',
  '/reference/introduction',
  '/guides/self-hosting',
  '/changelog',
  '/concepts/projects',
  '/concepts/keys',
  '/reference/projects',
  '/reference/exports',
  '/reference/keys',
  '/guides/single-sign-on',
  '/guides/migrating-to-2',
  '/guides/testing',
  '/guides/proxies',
  '/integrations/terraform',
  '/integrations/slack',
  '/sdks/go',
  '/concepts/regions',
  '/guides/monitoring',
]

/** Milliseconds since the epoch; `to` is exclusive. */
interface Period {
  readonly from: number
  readonly to: number
}

const COMMENTS: readonly (readonly [path: string, comment: string])[] = [
  ['/guides/fetching', 'It does not say how long fetchAll waits before it tries again.'],
  ['/guides/fetching', 'The example does not compile with version 2.4.'],
  ['/reference/webhooks', 'Which events are sent when an export fails?'],
  [
    '/guides/authentication',
    'I followed every step and still get a 401. Write to me at jane.doe@example.com.',
  ],
  ['/sdks/python', 'Missing: how to use a proxy.'],
]

/** The same question more than once counts as so many readers. */
const QUESTIONS: readonly (readonly [page: string, query: string])[] = [
  ['/guides/fetching', 'Is there a limit on the number of retries?'],
  ['/guides/fetching', 'Is there a limit on the number of retries?'],
  ['/guides/fetching', 'Is there a limit on the number of retries?'],
  ['/concepts/keys', 'How do I rotate an API key without downtime?'],
  ['/concepts/keys', 'How do I rotate an API key without downtime?'],
  ['/reference/webhooks', 'How do I verify the signature of a webhook?'],
]

const SEARCHES: readonly (readonly [term: string, hits: number])[] = [
  ['retry', 41],
  ['proxy', 23],
  ['rotate key', 17],
  ['webhook signature', 12],
  ['export csv', 6],
]

/** What readers wrote and looked for in a period. */
export function readersOf(period: Period): Readers {
  const time = (index: number, count: number) => {
    const at = period.to - ((index + 1) * (period.to - period.from)) / (count + 1)
    return new Date(at).toISOString()
  }
  const feedback = COMMENTS.map(
    ([path, comment], at): FeedbackEntry => ({
      id: `feedback-${period.from}-${at}`,
      path,
      comment,
      createdAt: time(at, COMMENTS.length),
      source: 'contextual',
      status: 'pending',
      helpful: false,
    }),
  )
  const conversations = QUESTIONS.map(
    ([page, query], at): Conversation => ({
      id: `conversation-${period.from}-${at}`,
      timestamp: time(at, QUESTIONS.length),
      query,
      response: 'I could not find this in the documentation.',
      sources: [],
      resolutionStatus: 'unanswered',
      queryCategory: null,
      pageUrl: `https://docs.example.com${page}`,
    }),
  )
  const searches = SEARCHES.map(
    ([searchQuery, hits], at): Search => ({
      searchQuery,
      hits,
      ctr: 0,
      topClickedPage: null,
      lastSearchedAt: time(at, SEARCHES.length),
    }),
  )
  return { feedback, conversations, searches }
}
