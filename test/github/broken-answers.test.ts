import { describe, expect, test } from 'vitest'
import { isGone } from '../../src/base/errors.ts'
import type { GitHub } from '../../src/github/github.ts'
import { thrownBy } from '../helpers/agent.ts'
import { testMatrix } from '../helpers/matrix.ts'
import { NOW, type Reply, scripted } from './helpers.ts'

const SHA = 'a'.repeat(40)
const MINUTE = 60_000
const COMMENT = { id: 5, body: 'x', html_url: 'https://github.com/octo/app/issues/12#c', user: null }
const ISSUE = { number: 14, title: 'Docs', body: 'x', state: 'open' }
const STATUS = {
  state: 'pending',
  context: 'docs',
  description: '',
  target_url: 'https://github.com/octo/app',
} as const

const never = async () => false
const CALLS: Readonly<Record<string, (github: GitHub) => Promise<unknown>>> = {
  read: (github) => github.issue(12),
  list: (github) => github.listComments(12),
  render: (github) => github.renderMarkdown('x'),
  comment: (github) => github.createComment(12, 'x'),
  edit: (github) => github.updateComment(1, 'x'),
  open: (github) => github.createIssue('Docs', 'x'),
  status: (github) => github.setCommitStatus(SHA, STATUS, never),
  label: (github) => github.addLabels({ owner: 'octo', repo: 'app', number: 80 }, ['docs']),
}

/** GitHub breaks off each such answer. */
const breaking = (status: number, more: Reply = {}) =>
  scripted(() => ({ status, json: { message: 'Resource not accessible' }, breaks: true, ...more }))

const REFUSED = [400, 401, 402, 403, 404, 405, 409, 410, 413, 422, 423, 451, 499]

describe.each(Object.entries(CALLS))('a refusal whose body breaks: %s', (_, act) => {
  test.each(REFUSED)('5.7 %i shows at once, without a detail', async (status) => {
    const { github, calls } = await breaking(status)
    const error = await thrownBy(act(github))
    expect(error).toMatchObject({ kind: 'refused', httpStatus: status, detail: '' })
    expect(isGone(error)).toBe(status === 410)
    expect(calls).toHaveLength(1)
  })

  test.each([
    [429, {}],
    [403, { 'retry-after': '3600' }],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767229200' }],
  ])('5.7 the headers of a %i tell a limit: %j', async (status, headers) => {
    const { github } = await breaking(status, { headers: headers as Record<string, string> })
    const error = await thrownBy(act(github))
    const limitedUntil = status === 403 ? NOW + 60 * MINUTE : expect.any(Number)
    expect(error).toMatchObject({ kind: 'away', httpStatus: status, limitedUntil })
  })

  test.each([408, 500, 502, 503, 504])('5.7 a %i passes', async (status) => {
    const { github, calls } = await breaking(status)
    expect(await thrownBy(act(github))).toMatchObject({ kind: 'away', httpStatus: status })
    expect(calls.length).toBeGreaterThan(1)
  })
})

/** What cannot be told from a good answer is none of these: 200 to 299 are below. */
const kindOf = (status: number): string =>
  status === 408 || status === 429 || status >= 500 ? 'away' : 'refused'
const FROM_300 = Array.from({ length: 300 }, (_, at) => 300 + at)
const USUAL = [302, 304, 400, 404, 408, 418, 422, 429, 499, 500, 502, 599]

describe.each(Object.entries(CALLS))('each status whose body breaks: %s', (_, act) => {
  testMatrix<readonly [string, readonly number[]]>(
    [
      ['300 to 599, one of each kind', USUAL],
      ['300 to 599, the others', FROM_300.filter((status) => !USUAL.includes(status))],
    ],
    (at) => at === 0,
  )('5.7 %s', async (__, statuses) => {
    for (const status of statuses) {
      const { github } = await breaking(status)
      const { kind, httpStatus } = (await thrownBy(act(github))) as { kind: string; httpStatus: number }
      expect([status, httpStatus, kind]).toEqual([status, status, kindOf(status)])
    }
  })
})

