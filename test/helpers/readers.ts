import type { Conversation, FeedbackEntry, Search } from '../../emulator/service/analytics/readers.ts'

/** In the first week of July 2026. */
const TIME = '2026-07-03T10:00:00Z'

let ids = 0

/** Rows of the service, each with an id of its own. */
export const entry = (more: Partial<FeedbackEntry>): FeedbackEntry => ({
  id: `f${++ids}`,
  path: '/retries',
  comment: 'It fails.',
  createdAt: TIME,
  source: 'contextual',
  status: 'pending',
  helpful: false,
  ...more,
})

export const turn = (more: Partial<Conversation>): Conversation => ({
  id: `c${++ids}`,
  timestamp: TIME,
  query: 'How do I retry?',
  response: 'I do not know.',
  sources: [],
  resolutionStatus: 'unanswered',
  queryCategory: null,
  pageUrl: 'https://docs.example.com/retries/',
  ...more,
})

export const search = (more: Partial<Search>): Search => ({
  searchQuery: 'sso',
  hits: 5,
  ctr: 0,
  topClickedPage: null,
  lastSearchedAt: TIME,
  ...more,
})
