import { expect, test } from 'vitest'
import { byPage, type Finding, Findings } from '../../src/insights/finding.ts'
import { pagePath, SOURCES } from '../../src/insights/sources.ts'
import { finding } from './helpers.ts'

test.each([
  ['/guides/retries', '/guides/retries'],
  ['/guides/retries/', '/guides/retries'],
  ['guides/retries', '/guides/retries'],
  ['https://docs.example.com/guides/retries?utm=x#more', '/guides/retries'],
  ['HTTPS://docs.example.com/guides/retries/', '/guides/retries'],
  ['https://docs.example.com', '/'],
  ['/', '/'],
  ['//evil.example/a', '/evil.example/a'],
  ['/ja/%E3%81%AF%E3%81%98', '/ja/はじ'],
  ['/ja/はじ', '/ja/はじ'],
  ['/a/../b/./c', '/b/c'],
  ['/100%', '/100%'],
  ['/two\nlines `x`', '/two%0Alines%20%60x%60'],
  ['/\u202egpj\ufe0f', '/%E2%80%AEgpj%EF%B8%8F'],
  ['/users/jane@example.com', '/users/[email]'],
  ['javascript:alert(1)', '/javascript:alert(1)'],
  ['https://', ''],
  ['', ''],
  ['  ', ''],
])('9.2 %j is the page %j', (given, expected) => {
  expect(pagePath(given)).toBe(expected)
})

const { feedback, questions, searches } = SOURCES
const row = {
  path: '/a',
  comment: 'It fails.',
  helpful: false,
  status: 'pending',
  createdAt: '2026-07-01T10:00:00Z',
}

test('9.1 feedback counts if it is open, and negative or with a comment', () => {
  expect(feedback.entry(row)).toEqual(finding())
  expect(feedback.entry({ ...row, status: 'in_progress', helpful: true })).toMatchObject({
    rating: 'helpful',
  })
  expect(feedback.entry({ ...row, helpful: undefined })).toMatchObject({ rating: 'unrated' })
  expect(feedback.entry({ ...row, comment: null })).toMatchObject({ rating: 'not-helpful', text: '' })
  expect(feedback.entry({ ...row, comment: ' ', helpful: true })).toBeUndefined()
  expect(feedback.entry({ ...row, comment: null, helpful: null })).toBeUndefined()
  expect(feedback.entry({ ...row, status: 'resolved' })).toBeUndefined()
  expect(feedback.entry({ ...row, status: 'dismissed' })).toBeUndefined()
})

test('9.1 a question counts if it ended unanswered', () => {
  const turn = { query: 'How?', resolutionStatus: 'unanswered', pageUrl: null, timestamp: 'never' }
  expect(questions.entry(turn)).toEqual(
    finding({ kind: 'questions', page: '', text: 'How?', rating: 'unrated', day: '' }),
  )
  expect(questions.entry({ ...turn, resolutionStatus: 'answered' })).toBeUndefined()
  expect(questions.entry({ ...turn, query: null })).toBeUndefined()
})

test.each([
  [{ ctr: 0, topClickedPage: null }, true],
  [{ ctr: 0, topClickedPage: '/a' }, true],
  [{ ctr: 0.5, topClickedPage: null }, true],
  [{ ctr: 0.5, topClickedPage: '/a' }, false],
  [{ topClickedPage: '/a' }, false],
])('9.1 a search with %o counts: %s', (clicks, counts) => {
  const entry = searches.entry({ searchQuery: 'sso', hits: 7, lastSearchedAt: null, ...clicks })
  expect(entry?.readers).toBe(counts ? 7 : undefined)
})

function ranked(...entries: Partial<Finding>[]) {
  const findings = new Findings()
  for (const entry of entries) findings.add(finding(entry))
  return findings.ranked()
}

test('9.2 the same words on the same page are one finding, which stands for all who wrote them', () => {
  const [first, ...others] = ranked(
    { rating: 'helpful', day: '2026-07-01' },
    { text: 'it  FAILS.', rating: 'not-helpful', day: '2026-07-03' },
    { text: 'It\nfails.', rating: 'unrated', day: '2026-07-02' },
    { page: '/b' },
  )
  expect(first).toEqual(finding({ rating: 'not-helpful', readers: 3, day: '2026-07-03' }))
  expect(others).toEqual([finding({ page: '/b' })])
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

test('9.2 all kinds of findings on a page stand together', () => {
  const all = [
    finding({ page: '/a', readers: 2 }),
    finding({ page: '/b', readers: 1 }),
    finding({ kind: 'questions', page: '/b', readers: 3 }),
    finding({ kind: 'searches', page: '', readers: 3 }),
    finding({ kind: 'searches', page: '', readers: 2 }),
  ]
  expect(byPage(all).map(({ page, readers, findings }) => [page, readers, findings.length])).toEqual([
    ['/b', 4, 2],
    ['', 5, 2],
    ['/a', 2, 1],
  ])
})
