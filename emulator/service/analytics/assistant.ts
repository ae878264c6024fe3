import { hash, pick, unit } from '../../random.ts'
import { pathOf } from '../paths.ts'
import { cursorPage, placeOf, ulid } from './cursor.ts'
import type { Query } from './query.ts'
import { type Audience, type Conversation, rowsOf, timeAt } from './readers.ts'
import { HOSTILE_TEXTS, textAt } from './texts.ts'

const SITE = 'https://docs.example.com'
const PAGES = 14
const CATEGORIES = ['authentication', 'billing', 'sdk', 'webhooks'] as const

/** `assistant`: what readers asked the assistant, newest first. */
export const assistant =
  ({ seed, readers }: Audience) =>
  (query: Query) => {
    const period = query.period()
    const wanted = { limit: query.limit(100, 1000), place: query.value('cursor', placeOf) }
    return () => {
      const { conversations = 45, paging = 'plain' } = readers()
      const rows = rowsOf(
        conversations,
        period,
        ({ timestamp }) => timestamp,
        (index, count) => conversationAt(index, seed, timeAt(index, count, period)),
      )
      const page = cursorPage(rows, wanted, paging)
      return { conversations: page.rows, nextCursor: page.nextCursor, hasMore: page.hasMore }
    }
  }

function conversationAt(index: number, seed: number, timestamp: string): Conversation {
  const path = pathOf(hash(seed, 'asked', index) % PAGES, seed)
  const isAnswered = unit(seed, 'answered', index) < 0.6
  const chance = unit(seed, 'type', index)
  const type = chance < 0.2 ? 'clarifying_question' : 'answer'
  return {
    id: ulid(Date.parse(timestamp), index),
    timestamp,
    query: textAt('question', index, seed),
    response: isAnswered
      ? `See the page for the details. ${index % 5 === 0 ? pick(TEXTS, seed, 'response', index) : ''}`.trim()
      : 'I could not find anything about that in the documentation.',
    ...(chance > 0.8 ? {} : { responseType: type }),
    sources: isAnswered ? [{ title: pick(TEXTS, seed, 'title', index), url: SITE + encodeURI(path) }] : [],
    resolutionStatus: isAnswered ? 'answered' : 'unanswered',
    queryCategory: index % 4 === 0 ? null : pick(CATEGORIES, seed, 'category', index),
    pageUrl: index % 3 === 0 ? null : SITE + encodeURI(path),
  }
}

const TEXTS: readonly [string, ...string[]] = ['Retries', ...HOSTILE_TEXTS]
