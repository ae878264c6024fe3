import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { type SigningScope, signingKey, signRecord } from '../../src/record/signed-record.ts'
import type { Session } from '../../src/thread/session.ts'
import { Thread } from '../../src/thread/thread.ts'
import { githubOf } from '../helpers/emulated-github.ts'
import { endedWith, type RecordFields, recordOf, withJob } from '../record/helpers.ts'

const signing: SigningScope = { key: signingKey('test-key'), projectId: 'docs', repositoryId: 1, thread: 12 }
const BOT = 'github-actions[bot]'
const LISTS = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const
const HOUR = 3_600_000
const running: RecordFields = { state: 'running', ...withJob('j_1', '', 'active') }
const sending: RecordFields = { state: 'sending', to: undefined, ending: undefined, writtenAt: 1 }

/** A thread of so many comments, of which the one at `at` holds a record; all are an hour old, but for one more. */
async function threadOf(length: number, at: number, fields: RecordFields = running) {
  const clock = simulatedClock()
  const emulator = createEmulator(clock)
  const { github } = emulator
  const bodyOf = (record: RecordFields) => `Words\n\n${signRecord(recordOf(record), signing)}`
  github.addIssue({ number: 12 })
  const add = (_: unknown, nth: number) =>
    github.addComment(12, nth === at ? { login: BOT, body: bodyOf(fields) } : { login: 'carol', body: 'x' })
      .id
  const recorded = Array.from({ length }, add)[at] ?? 0
  await clock.sleep(HOUR)
  github.addComment(12, { login: 'alice', body: 'newest' })
  const deps = { ...clock, monotonic: clock.passed, secrets: [] }
  const session = { deps, github: await githubOf(emulator, clock), scope: signing } as unknown as Session
  const thread = new Thread(12)
  return {
    ...{ clock, emulator, thread },
    read: async () => await thread.read(session),
    /** @returns how many requests it takes */
    readChanges: async () => {
      const before = emulator.requests.length
      await thread.readChanges(session)
      return emulator.requests.length - before
    },
    edit: (record: RecordFields) => github.editComment(recorded, bodyOf(record)),
    remove: () => void github.deleteComment(recorded),
    states: () => thread.log.map(({ record }) => record.state),
  }
}

test.each([
  [20, 3],
  [250, 3],
  [250, 240],
])('H1 of %i comments, the edit of number %i is seen with one request', async (length, at) => {
  const { read, edit, readChanges, states } = await threadOf(length, at)
  await read()
  edit({ ...endedWith('j_1'), writtenAt: 2000 })
  expect(await readChanges()).toBe(1)
  expect(states()).toEqual(['ended'])
})

test.each([20, 98, 99, 250])(
  'H1 of %i comments, a request that another run took back is gone, and holds up nobody',
  async (length) => {
    const { read, remove, readChanges, states } = await threadOf(length, 3, sending)
    await read()
    expect(states()).toEqual(['sending'])
    remove()
    await readChanges()
    expect(states()).toEqual([])
  },
)

test.each([20, 99, 250])('H1 of %i comments, a lease that another run gave up is gone', async (length) => {
  const lease = { ...endedWith('j_1'), leaseMs: 75_000 }
  const { read, remove, readChanges, states } = await threadOf(length, 3, lease)
  await read()
  remove()
  await readChanges()
  expect(states()).toEqual([])
})

test.each([1, 30_000, 59_000])('H1 what the list showed %i ms late is seen', async (lateMs) => {
  const { emulator, clock, read, readChanges, thread } = await threadOf(250, 3)
  await read()
  const late = emulator.github.addComment(12, { login: 'carol', body: 'late' })
  late.updatedAt = new Date(clock.now() - lateMs).toISOString()
  expect(await readChanges()).toBe(1)
  expect(thread.comments.map(({ id }) => id)).toContain(late.id)
})

test('H1 what was edited while a slow GitHub still listed the other pages is seen', async () => {
  const { emulator, clock, read, edit, readChanges, states } = await threadOf(1000, 850)
  let reads = 0
  // The first page, eleven from the last one back, and the last one once more: the record stands on the fourth that is read.
  const call = async () => {
    reads += 1
    if (reads === 5) edit({ ...endedWith('j_1'), writtenAt: 2000 })
    if (reads === 13) emulator.github.addComment(12, { login: 'carol', body: 'newest' })
    await clock.sleep(9000)
  }
  emulator.faults.add({ match: LISTS, times: 13, fault: { kind: 'call', call } })
  await read()
  expect([reads, ...states()], 'its page was read before').toEqual([13, 'running'])
  await readChanges()
  expect(states()).toEqual(['ended'])
})
