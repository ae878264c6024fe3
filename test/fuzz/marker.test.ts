import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  carriesMarker,
  type Marker,
  type MarkerScope,
  type MarkerState,
  readMarker,
  writeMarker,
} from '../../src/core/marker.ts'
import { anyText, runs, textOf } from './check.ts'

const STATES: readonly MarkerState[] = [
  ...(['sending', 'uncertain', 'unsent', 'open', 'parted'] as const),
  ...(['reported', 'answer', 'refusal', 'pointer'] as const),
]
const word = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.toWellFormed())
const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER })

const markers: fc.Arbitrary<Marker> = fc.record({
  key: word,
  state: fc.constantFrom(...STATES),
  job: word,
  status: word,
  pr: word,
  run: word,
  until: whole,
  at: whole,
  from: whole,
  messaged: whole,
  asker: word,
  comment: word,
  eyes: whole,
})
const name = fc.stringMatching(/^[a-z][\w.-]{0,20}$/)
const scopes: fc.Arbitrary<MarkerScope> = fc.record({
  apiKey: fc.stringMatching(/^[!-~]{1,40}$/),
  projectId: fc.stringMatching(/^[!-~]{1,40}$/),
  repository: fc.tuple(name, name).map((parts) => parts.join('/')),
  thread: fc.integer({ min: 1, max: 2 ** 31 }),
})

test('5.1 what is written is read, behind any text and in any letter case of the repository', () => {
  fc.assert(
    fc.property(markers, scopes, anyText(), fc.stringMatching(/^\s{0,5}$/), (marker, scope, text, blank) => {
      const body = `${text}\n${writeMarker(marker, scope)}${blank}`
      expect(readMarker(body, { ...scope, repository: scope.repository.toUpperCase() })).toEqual(marker)
      expect(carriesMarker(body)).toBe(true)
    }),
    runs(200),
  )
})

test('5.1 a marker of another key, project, repository or thread does not count', () => {
  const others = fc.tuple(scopes, scopes, fc.constantFrom('apiKey', 'projectId', 'repository', 'thread'))
  fc.assert(
    fc.property(markers, others, (marker, [scope, other, field]) => {
      fc.pre(String(scope[field]).toLowerCase() !== String(other[field]).toLowerCase())
      expect(readMarker(writeMarker(marker, { ...scope, [field]: other[field] }), scope)).toBeUndefined()
    }),
    runs(200),
  )
})

test('5.1 a marker with one character changed, added or taken out does not count', () => {
  const edits = fc.record({
    at: fc.nat({ max: 2000 }),
    taken: fc.nat({ max: 2 }),
    added: fc.oneof(fc.stringMatching(/^[\w=:.+/-]{0,2}$/), fc.string({ unit: 'binary', maxLength: 2 })),
  })
  fc.assert(
    fc.property(markers, scopes, edits, (marker, scope, { at, taken, added }) => {
      const original = writeMarker(marker, scope)
      const place = at % original.length
      const edited = original.slice(0, place) + added + original.slice(place + taken)
      // What is added before or behind it is text of the comment, no change of the marker.
      fc.pre(!edited.trimEnd().endsWith(original))
      expect(readMarker(edited, scope)).toBeUndefined()
    }),
    runs(500),
  )
})

test('5.1 text around or behind a marker never makes two of one, nor something else of it', () => {
  const pieces = ['<!-- ', 'docs-agent:1:', 'e30', ':', 'A'.repeat(43), ' -->', '\n', ' ', '-->', '<!--']
  fc.assert(
    fc.property(markers, scopes, textOf(pieces), textOf(pieces), (marker, scope, before, behind) => {
      const body = `${before}${writeMarker(marker, scope)}${behind}`
      expect(readMarker(body, scope)).toEqual(behind.trim() === '' ? marker : undefined)
    }),
    runs(300),
  )
})

test('5.1 no text is a marker unless the key signed it, and none is too much', () => {
  const scope = { apiKey: 'test-key', projectId: 'docs', repository: 'octo/app', thread: 12 }
  const pieces = ['<!-- docs-agent:1:', '<!-- docs-agent:', ':', 'a', '_'.repeat(43), ' -->', '\n', '0']
  fc.assert(
    fc.property(textOf(pieces), fc.constantFrom(1, 5000), (text, times) => {
      expect(readMarker(text.repeat(times), scope)).toBeUndefined()
    }),
    runs(100),
  )
})
