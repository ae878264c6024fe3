import { expect, test } from 'vitest'
import { explainFailure } from '../../../src/http/explain.ts'
import { type Failure, statusFailure } from '../../../src/http/service-error.ts'

const access = { baseUrl: 'https://service.example', apiKey: 'test-key', projectId: 'docs' }
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
  ['<html><body>blocked</body></html>', ''],
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

test.each([
  [401, /API key is wrong or has expired.*Settings → API keys/],
  [402, /no credits left.*Billing/],
  [403, /scope.*IP allowlist/],
  [404, /no project `docs`: check `project-id`/],
  [400, /Change the prompt or the inputs/],
  [429, /100 job creations/],
  [500, /Run again in a few minutes/],
  [308, /redirects are not followed.*`base-url`/],
])('2 HTTP %i names its remedy in at most three sentences', (status, remedy) => {
  const sentence = explainFailure('create', failed(status, '{"error":"no"}'), access)
  expect(sentence).toMatch(remedy)
  expect(sentence).toContain(`HTTP ${status}: \`no\``)
  expect(sentence.match(/[.:] [A-Z]/g)?.length ?? 0).toBeLessThan(4)
  expect(sentence).not.toContain('test-key')
})

test.each(['message', 'read'] as const)('2 a 404 to %s is about the job', (call) => {
  expect(explainFailure(call, failed(404, ''), access, 'j_1')).toContain('no job `j_1` in the project `docs`')
})

test('4.5 the sentence says when to come back', () => {
  const sentence = explainFailure('create', failed(429, '', { 'retry-after': '3600' }), access)
  expect(sentence).toContain('come back in 1 h')
})

test.each([
  ['mint_dsc_x', 401, 'an assistant key'],
  ['mint_us_x', 403, 'an index key'],
])('2 a key of another kind is hinted at (%s, %i)', (apiKey, status, hint) => {
  const sentence = explainFailure('create', failed(status, ''), { ...access, apiKey })
  expect(sentence).toContain(hint)
  expect(sentence).not.toContain(apiKey)
})

test('2 an admin key, and another fault, get no such hint', () => {
  expect(explainFailure('create', failed(401, ''), { ...access, apiKey: 'mint_x' })).not.toContain(
    'looks like',
  )
  expect(explainFailure('create', failed(500, ''), { ...access, apiKey: 'mint_us_x' })).not.toContain(
    'looks like',
  )
})
