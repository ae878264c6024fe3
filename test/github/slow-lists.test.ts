import { expect, test } from 'vitest'
import { thrownBy } from '../helpers/agent.ts'
import { pageOf, type Reply, range, scripted } from './helpers.ts'

const COMMENTS = '/repos/octo/app/issues/12/comments'

const comment = (id: number) => ({ id, body: 'x', html_url: `https://github.com/octo/app/issues/12#${id}` })
const pull = (number: number) => ({ number, body: 'x', body_html: '<p>x</p>' })

/** A GitHub of which each entry takes a while; `asked` leaves out the looks at single entries. */
async function slow(length: number, msAnEntry: (page: number) => number, entry: (id: number) => object) {
  const asked: string[] = []
  const { forge, calls } = await scripted((call): Reply => {
    const { size, page, entries, headers } = pageOf(call, length, entry)
    if (size > 1) asked.push(`${page} of ${size}`)
    return { json: entries, headers, takes: msAnEntry(page) * entries.length }
  })
  return { forge, calls, asked }
}

const small = (from: number, to: number) => range(from, to).map((page) => `${page} of 10`)

test('5.7 a page that takes longer than ten seconds is read at once in small ones', async () => {
  const { forge, calls, asked } = await slow(250, () => 110, comment)
  expect((await forge.listComments(12)).map(({ id }) => id)).toEqual(range(1, 250))
  expect(asked).toEqual(['1 of 100', ...small(1, 10), '2 of 100', ...small(11, 20), '3 of 100'])
  expect(calls.slice(0, 3).map(({ at }) => at)).toEqual([0, 10_000, 11_100])
})

test('5.7 a list can end in the small pages of a slow one', async () => {
  const { forge, asked } = await slow(195, () => 110, comment)
  expect(await forge.listComments(12)).toHaveLength(195)
  expect(asked).toEqual(['1 of 100', ...small(1, 10), '2 of 100', ...small(11, 20)])
})

test('5.1 a list that leads on by cursors is read to its end, and once', async () => {
  const at = (cursor: number) => `https://api.github.test/repos/octo/app/issues?per_page=100&after=c${cursor}`
  const { forge, calls } = await scripted(({ path }) => {
    const cursor = Number(/after=c(\d)/.exec(path)?.[1] ?? 0)
    const headers = { link: `<${at(Math.min(cursor + 1, 2))}>; rel="next"` }
    return { json: [{ number: cursor + 1 }], headers }
  })
  expect((await forge.openIssues()).map(({ number }) => number)).toEqual([1, 2, 3])
  expect(calls).toHaveLength(4)
})

test('5.7 only the pages that are slow are asked for again', async () => {
  const { forge, asked } = await slow(300, (page) => (page === 2 ? 110 : 1), comment)
  expect((await forge.listComments(12)).map(({ id }) => id)).toEqual(range(1, 300))
  expect(asked).toEqual(['1 of 100', '2 of 100', ...small(11, 20), '3 of 100'])
})

test('3.10 so are closed pull requests, without the rendering that takes the time', async () => {
  const { forge, calls, asked } = await slow(250, () => 110, pull)
  expect((await forge.closedPullRequests('main', 2)).map(({ number }) => number)).toEqual(range(101, 200))
  expect(asked).toEqual(['2 of 100', ...small(11, 20)])
  const formats = calls.map(({ headers }) => /full|raw/.exec(headers.get('accept') ?? '')?.[0])
  expect(formats).toEqual(['full', ...Array(10).fill('raw')])
})

test('5.7 what GitHub itself ends after ten seconds is slow, what it fails with at once is tried again', async () => {
  const failed = { status: 502, json: { message: 'Server Error' } }
  const read = async (takes: number) => {
    const { forge, calls, paths } = await scripted((call) =>
      calls.length === 1 ? { ...failed, takes } : { json: pageOf(call, 5, comment).entries },
    )
    expect(await forge.listComments(12)).toHaveLength(5)
    return [paths()[1], calls[1]?.at]
  }
  expect(await read(9900)).toEqual([`GET ${COMMENTS}?per_page=10`, 9900])
  expect(await read(100)).toEqual([`GET ${COMMENTS}?per_page=100`, 600])
})

test('5.7 a small page that fails is tried again as usual', async () => {
  const { forge, calls, passed } = await scripted(() => ({ takes: 60_000, json: [] }))
  expect(await thrownBy(forge.listComments(12))).toMatchObject({
    kind: 'away',
    detail: 'no answer within 10 s',
  })
  expect(calls.map(({ at }) => at)).toEqual([0, 10_000, 20_500, 31_500])
  expect(calls.filter(({ path }) => path.includes('per_page=100'))).toHaveLength(1)
  expect(passed()).toBe(41_500)
})
