import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { githubOf } from '../helpers/emulated-github.ts'
import { scripted } from './helpers.ts'

const LISTS = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const

/** A thread of so many comments; `meanwhile` comes to pass right before these of its reads. */
async function thread(length: number, reads: readonly number[], meanwhile: (comments: Thread) => void) {
  const { emulator, comments } = threadOf(length)
  const { github } = emulator
  const { ids } = comments
  for (const skip of reads) {
    const call = (_: RequestEntry) => meanwhile(comments)
    emulator.faults.add({ match: LISTS, skip, fault: { kind: 'call', call } })
  }
  const client = await githubOf(emulator)
  const read = (await client.listComments(12)).map(({ id }) => id)
  const now = github.comments(12).map(({ id }) => id)
  return { ids, read, now, requests: emulator.requests.length }
}

function threadOf(length: number) {
  const emulator = createEmulator()
  const { github } = emulator
  github.addIssue({ number: 12 })
  const add = () => github.addComment(12, { login: 'mallory', body: 'x' }).id
  const ids = Array.from({ length }, add)
  const remove = (id: number | undefined) => void github.deleteComment(id ?? 0)
  const comments: Thread = { ids, add, remove }
  return { emulator, comments }
}

interface Thread {
  readonly ids: readonly number[]
  readonly add: () => number
  readonly remove: (id: number | undefined) => void
}

test('5.1 a thread of one page takes one request', async () => {
  expect((await thread(100, [], () => {})).requests).toBe(1)
})

test('5.1 one of three pages is read from the last one back, and the last one once more', async () => {
  const { ids, read, requests } = await thread(250, [], () => {})
  expect(read).toEqual(ids)
  expect(requests).toBe(1 + 3 + 1)
})

test.each([
  ['on the first page, before the last one', 1, 7],
  ['on the second page, before the first one', 3, 150],
])('5.1 a comment that goes %s hides none behind it', async (_, skip, at) => {
  const { read, now } = await thread(250, [skip], (comments) => comments.remove(comments.ids[at]))
  expect(read).toEqual(expect.arrayContaining(now))
  expect(read).toEqual(read.toSorted((a, b) => a - b))
})

test.each([
  ['between the last page and the one before', 2],
  ['before the first page', 3],
  ['before the last page is read once more', 4],
])(
  '5.1 a result that is posted %s is seen, though the comment that it replaces has gone',
  async (_, skip) => {
    const { read, now } = await thread(250, [skip], ({ ids, add, remove }) => {
      add()
      remove(ids[20])
    })
    expect(read).toEqual(expect.arrayContaining(now))
  },
)

test.each<[string, (comments: Thread) => void, number]>([
  ['that stays as it is takes a request less', () => {}, 3 + 1],
  ['that has grown by a page is whole', ({ add }) => Array.from({ length: 100 }, add), 1 + 4 + 1],
  [
    'that has lost its last page is whole',
    ({ ids, remove }) => ids.slice(190).forEach(remove),
    1 + 1 + 2 + 1,
  ],
  ['of which one page is left is whole', ({ ids, remove }) => ids.slice(90).forEach(remove), 1 + 1],
])('5.1 read anew, a thread of three pages %s', async (_, meanwhile, requests) => {
  const { emulator, comments } = threadOf(250)
  const client = await githubOf(emulator)
  await client.listComments(12)
  meanwhile(comments)
  emulator.clearRequests()
  const read = (await client.listComments(12)).map(({ id }) => id)
  expect(read).toEqual(emulator.github.comments(12).map(({ id }) => id))
  expect(emulator.requests).toHaveLength(requests)
})

test('5.1 a list whose links name no last page is read by them', async () => {
  const link = '<https://api.github.test/repos/octo/app/issues/12/comments?per_page=30&page=2>; rel="next"'
  const { github } = await scripted(({ path }) =>
    path.includes('page=2') ? { json: [{ id: 101 }] } : { json: [{ id: 1 }], headers: { link } },
  )
  expect((await github.listComments(12)).map(({ id }) => id)).toEqual([1, 101])
})
