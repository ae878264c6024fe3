import { describe, expect, test } from 'vitest'
import { isRefused } from '../../src/base/errors.ts'
import { withEnd } from '../../src/github/rendering.ts'
import { thrownBy } from '../helpers/agent.ts'
import { type Call, pageOf, range, scripted } from './helpers.ts'

const DOCS = { owner: 'octo', repo: 'docs' }
const SHA = 'a'.repeat(40)
const TIME = '2026-01-01T00:00:07Z'
const MS = Date.parse(TIME)

/** A GitHub that answers everything with this. */
const answering = (json: unknown) => scripted(() => ({ json }))

describe('who wrote the last commit of a pull request', () => {
  const bot = { login: 'agent[bot]', type: 'Bot' }
  const ofCommits = async (commits: number, last: unknown) => {
    const commit = (place: number) => ({
      author: place === commits ? last : { login: 'alice', type: 'User' },
    })
    const { github } = await scripted((call) => {
      const { entries, headers } = pageOf(call, commits, commit)
      return { json: entries, headers }
    })
    return await github.lastCommitAuthor(77)
  }

  test('3.5 on whatever page it is', async () => {
    for (const commits of [1, 100, 249]) {
      expect(await ofCommits(commits, bot)).toEqual({ login: 'agent[bot]', bot: true })
    }
  })

  test('3.5 may not be known: GitHub knows no account, or does not list the commit', async () => {
    expect([await ofCommits(2, null), await ofCommits(250, bot), await ofCommits(0, bot)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a check of a commit', () => {
  test.each([
    [{ html_url: 'https://ci.test/1', details_url: 'https://ci.test/2' }, 'https://ci.test/1'],
    [{ html_url: null, details_url: 'https://ci.test/2' }, 'https://ci.test/2'],
    [{ html_url: 'javascript:x', details_url: null }, ''],
  ])('4.12 leads to the page of its result: %j', async (urls, url) => {
    const { github } = await answering({ total_count: 1, check_runs: [{ id: 1, name: 'build', ...urls }] })
    expect(await github.checkRuns(DOCS, SHA)).toMatchObject([{ url }])
  })
})

describe('a status of a commit', () => {
  test.each([
    ['https://ci.test/1', 'https://ci.test/1'],
    ['javascript:x', ''],
    [null, ''],
  ])('4.12 leads to a page that is safe to show: %j', async (target_url, url) => {
    const { github } = await answering({ total_count: 1, statuses: [{ id: 1, context: 'ci', target_url }] })
    expect(await github.commitStatuses(DOCS, SHA)).toMatchObject([{ url }])
  })

  const status = {
    state: 'success',
    context: 'docs',
    description: 'octo/docs#77',
    target_url: 'https://ci.test/1',
  } as const

  test('5.7 is set again where the answer breaks, and not where GitHub refuses, or a later request decides it', async () => {
    const broken = await scripted(() => ({ status: broken.calls.length === 1 ? 502 : 201, json: { id: 1 } }))
    let isOver = false
    const set = ({ github }: typeof broken) => github.setCommitStatus(SHA, status, async () => isOver)
    await set(broken)
    expect(broken.calls.map(({ method }) => method)).toEqual(['POST', 'POST'])
    expect(broken.calls[1]?.body).toEqual(status)
    const refused = await scripted(() => ({ status: 403, json: { message: 'No' } }))
    expect(isRefused(await thrownBy(set(refused)), 403)).toBe(true)
    expect(refused.calls).toHaveLength(1)
    isOver = true
    const over = await scripted(() => ({ status: 502 }))
    await set(over)
    expect(over.calls).toHaveLength(1)
  })
})

describe('the line comments of a review', () => {
  const FIRST = 1000
  /** The pull request's comments are 1 to `all`, one a second; those of the review are named. */
  const withComments = async (all: number, ofReview: readonly number[], gone: readonly number[] = []) => {
    const at = (id: number) => new Date(MS + id * FIRST).toISOString()
    const comment = (id: number) => ({ id, body: `c${id}`, path: 'a.md', line: 3, created_at: at(id) })
    const newestFirst = range(1, all)
      .reverse()
      .filter((id) => !gone.includes(id))
    const reply = (call: Call) => {
      if (call.path.includes('/reviews/5/')) {
        const { entries, headers } = pageOf(call, ofReview.length, (place) => {
          const { line, ...rest } = comment(ofReview[place - 1] ?? 0)
          return rest
        })
        return { json: entries, headers }
      }
      const { entries, headers } = pageOf(call, newestFirst.length, (place) =>
        comment(newestFirst[place - 1] ?? 0),
      )
      return { json: entries, headers }
    }
    const { github, paths } = await scripted(reply)
    const read = await github.withLines(12, await github.reviewComments(12, 5))
    const pages = paths().filter((path) => path.startsWith('GET /repos/octo/app/pulls/12/comments?'))
    return { read, ids: read.map(({ id }) => id), pages }
  }

  test('3.12 are looked for among the newest, and no further than it takes', async () => {
    const { read, ids, pages } = await withComments(2500, [2401, 2410, 2450])
    expect(ids).toEqual([2401, 2410, 2450])
    expect(read[0]).toMatchObject({
      body: 'c2401',
      lines: { first: 3, last: 3 },
      createdAt: MS + 2401 * FIRST,
    })
    expect(pages).toHaveLength(4)
    expect(pages[0]).toMatch(/sort=created/)
    expect(pages[0]).toMatch(/direction=desc/)
  })
})

test('3.13 a comparison tells how the commits stand to each other, and the blobs of its files', async () => {
  const file = { filename: 'a.png', status: 'modified', sha: 'b'.repeat(40) }
  const { github, paths } = await answering({ status: 'diverged', commits: [], files: [file] })
  const compared = { status: 'diverged', commits: [], missing: 0, files: [{ path: 'a.png', sha: file.sha }] }
  expect(await github.compare(SHA, 'b'.repeat(40))).toMatchObject(compared)
  expect(paths()[0]).toMatch(`GET /repos/octo/app/compare/${SHA}...${'b'.repeat(40)}?`)
})

test.each([
  [100, [1]],
  [101, [1, 2]],
  [1000, range(1, 10)],
  [1300, [1, ...range(5, 13)]],
])('3.8 of a comparison of %i commits, the first page and the last nine are read', async (total, pages) => {
  const { github, calls } = await scripted((call) => {
    const { entries } = pageOf(call, total, (place) => ({ sha: String(place), commit: { message: 'a\nb' } }))
    return { json: { status: 'ahead', total_commits: total, commits: entries } }
  })
  const { commits, missing } = await github.compare(SHA, 'b'.repeat(40))
  expect([commits.length + missing, commits.at(-1)]).toEqual([total, { sha: String(total), subject: 'a' }])
  expect(calls.map(({ path }) => Number(/&page=(\d+)/.exec(path)?.[1]))).toEqual(pages)
})

test('3.8 closed pull requests that were not merged do not count', async () => {
  const { github } = await answering([
    { number: 1, state: 'closed', merged_at: null },
    { number: 2, state: 'closed', merged_at: TIME },
  ])
  expect((await github.mergedInto('main')).map(({ number }) => number)).toEqual([2])
})

test.each([
  ['nothing at all', { body: null, body_html: null }, { markdown: '', html: '' }],
  ['an empty one', { body: '', body_html: '' }, { markdown: '', html: '' }],
  ['one that GitHub did not render', { body: 'x' }, undefined],
  ['one whose rendering is missing', { body: 'x', body_html: null }, undefined],
])('4.2 a text is never taken raw: %s', async (_, json, read) => {
  const { github } = await answering(json)
  const reading = github.readBody({ kind: 'issue', number: 12 })
  if (read === undefined) expect(await thrownBy(reading)).toMatchObject({ kind: 'away' })
  else expect(await reading).toEqual(read)
})

test.each([
  ['<!DOCTYPE html>', undefined],
  [' \n<html lang="en">', undefined],
  ['<p>x</p>', undefined],
  [`<p>x</p>\n<p dir="auto">${withEnd('').trim()}</p>`, '<p>x</p>\n'],
])('4.2 a page in place of a rendering is none, and a part neither: %j', async (answer, whole) => {
  const { github } = await answering(answer)
  const text = await github.renderMarkdown('x').catch(() => undefined)
  expect(text).toBe(whole)
})

test.each([
  [{ path: 'a.mdx', line: 7, originalLine: 5 }, '`a.mdx`, line 7'],
  [{ path: 'a.mdx', line: null, originalLine: 5 }, '`a.mdx`, line 5'],
  [{ path: 'a.mdx', line: null, originalLine: null }, '`a.mdx`'],
])('4.1 the place of a review thread is the line of now, else the one of then: %j', async (thread, place) => {
  const comment = { databaseId: 9, bodyHTML: '<p>Why?</p>', isMinimized: false, publishedAt: TIME }
  const reviewThreads = {
    totalCount: 1,
    nodes: [{ ...thread, comments: { totalCount: 1, nodes: [comment] } }],
  }
  const pullRequest = { reviews: { totalCount: 0, nodes: [] }, reviewThreads }
  const { github } = await answering({ data: { repository: { pullRequest } } })
  expect((await github.discussion(30)).entries).toMatchObject([{ id: 9, createdAt: MS, place }])
})
