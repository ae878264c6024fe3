import { expect, test } from 'vitest'
import { statusFailure } from '../../../src/http/service-error.ts'

const answer = (text: string, status = 500) => ({ status, headers: new Headers(), text })

test('4.3 an error body of any depth is an answer like any other', () => {
  const deep = '['.repeat(5000) + ']'.repeat(5000)
  expect(statusFailure(answer(deep), 0, [])).toMatchObject({ kind: 'status', status: 500, detail: '' })
})

test('1.1 a key that the body spells with escapes is redacted all the same', () => {
  const body = JSON.stringify({ error: 'bad key a"b\\\\c' })
  expect(statusFailure(answer(body, 401), 0, ['a"b\\\\c'])).toMatchObject({ detail: 'bad key ***' })
})
