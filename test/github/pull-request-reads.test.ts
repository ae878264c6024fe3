import { expect, test } from 'vitest'
import { describeCommentedLines } from '../../src/event/objects.ts'
import { serve } from '../helpers/server.ts'
import { githubAt } from './helpers.ts'

const PULL = { owner: 'octo', repo: 'docs', number: 77 }
const SHA = 'a'.repeat(40)
const ALICE = { login: 'alice', type: 'User' }

type Wrap = (entry: unknown) => unknown

/** A GitHub that lists these entries, one a page, by the path below `/repos`. @param wrap what a page is */
async function listing(lists: Readonly<Record<string, readonly unknown[]>>, wrap: Wrap = (one) => [one]) {
  const { url, requests } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://github.test')
    const entries = lists[pathname.replace('/repos/', '')] ?? []
    const page = Number(searchParams.get('page') ?? 1)
    const next = `<http://${request.headers.host}${pathname}?page=${page + 1}>; rel="next"`
    if (page < entries.length) response.setHeader('link', next)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(wrap(entries[page - 1])))
  })
  return { github: await githubAt({ apiUrl: url }), requests }
}

test('4.12 the newest status of each context, of all pages, in whatever order', async () => {
  const status = (context: string, state: string, second = 0) => ({
    ...{ context, state, target_url: null, created_at: `2026-01-01T00:00:0${second}Z` },
  })
  const statuses = [
    ...[status('links', 'pending'), status('build', 'success')],
    ...[status('links', 'failure', 1), status('build', 'pending')],
  ]
  const path = `octo/docs/commits/${SHA}/status`
  const { github } = await listing({ [path]: statuses }, (one) => ({ statuses: [one], total_count: 4 }))
  const read = await github.commitStatuses(PULL, SHA)
  expect(read.map(({ context, state }) => `${context} ${state}`)).toEqual(['links failure', 'build success'])
})

test('4.12 annotations, of as many pages as it takes', async () => {
  const annotation = {
    path: 'docs/a.md',
    start_line: 3,
    annotation_level: 'failure',
    title: null,
    message: 'No',
  }
  const path = 'octo/docs/check-runs/2/annotations'
  const { github, requests } = await listing({ [path]: [annotation, annotation] })
  expect(await github.annotations(PULL, 2, 1)).toHaveLength(1)
  expect(requests).toHaveLength(1)
  expect(await github.annotations(PULL, 2, 50)).toEqual(
    Array(2).fill({
      path: 'docs/a.md',
      startLine: 3,
      level: 'failure',
      title: '',
      message: 'No',
    }),
  )
})

test('3.12 the comments of a review, with their places, of all pages', async () => {
  const comment = (id: number, more: object) => ({
    ...{
      id,
      body: 'a\r\nb',
      user: ALICE,
      path: 'a.md',
      diff_hunk: '@@',
    },
    updated_at: '2026-01-01T00:00:01Z',
    ...more,
  })
  const comments = [
    comment(1, { line: 7 }),
    comment(2, { line: null, original_line: 8 }),
    comment(3, { line: null }),
    comment(4, { start_line: 2, line: 7, start_side: 'LEFT', side: 'RIGHT' }),
    comment(5, {
      line: null,
      start_line: null,
      original_start_line: 3,
      original_line: 8,
      side: 'LEFT',
      start_side: 'LEFT',
    }),
  ]
  const { github } = await listing({
    'octo/app/pulls/12/comments': comments,
    'octo/app/pulls/12/reviews/5/comments': comments,
  })
  const read = await github.withLines(12, await github.reviewComments(12, 5))
  expect(read.map(({ lines }) => describeCommentedLines(lines))).toEqual([
    ', line 7',
    ', line 8',
    '',
    ', from line 2 before the change to line 7',
    ', lines 3 to 8 before the change',
  ])
  const place = { path: 'a.md', hunk: '@@', body: 'a\nb' }
  expect(read[0]).toMatchObject({ ...place, author: { login: 'alice', bot: false } })
  expect(read[0]?.updatedAt).toBe(Date.parse('2026-01-01T00:00:01Z'))
})
