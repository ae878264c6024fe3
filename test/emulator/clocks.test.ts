import { expect, test } from 'vitest'
import { emulate } from './helpers.ts'

// What a server says of its own time, and of what a client knows already.

// docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api, "Use conditional requests if appropriate".
test('what did not change is 304, without a body, until it changes', async () => {
  const { emulator, app, github } = emulate()
  github.addIssue({ number: 1 })
  github.addComment(1, { login: 'bob', body: 'x' })
  const { headers } = await app('GET /issues/1/comments')
  const etag = headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[0-9a-f]{64}"$/)
  const again = (tag: string) => app('GET /issues/1/comments', undefined, { 'if-none-match': tag })
  const { status, body, headers: kept } = await again(`"other", ${etag}`)
  expect([status, body, kept.get('etag')]).toEqual([304, {}, etag])
  expect((await again(etag.slice(2))).status).toBe(304)
  expect((await again('W/"other"')).status).toBe(200)
  github.addComment(1, { login: 'bob', body: 'y' })
  expect((await again(etag)).status).toBe(200)
  expect(emulator.requests.map(({ status }) => status)).toEqual([200, 304, 304, 200, 200])
})