test('5.7 wherever the body of a refusal is cut, framed right, its half is no detail', async () => {
  const body = '{"message":"Resource not accessible"}'
  for (let at = 0; at < body.length; at++) {
    const { github } = await scripted(() => ({ status: 403, text: body.slice(0, at) }))
    const error = await thrownBy(github.createComment(12, 'x'))
    expect([at, error]).toMatchObject([at, { kind: 'refused', httpStatus: 403 }])
    expect([at, (error as { detail: string }).detail]).toEqual([
      at,
      expect.not.stringMatching(/Resource|[{[]/),
    ])
  }
})

test.each([301, 302, 307, 308])(
  '5.7 a %i whose body breaks still says where the thread is',
  async (status) => {
    const headers = { location: 'https://api.github.test/repositories/8/issues/12/comments' }
    const { github } = await breaking(status, { headers })
    const error = await thrownBy(github.createComment(12, 'x'))
    expect(error).toMatchObject({ kind: 'refused', detail: 'it was moved to another repository' })
  },
)

/** GitHub makes what a write asks for, breaks its answer off, and lists what it made after so many reads. */
async function losing(made: object, listedAfter: number, reply: Reply = { breaks: true }) {
  let reads = 0
  const world = await scripted(({ method }) => {
    if (method !== 'GET') return { status: 201, json: made, ...reply }
    reads += 1
    return { json: reads > listedAfter ? [made] : [] }
  })
  const writes = () => world.calls.filter(({ method }) => method === 'POST').length
  return { ...world, writes }
}

describe('5.7 a write that GitHub accepted is made once', () => {
  test.each<[string, object, object]>([
    ['comment', COMMENT, { id: 5 }],
    ['open', ISSUE, { number: 14 }],
  ])('however late the list shows it: %s', async (name, made, found) => {
    for (const reply of [{ breaks: true }, { text: '{"id":5,' }]) {
      for (const listedAfter of [0, 1, 7]) {
        const { github, writes } = await losing(made, listedAfter, reply)
        expect(await CALLS[name]?.(github)).toMatchObject(found)
        expect(writes()).toBe(1)
      }
    }
  })

  test.each(['comment', 'open'])('and is not known where no list ever shows it: %s', async (name) => {
    const { github, writes, passed } = await losing(COMMENT, Number.POSITIVE_INFINITY)
    expect(await thrownBy(CALLS[name]?.(github) ?? never())).toMatchObject({ kind: 'away', httpStatus: 201 })
    expect(writes()).toBe(1)
    expect(passed()).toBeGreaterThanOrEqual(2 * MINUTE)
  })

  test('nothing of the answer to a status is needed', async () => {
    const { github, writes, paths } = await losing({}, 0)
    await CALLS.status?.(github)
    expect([writes(), paths()]).toEqual([1, [`POST /repos/octo/app/statuses/${SHA}`]])
  })

  test('a page with 200 accepts nothing', async () => {
    const page = { status: 200, text: '<html>Log in</html>', headers: { 'content-type': 'text/html' } }
    const { github, writes } = await losing(COMMENT, 1, page)
    await github.createComment(12, 'x')
    expect(writes()).toBe(2)
  })
})

test.each<[string, Reply, unknown]>([
  ['read', { json: ISSUE }, { number: 14 }],
  ['list', { json: [COMMENT] }, [{ id: 5 }]],
  ['edit', { json: COMMENT }, { id: 5 }],
])('5.7 what can be repeated is, once its answer was lost: %s', async (name, reply, answer) => {
  const { github, calls } = await scripted(() => ({ ...reply, breaks: calls.length < 3 }))
  expect(await CALLS[name]?.(github)).toMatchObject(answer as object)
  expect(calls).toHaveLength(3)
})
