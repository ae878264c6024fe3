import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { forgeOf } from '../trigger/helpers.ts'
import { scripted } from './helpers.ts'

const LISTS = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const

/** A thread of so many comments; `meanwhile` comes to pass right before these of its reads. */
async function thread(length: number, reads: readonly number[], meanwhile: (comments: Thread) => void) {
  const emulator = createEmulator()
  const { github } = emulator
  github.addIssue({ number: 12 })
  const add = () => github.addComment(12, { login: 'mallory', body: 'x' }).id
  const ids = Array.from({ length }, add)
  const remove = (id: number | undefined) => void github.deleteComment(id ?? 0)
  for (const skip of reads) {
    const call = (_: RequestEntry) => meanwhile({ ids, add, remove })
    emulator.faults.add({ match: LISTS, skip, fault: { kind: 'call', call } })
  }
  const forge = await forgeOf(emulator)
  const read = (await forge.listComments(12)).map(({ id }) => id)
  const now = github.comments(12).map(({ id }) => id)
  return { ids, read, now, requests: emulator.requests.length }
}

interface Thread {
  readonly ids: readonly number[]
  readonly add: () => number
  readonly remove: (id: number | undefined) => void
}

test('5.1 a thread of one page takes one request', async () => {
  expect((await thread(100, [], () => {})).requests).toBe(1)
})

test('5.1 one of three pages is looked at where they meet', async () => {
  const { ids, read, requests } = await thread(250, [], () => {})
  expect(read).toEqual(ids)
  expect(requests).toBe(3 + 2)
})

test.each([
  ['on the first page, before the second one', 1, 7],
  ['on the first page, before the last one', 2, 7],
  ['on the second page, before the last one', 2, 150],
  ['at the end of the first page, before the second one', 1, 99],
])('5.1 a comment %s is read, can go and hides none behind it', async (_, skip, at) => {
  const { ids, read, now } = await thread(250, [skip], (comments) => comments.remove(comments.ids[at]))
  expect(read).toEqual(ids.filter((__, index) => index !== at))
  expect(read).toEqual(now)
})

test('5.1 a new comment at the end moves nothing', async () => {
  const { ids, read, requests } = await thread(150, [1], ({ add }) => void add())
  expect(read).toHaveLength(151)
  expect(read.slice(0, 150)).toEqual(ids)
  expect(requests).toBe(2 + 1)
})

test('5.1 a thread that never rests is read four times', async () => {
  let next = 0
  const { requests } = await thread(150, [1, 4, 7, 10, 13], ({ ids, remove }) => remove(ids[next++]))
  expect(requests).toBe(4 * 2 + 3)
})

test('5.1 a page that GitHub leaves short, as where it hides a comment, has no boundary to look at', async () => {
  const link = '<https://api.github.test/repos/octo/app/issues/12/comments?per_page=100&page=2>; rel="next"'
  const { forge, calls } = await scripted(({ path }) => {
    if (path.includes('per_page=1&')) return { json: [] }
    return path.includes('page=2') ? { json: [{ id: 101 }] } : { json: [{ id: 1 }], headers: { link } }
  })
  expect((await forge.listComments(12)).map(({ id }) => id)).toEqual([1, 101])
  expect(calls).toHaveLength(2)
})
