import { expect, test } from 'vitest'
import { maskSecrets } from '../../src/base/redact.ts'
import { readInputs } from '../../src/inputs/inputs.ts'
import { faultOfMemoryKey, type GetInput, readAccess } from '../../src/inputs/readers.ts'
import { core } from '../../src/process-deps.ts'

/** As `core.getInput` gives them. */
const raw = (given: Readonly<Record<string, string>>): GetInput => {
  const all: Readonly<Record<string, string>> = { 'project-id': 'docs', 'api-key': 'test-key', ...given }
  return (name) => (all[name] ?? '').trim()
}

test.each(['test\tkey', 'test\u0000key', 'test\u007fkey'])(
  '1.1 the key %j is refused, and not echoed',
  (key) => {
    let message = ''
    try {
      readAccess(raw({ 'api-key': key }))
    } catch (error) {
      message = String(error)
    }
    expect(message).toMatch(/Input `api-key` holds .* Store the key in its secret again/)
    expect(message).not.toMatch(/t[eë]st/)
  },
)

const QUOTED: readonly (readonly [string, string])[] = [
  ['"hunter2-hunter2-hunter2"', 'begins'],
  ["'hunter2-hunter2-hunter2'", 'begins'],
  ['`hunter2-hunter2-hunter2`', 'begins'],
  ['\u201chunter2-hunter2-hunter2\u201d', 'begins'],
  ['\u2018hunter2-hunter2-hunter2', 'begins'],
  ['hunter2-hunter2-hunter2"', 'ends'],
  ["hunter2-hunter2-hunter2'\n", 'ends'],
  ['hunter2-hunter2-hunter2\u00bb', 'ends'],
]

test.each(['api-key', 'memory-key', 'project-id', 'github-token'])(
  '1.1 a quotation mark around %s is named, and nothing of it is shown',
  (name) => {
    for (const [value, where] of QUOTED) {
      let message = ''
      try {
        const { access } = readInputs(raw({ prompt: 'x', [name]: value }))
        const fault = name === 'memory-key' ? faultOfMemoryKey(access) : undefined
        if (fault !== undefined) throw fault
      } catch (error) {
        message = String(error)
      }
      expect(message).toContain(
        `Input \`${name}\` ${where} with a quotation mark. Store it again without quotation marks around it.`,
      )
      expect(message).not.toMatch(/hunter2|["'\u2018\u201c\u00bb]/)
    }
  },
)

test.each(["it's-a-key-of-many-letters", 'a"b"c"d"e"f"g"h"i"j'])(
  '1.1 within the memory-key %j they stay',
  (key) => {
    expect(readAccess(raw({ 'memory-key': key })).memoryKey).toBe(key)
  },
)

test('1.1 secrets are masked as they stand in the log: trimmed, and line by line', () => {
  const masked: string[] = []
  const getInput = raw({ 'api-key': ' one\r\ntwo three ', 'github-token': 'test-token' })
  const setSecret = (secret: string) => void masked.push(secret)
  const { secrets } = maskSecrets({ core: { ...core, getInput, setSecret } })
  expect(masked).toEqual(['one', 'two three', 'test-token'])
  expect(secrets).toEqual(masked)
})

test.each<[string, string | undefined]>([
  ['k'.repeat(16), undefined],
  ['k'.repeat(15), 'fewer than 16 characters'],
  [`${'k'.repeat(16)} k`, 'white space'],
  ['', 'is missing'],
])('5.1 a memory-key has 16 characters at least, and none of white space: %j', (memoryKey, says) => {
  expect(readAccess(raw({ 'memory-key': memoryKey })).memoryKey).toBe(memoryKey)
  const fault = faultOfMemoryKey({ memoryKey })?.message
  if (says === undefined) expect(fault).toBeUndefined()
  else expect(fault).toContain(says)
})

test('1.3 without a key nothing else of the access is missed first', () => {
  expect(readAccess(raw({ 'api-key': '', 'project-id': '' }))).toMatchObject({ apiKey: '', projectId: '' })
})

test.each([
  ['https://api.example.com/a/b//', 'https://api.example.com/a/b'],
  ['https://api.example.com:8443/x', 'https://api.example.com:8443/x'],
  ['http://127.8.9.1', 'http://127.8.9.1'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://[::1]:2', 'http://[::1]:2'],
])('1.2 base-url %s is read as %s', (value, expected) => {
  expect(readAccess(raw({ 'base-url': value })).baseUrl).toBe(expected)
})

test.each([
  ['http://', 'is not a URL'],
  ['http://api.example.com', 'neither an https: URL nor http: on a loopback host'],
  ['http://localhost.example.com', 'neither'],
  ['http://127.0.0.1.example.com', 'neither'],
  ['ftp://localhost', 'neither'],
  ['https://alice:secret@api.example.com', 'holds credentials'],
  ['https://:secret@api.example.com', 'holds credentials'],
  ['https://api.example.com?x=1', 'holds a query or a fragment'],
  ['https://api.example.com/?', 'holds a query or a fragment'],
  ['https://api.example.com:6000/x', 'names a port'],
  ['https://api.example.com:993', 'names a port'],
  ['http://localhost:1', 'names a port'],
  ['http://[::1]:10080', 'names a port'],
])('1.2 base-url %s is refused: %s', (value, fault) => {
  expect(() => readAccess(raw({ 'base-url': value }))).toThrow(fault)
  expect(() => readAccess(raw({ 'base-url': value }))).toThrow('Write an https: URL such as')
  expect(() => readAccess(raw({ 'base-url': value }))).not.toThrow('secret')
})

test('1 a poll interval under a second is for a service on this machine only', () => {
  const poll = { 'poll-interval-seconds': '0.05' }
  expect(readInputs(raw({ ...poll, 'base-url': 'http://127.0.0.1:4010' })).pollMs).toBe(50)
  expect(() => readInputs(raw({ ...poll, 'base-url': 'https://api.example.com' }))).toThrow('from 1 to')
})

test('1.2 the ports that base-url cannot have are those that fetch blocks', async () => {
  const isRefused = (port: number) => {
    try {
      readAccess(raw({ 'base-url': `http://127.0.0.1:${port}` }))
      return false
    } catch {
      return true
    }
  }
  const ports = Array.from({ length: 12_000 }, (_, at) => at + 1).filter(isRefused)
  expect(ports.length).toBeGreaterThan(80)
  // One more on each side, so that a range is neither too long nor too short.
  for (const port of new Set(ports.flatMap((blocked) => [blocked - 1, blocked, blocked + 1]))) {
    if (port === 0) continue
    const cause = await fetch(`http://127.0.0.1:${port}`).then(
      () => undefined,
      (error: Error) => error.cause,
    )
    expect([port, /bad port/.test(String(cause))]).toEqual([port, ports.includes(port)])
  }
})
