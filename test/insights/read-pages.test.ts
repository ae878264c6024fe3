import { expect, test } from 'vitest'
import { MAX_PAGES } from '../../src/analytics/client.ts'
import { type CursorPage, cursorPages, parseCursorPage } from '../../src/insights/read.ts'

const rows = [{ id: 1 }]
const usable = () => true

test.each([
  [{ list: rows, hasMore: true, nextCursor: 'c' }, true, 'c'],
  [{ list: rows, hasMore: true, nextCursor: null }, true, undefined],
  [{ list: rows, hasMore: false, nextCursor: 'c' }, false, 'c'],
  [{ list: [], nextCursor: 'c' }, true, 'c'],
  [{ list: [], nextCursor: null }, false, undefined],
])('9.1 %j has more: %s', (body, hasMore, nextCursor) => {
  expect(parseCursorPage(JSON.stringify(body), 'list', usable)).toEqual({
    rows: body.list,
    hasMore,
    nextCursor,
  })
})

test.each([
  ['<html>', 'not a JSON object'],
  ['[]', 'not a JSON object'],
  ['{"hasMore":false}', 'list of `list`'],
  ['{"list":{},"hasMore":false}', 'list of `list`'],
  ['{"list":[{},7],"hasMore":false}', 'row 2'],
  ['{"list":[]}', '`hasMore`'],
  ['{"list":[],"hasMore":"yes","nextCursor":"c"}', '`hasMore`'],
])('9.4 %s is refused', (text, fault) => {
  expect(parseCursorPage(text, 'list', usable)).toEqual({ fault: expect.stringContaining(fault) })
})

/** Reads pages to their end. @returns the cursors that were sent */
async function sent(
  read: (cursor: string | undefined) => Partial<CursorPage>,
): Promise<(string | undefined)[]> {
  const cursors: (string | undefined)[] = []
  const pages = cursorPages(async (cursor) => {
    cursors.push(cursor)
    return { rows, hasMore: true, nextCursor: undefined, ...read(cursor) }
  }, 'searches')
  for await (const _ of pages);
  return cursors
}

test('9.1 each page is requested once, an empty one too', async () => {
  const next: Readonly<Record<string, Partial<CursorPage>>> = {
    '': { nextCursor: 'a' },
    a: { rows: [], nextCursor: 'b' },
    b: { hasMore: false },
  }
  expect(await sent((cursor = '') => next[cursor] ?? {})).toEqual([undefined, 'a', 'b'])
})

test.each([
  ['no cursor', () => ({})],
  ['the same cursor', () => ({ nextCursor: 'a' })],
  ['cursors in a circle', (cursor = '') => ({ nextCursor: cursor === 'a' ? 'b' : 'a' })],
  ['new cursors for ever', (cursor = '0') => ({ nextCursor: String(Number(cursor) + 1) })],
])('9.4 %s: a bad response', async (_, read: (cursor?: string) => Partial<CursorPage>) => {
  let requests = 0
  const reading = sent((cursor) => {
    requests++
    return read(cursor)
  })
  await expect(reading).rejects.toMatchObject({
    reason: 'bad-response',
    message: expect.stringContaining('more searches follow after'),
  })
  expect(requests).toBeLessThanOrEqual(MAX_PAGES)
})
