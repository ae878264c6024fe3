import { expect, test } from 'vitest'
import { type Marker, writeMarker } from '../../../src/core/marker.ts'
import { remember } from '../../../src/thread/memory.ts'

const scope = { apiKey: 'test-key', projectId: 'docs', repository: 'octo/app', thread: 12 }
const comment = (id: number, marker: Partial<Marker>) => ({
  id,
  url: '',
  ofProject: true,
  body: `words\n\n${writeMarker({ state: 'reported', key: 'k', ...marker } as Marker, scope)}`,
})

test('4.9 the thread goes on with the job of its latest request, however late an older one was reported', () => {
  const older = comment(1, { key: 'a', job: 'A', from: 1000, at: 9000 })
  const later = comment(2, { key: 'b', job: 'B', from: 2000, at: 5000 })
  expect(remember([older, later], scope, 'c').job?.marker.job).toBe('B')
})

test('5.1 a copy of a marker never takes the place of its original', () => {
  const original = comment(1, { key: 'a', job: 'A', from: 1000, at: 9000 })
  const copy = { ...original, id: 7 }
  expect(remember([original, copy], scope, 'a').own?.comment.id).toBe(1)
})

test('5.1 not even where a stranger edits it into a comment that stood there before', () => {
  const original = comment(7, { key: 'a', job: 'A', from: 1000, at: 9000 })
  const copy = { ...original, id: 1, ofProject: false }
  expect(remember([copy, original], scope, 'a').own?.comment.id).toBe(7)
})
