import { expect, test } from 'vitest'
import { type Finding, findingsOf } from '../../src/analytics/finding.ts'
import { readInsightsInputs } from '../../src/analytics/insights.ts'
import { insightsSummary } from '../../src/analytics/insights-report.ts'
import { SOURCES } from '../../src/analytics/sources.ts'

const entry = (more: Partial<Finding> = {}): Finding => ({
  ...{ kind: 'feedback', page: '/a', text: 'It fails.', rating: 'not-helpful', readers: 1, agents: 0 },
  day: '2026-07-01',
  ...more,
})

test('9 unless it is said, the last week counts, searches of one hit are left out, and what goes beyond twenty of a kind', () => {
  const { period, minCount, top, include } = readInsightsInputs(() => '', Date.UTC(2026, 6, 15))
  expect({ period, minCount, top, include }).toEqual({
    period: { from: Date.UTC(2026, 6, 6), to: Date.UTC(2026, 6, 13) },
    ...{ minCount: 2, top: 20 },
    include: ['feedback', 'questions', 'searches'],
  })
})

const { feedback, searches } = SOURCES
const row = {
  path: '/a',
  comment: 'It fails.',
  helpful: false,
  status: 'pending',
  createdAt: '2026-07-01T10:00:00Z',
}

test('9.1 feedback counts if it is open, and negative or with a comment', () => {
  expect(feedback.entry(row)).toEqual(read())
  expect(feedback.entry({ ...row, status: 'in_progress', helpful: true })).toMatchObject({
    rating: 'helpful',
  })
  expect(feedback.entry({ ...row, status: undefined })).toEqual(read())
  expect(feedback.entry({ ...row, createdAt: '1970-01-01T00:00:00Z' })).toEqual(read({ day: '' }))
  expect(feedback.entry({ ...row, helpful: undefined })).toMatchObject({ rating: 'unrated' })
  expect(feedback.entry({ ...row, comment: null })).toMatchObject({ rating: 'not-helpful', text: '' })
  expect(feedback.entry({ ...row, comment: ' ', helpful: true })).toBeUndefined()
  expect(feedback.entry({ ...row, comment: null, helpful: null })).toBeUndefined()
  expect(feedback.entry({ ...row, status: 'resolved' })).toBeUndefined()
  expect(feedback.entry({ ...row, status: 'dismissed' })).toBeUndefined()
})

test('9.3 the address that a reader leaves for an answer is in no finding', () => {
  const contact = 'Jane Doe, +49 170 1234'
  expect(feedback.entry({ ...row, contact, email: contact, user: { contact } })).toEqual(read())
  expect(feedback.entry({ ...row, comment: '', helpful: true, contact })).toBeUndefined()
})

test.each([
  [{ ctr: 0, topClickedPage: '/a' }, true],
  [{ ctr: 0.5, topClickedPage: null }, true],
  [{ ctr: 0.5, topClickedPage: '/a' }, false],
  [{ topClickedPage: '/a' }, false],
])('9.1 a search with %o counts: %s', (clicks, counts) => {
  const found = searches.entry({ searchQuery: 'sso', hits: 6.6, lastSearchedAt: null, ...clicks })
  expect(found?.readers).toBe(counts ? 7 : undefined)
})

/** As a source reads it. */
const read = (more: Partial<Finding> = {}) => ({ ...entry(more), isUrl: false })

const ranked = (...entries: Partial<Finding>[]) => findingsOf(entries.map(entry))

test('9.2 the same words on the same page are one finding, which stands for all who wrote them', () => {
  const [first, ...others] = ranked(
    { rating: 'helpful', day: '2026-07-01' },
    { text: 'it  FAILS.', rating: 'not-helpful', day: '2026-07-03' },
    { text: 'It\nfails.', rating: 'unrated', day: '2026-07-02' },
    { page: '/b' },
  )
  expect(first).toMatchObject({ page: '/a', rating: 'not-helpful', readers: 3, day: '2026-07-03' })
  expect(others).toMatchObject([{ page: '/b', readers: 1 }])
})

test.each([
  [1, '(1)'],
  [2, '(1 of 2)'],
])('9.4 the summary says how many of %i it shows', (found, says) => {
  const period = { from: Date.UTC(2026, 6, 6), to: Date.UTC(2026, 6, 13) }
  const kinds = [{ kind: 'feedback', findings: [entry()], found, rows: 9 }] as const
  const summary = insightsSummary({ period, file: 'insights.md', kinds, requests: 3, durationMs: 1000 })
  expect(summary).toContain(`### Feedback ${says}\n`)
})

test('9.2 findings on the page with most readers come first; without a page, each stands for itself', () => {
  const all = ranked(
    { page: '/two', text: 'a', readers: 2 },
    { page: '', text: 'b', readers: 4 },
    { page: '', text: 'c', readers: 1 },
    { page: '/five', text: 'd', readers: 2 },
    { page: '/five', text: 'e', readers: 3 },
  )
  expect(all.map(({ text }) => text)).toEqual(['e', 'd', 'b', 'a', 'c'])
})

test.each([
  [['2026-07-01', '2026-07-03', '2026-07-02'], '321'],
  [['', '2026-07-03', '2026-07-02'], '32'],
  [['2026-07-03', '2026-07-03', '2026-07-02'], '332'],
])('9.2 of findings on a page that as many readers left, the last come first: %j', (days, order) => {
  const all = ranked(...days.map((day, at) => ({ text: `${at}`, day })))
  expect(all.map(({ day }) => day.at(-1) ?? '').join('')).toBe(order)
})
