import { expect, test } from 'vitest'
import type { Failure } from '../../src/http/failure.ts'
import { statusFailure } from '../../src/http/service.ts'

const failed = (status: number, text: string, headers: Record<string, string> = {}): Failure =>
  statusFailure({ status, text, headers: new Headers(headers) }, 0, ['test-key'])
const detail = (text: string) => {
  const failure = failed(400, text)
  return failure.kind === 'status' ? failure.detail : undefined
}

test.each([
  ['{"error":"prompt is required"}', 'prompt is required'],
  ['{"error":{"message":"No credits","details":[{"message":"top up"}]}}', 'No credits; top up'],
  [
    '{"error":"Bad","details":[{"message":"a"},{"message":"b"},{"message":"c"},{"message":"d"}]}',
    'Bad; a; b; c',
  ],
  ['["one",{"message":"two"}]', 'one; two'],
  ['Too many requests', 'Too many requests'],
  ['<html><body>blocked</body></html>', 'blocked'],
  [
    '<html><head><title>Access denied | Cloudflare</title></head><body>Ray</body></html>',
    'Access denied | Cloudflare',
  ],
  ['<html><title> </title><style>a{}</style><script>var x</script><h1>Sign <b>in</b></h1></html>', 'Sign in'],
  [' \n<!DOCTYPE html>', ''],
  ['', ''],
  ['null', ''],
  ['{"error":null}', ''],
  ['12', ''],
  ['{"error":"two\\nlines\\r\\u0007::set-output name=x::y"}', 'two lines ::set-output name=x::y'],
  ['{"error":"your key test-key is wrong"}', 'your key *** is wrong'],
])('2.4 what the body %j says', (text, expected) => {
  expect(detail(text)).toBe(expected)
})

test('2.4 a long or deep body is cut short', () => {
  expect(detail('x'.repeat(10_000))).toHaveLength(200)
  let deep: unknown = 'end'
  for (let i = 0; i < 1000; i++) deep = { error: deep }
  expect(detail(JSON.stringify(deep))).toBe('')
})

test('4.3 an error body of any depth is an answer like any other', () => {
  expect(detail('['.repeat(5000) + ']'.repeat(5000))).toBe('')
})

test('1.1 a key that the body spells with escapes is redacted all the same', () => {
  const body = JSON.stringify({ error: 'bad key a"b\\\\c' })
  const failure = statusFailure({ status: 401, headers: new Headers(), text: body }, 0, ['a"b\\\\c'])
  expect(failure).toMatchObject({ detail: 'bad key ***' })
  const short = { status: 401, headers: new Headers(), text: '{"error":"bad key a\\/b"}' }
  expect(statusFailure(short, 0, ['a/b'])).toMatchObject({ detail: 'bad key ***' })
  expect(detail('cut off: {"key": "test\\u002dkey')).toBe('cut off: {"key": "***')
})

test.each([
  [429, { 'retry-after': '7' }, 7000],
  [503, { 'retry-after': '7' }, 7000],
  [429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225660' }, 60_000],
  // A spent budget is no reason for a 503: it stays one that leaves open what became of the request.
  [503, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225660' }, undefined],
] as const)('4.3 4.5 HTTP %i with %j asks to wait %s ms', (status, headers, retryAfterMs) => {
  const answer = { status, text: '', headers: new Headers(headers as Record<string, string>) }
  expect(statusFailure(answer, Date.UTC(2026, 0, 1), ['test-key'])).toMatchObject({ retryAfterMs })
})
