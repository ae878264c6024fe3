import { expect, test } from 'vitest'
import { type GetInput, maskSecrets, readAccess, requireKey } from '../src/input-readers.ts'
import { readInputs } from '../src/inputs.ts'
import { isLoopback } from '../src/link.ts'

/** As `core.getInput` gives them. */
const raw = (given: Readonly<Record<string, string>>): GetInput => {
  const all: Readonly<Record<string, string>> = { 'project-id': 'docs', 'api-key': 'test-key', ...given }
  return (name) => (all[name] ?? '').trim()
}

test('1.1 the key is trimmed', () => {
  expect(readAccess(raw({ 'api-key': ' \n test-key\r\n' })).apiKey).toBe('test-key')
})

test.each([
  'test key',
  'test\nkey',
  'test\tkey',
  'test\u0000key',
  'test\u00a0key',
  'test\u007fkey',
  'tëst-key',
])('1.1 the key %j is refused, and not echoed', (key) => {
  let message = ''
  try {
    readAccess(raw({ 'api-key': key }))
  } catch (error) {
    message = String(error)
  }
  expect(message).toMatch(/Input `api-key` holds .* Store the key in the secret again/)
  expect(message).not.toMatch(/t[eë]st/)
})

test('1.1 secrets are masked as they stand in the log: trimmed, and line by line', () => {
  const masked: string[] = []
  const secrets = maskSecrets({
    getInput: raw({ 'api-key': ' one\r\ntwo three ', 'github-token': 'test-token' }),
    setSecret: (secret) => void masked.push(secret),
  })
  expect(masked).toEqual(['one', 'two', 'three', 'test-token'])
  expect(secrets).toEqual(masked)
})

test('1.3 a missing key is an error that says where to put one', () => {
  const access = readAccess(raw({ 'api-key': '  ' }))
  expect(() => requireKey(access)).toThrow(/`api-key` is missing.*secrets\.DOCS_AGENT_API_KEY/)
  expect(() => requireKey({ ...access, apiKey: 'x' })).not.toThrow()
})

test('1.3 without a key nothing else of the access is missed first', () => {
  expect(readAccess(raw({ 'api-key': '', 'project-id': '' }))).toMatchObject({ apiKey: '', projectId: '' })
})

test.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/', 'https://api.example.com'],
  ['https://api.example.com/a/b//', 'https://api.example.com/a/b'],
  ['https://api.example.com:8443/x', 'https://api.example.com:8443/x'],
  ['HTTPS://API.example.com', 'https://api.example.com'],
  ['http://127.0.0.1:4010/docs-api', 'http://127.0.0.1:4010/docs-api'],
  ['http://127.8.9.1', 'http://127.8.9.1'],
  ['http://localhost:1', 'http://localhost:1'],
  ['http://[::1]:1', 'http://[::1]:1'],
])('1.2 base-url %s is read as %s', (value, expected) => {
  expect(readAccess(raw({ 'base-url': value })).baseUrl).toBe(expected)
})

test.each([
  ['api.example.com', 'is not a URL'],
  ['http://', 'is not a URL'],
  ['http://api.example.com', 'neither an https: URL nor http: on a loopback host'],
  ['http://localhost.example.com', 'neither'],
  ['http://127.0.0.1.example.com', 'neither'],
  ['http://0.0.0.0', 'neither'],
  ['http://10.0.0.1', 'neither'],
  ['ftp://localhost', 'neither'],
  ['file:///etc/passwd', 'neither'],
  ['https://alice:secret@api.example.com', 'holds credentials'],
  ['https://alice@api.example.com', 'holds credentials'],
  ['https://api.example.com?x=1', 'holds a query or a fragment'],
  ['https://api.example.com/?', 'holds a query or a fragment'],
  ['https://api.example.com/#x', 'holds a query or a fragment'],
])('1.2 base-url %s is refused: %s', (value, fault) => {
  expect(() => readAccess(raw({ 'base-url': value }))).toThrow(fault)
  expect(() => readAccess(raw({ 'base-url': value }))).toThrow('Write an https: URL such as')
  expect(() => readAccess(raw({ 'base-url': value }))).not.toThrow('secret')
})

test('1 a poll interval under a second is for a service on this machine only', () => {
  const poll = { 'poll-interval-seconds': '0.05' }
  expect(readInputs(raw({ ...poll, 'base-url': 'http://127.0.0.1:4010' })).pollMs).toBe(50)
  expect(() => readInputs(raw({ ...poll, 'base-url': 'https://api.example.com' }))).toThrow('from 1 to')
  expect(['http://localhost', 'http://[::1]:1', 'https://example.com'].map(isLoopback)).toEqual([
    true,
    true,
    false,
  ])
})
