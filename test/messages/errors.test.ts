import { expect, test } from 'vitest'
import type { Failure } from '../../src/http/failure.ts'
import { statusFailure } from '../../src/http/service.ts'
import { explainFailure } from '../../src/messages/explain.ts'

const access = { baseUrl: 'https://service.example', apiKey: 'test-key', projectId: 'docs' }
const failed = (status: number, text: string, headers: Record<string, string> = {}): Failure =>
  statusFailure({ status, text, headers: new Headers(headers) }, 0, 'test-key')

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

test.each([
  ['This key lacks the scope agent:write', /lacks a scope: \w+ an admin key with write scope/],
  ['The key is read-only', /lacks a scope/],
  ['Your IP is not allowed', /allowlist leaves this runner out/],
  ['Not on the allow-list', /allowlist leaves this runner out/],
])('2 a 403 that says %j gets its own remedy', (said, remedy) => {
  expect(explainFailure('create', failed(403, said), access)).toMatch(remedy)
})

test('7.4 the limit of the analytics is another one', () => {
  expect(explainFailure('visitors', failed(429, ''), access)).toContain(
    '100 requests an organization an hour',
  )
})
