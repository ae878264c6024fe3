import { expect, test } from 'vitest'
import { type Marker, type MarkerScope, type MarkerState, writeMarker } from '../../../src/core/marker.ts'
import type { ThreadComment } from '../../../src/thread/comments.ts'
import { remember } from '../../../src/thread/memory.ts'

const scope: MarkerScope = { apiKey: 'test-key', projectId: 'docs', repository: 'octo/app', thread: 12 }
let nextId = 1

function comment(fields: Partial<Marker> & { state: MarkerState }, over: Partial<MarkerScope> = {}) {
  const marker: Marker = {
    key: 'mine',
    job: '',
    status: '',
    pr: '',
    run: '1.1',
    until: 0,
    at: 1000,
    from: 1,
    messaged: 0,
    asker: 'alice',
    comment: 'issue:1',
    eyes: 0,
    ...fields,
  }
  const id = nextId++
  return {
    id,
    url: `https://github.com/${id}`,
    body: `words\n\n${writeMarker(marker, { ...scope, ...over })}`,
    ofProject: true,
  }
}
const recall = (...comments: ThreadComment[]) => remember(comments, scope, 'mine')

test('5.1 the newest marker wins, wherever it stands', () => {
  const newer = comment({ state: 'reported', job: 'j_new', at: 2000 })
  const older = comment({ state: 'reported', job: 'j_old', at: 1000 })
  for (const order of [
    [newer, older],
    [older, newer],
  ] as const) {
    expect(recall(...order)).toMatchObject({ job: { marker: { job: 'j_new' } }, newest: 2000 })
    expect(recall(...order).own?.marker.job).toBe('j_new')
  }
})

test('5.1 an old marker that is posted once more never wins', () => {
  const old = comment({ state: 'reported', job: 'j_old', at: 1000 })
  const current = comment({ state: 'reported', job: 'j_new', at: 1001 })
  const replayed = [old, current].map((copied) => ({ ...copied, id: nextId++ }))
  const memory = recall(old, current, ...replayed)
  expect(memory.own?.comment.id).toBe(current.id)
  expect(memory.job?.marker.job).toBe('j_new')
  expect(memory.own?.marker.job).toBe('j_new')
  expect(memory.newest).toBe(1001)
})

test('5.1 strangers’ markers, of a thread, repository, project or key, are not there at all', () => {
  const job = { state: 'reported', job: 'j_x', at: 9_000_000_000_000 } as const
  const foreign = [{ thread: 13 }, { repository: 'octo/docs' }, { projectId: 'x' }, { apiKey: 'x' }]
  const memory = recall(...foreign.map((over) => comment(job, over)))
  expect(memory).toEqual({
    own: undefined,
    ownComments: [],
    job: undefined,
    refusals: [],
    prLinks: new Set(),
    newest: 0,
  })
})

test('5.2 own are the markers of the request, not of others, and neither refusal nor pointer', () => {
  const own = comment({ state: 'open', job: 'j_1', at: 10 })
  const memory = recall(
    own,
    comment({ state: 'reported', key: 'other', job: 'j_2', at: 20 }),
    comment({ state: 'refusal', at: 30 }),
    comment({ state: 'pointer', job: 'j_1', at: 40 }),
  )
  expect(memory.own?.comment.id).toBe(own.id)
  expect(memory.ownComments).toHaveLength(1)
  expect(memory.refusals.map(({ marker }) => marker.at)).toEqual([30])
  expect(memory.newest).toBe(40)
})

test('4.9 the thread’s job is the newest that a marker knows, of whichever request', () => {
  const memory = recall(
    comment({ state: 'reported', key: 'a', job: 'j_1', pr: 'https://x/1', at: 10 }),
    comment({ state: 'reported', key: 'b', job: 'j_2', pr: 'https://x/2', at: 20 }),
    comment({ state: 'answer', key: 'c', at: 30 }),
    comment({ state: 'unsent', key: 'd', at: 40 }),
  )
  expect(memory.job?.marker.job).toBe('j_2')
  expect(memory.prLinks).toContain('https://x/1')
  expect(memory.prLinks).toContain('https://x/2')
})

test('5.5 a pointer makes the job known on its own pull request', () => {
  expect(recall(comment({ state: 'pointer', key: 'other', job: 'j_1' })).job?.marker.job).toBe('j_1')
})

test.each([
  ['a result', { state: 'reported', job: 'j_1', at: 10 }],
  ['a job that goes on', { state: 'open', job: 'j_1', at: 10 }],
] as const)('5.2 %s is not forgotten for a later attempt that could not read the thread', (_, known) => {
  const memory = recall(comment(known), comment({ state: 'uncertain', at: 20 }))
  expect(memory.own?.marker).toMatchObject(known)
  expect(memory.ownComments).toHaveLength(2)
})

test('5.2 what may have been sent stays so, until that run says more or people are told', () => {
  const sending = comment({ state: 'sending', at: 10, run: '1.1' })
  const later = (state: MarkerState, run: string) =>
    recall(sending, comment({ state, run, at: 20 })).own?.marker.state
  expect(later('unsent', '1.2')).toBe('sending')
  expect(later('unsent', '1.1')).toBe('unsent')
  expect(later('uncertain', '1.2')).toBe('uncertain')
})
