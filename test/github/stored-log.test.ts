import { expect, test } from 'vitest'
import { GitHubError } from '../../src/base/errors.ts'
import { type Call, type Reply, scripted } from './helpers.ts'

const DOCS = { owner: 'octo', repo: 'docs' }
const ADDRESS = 'https://storage.example/logs/7?signature=once'
const LEADS: Reply = { status: 302, text: '', headers: { location: ADDRESS } }

/** GitHub leads to an address, and the host there answers as `stored` says. */
const github = (stored: (call: Call, nth: number) => Reply, leads: Reply = LEADS) => {
  let nth = 0
  return scripted((call) => (call.path.startsWith('/repos/') ? leads : stored(call, nth++)))
}

/** A host that gives parts of a text. */
const parts =
  (text: string) =>
  (call: Call): Reply => {
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(call.headers.get('range') ?? '') ?? []
    const bytes = Buffer.from(text)
    const part = bytes.subarray(Number(from), Number(to) + 1)
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`
    return { status: 206, text: part.toString(), headers: { 'content-range': range } }
  }

test.each<[string, (call: Call) => Reply, string]>([
  ['a part, which is all', parts('a\nb\n'), 'a\nb\n'],
  ['all of it', () => ({ text: 'a\nb\n' }), 'a\nb\n'],
  ['nothing, where it is empty', () => ({ status: 416, text: 'no range' }), ''],
])('4.12 the host that stores a log gives %s, and gets no token', async (_, stored, expected) => {
  const { github: client, calls } = await github(stored)
  expect(await client.jobLog(DOCS, 7)).toBe(expected)
  const [first, second, ...more] = calls
  expect([first?.path, second?.path, more]).toEqual(['/repos/octo/docs/actions/jobs/7/logs', ADDRESS, []])
  expect(first?.headers.get('authorization')).toBe('token test-token')
  expect(JSON.stringify([...(second?.headers ?? [])])).not.toMatch(/token|authorization/)
})

test('4.12 of 50 MB the end is read, in whole lines and two requests', async () => {
  const text = `${'é line\n'.repeat(6_250_000)}last\n`
  const { github: client, calls } = await github(parts(text))
  const log = await client.jobLog(DOCS, 7)
  expect(log.length).toBeLessThan(600_000)
  expect(log).toMatch(/^é line\n/)
  expect(log).toMatch(/é line\nlast\n$/)
  expect(calls).toHaveLength(3)
})

test.each<[string, Reply, Reply, number, RegExp]>([
  ['a log that is gone', { status: 410, json: { message: 'Gone' } }, {}, 410, /^Gone/],
  [
    'a token without the permission',
    { status: 403, json: { message: 'Not accessible' } },
    {},
    403,
    /Not acc/,
  ],
  ['a job that is not there', { status: 404, json: { message: 'Not Found' } }, {}, 404, /Not Found/],
  ['a redirect without an address', { status: 302, text: '' }, {}, 200, /no usable address/],
  [
    'an address that is not safe',
    { status: 302, headers: { location: 'http://storage.example/' } },
    {},
    200,
    /no usable/,
  ],
  [
    'an address with a password',
    { status: 302, headers: { location: 'https://a:b@c.example/' } },
    {},
    200,
    /no usable/,
  ],
  [
    'another redirect',
    LEADS,
    { status: 302, headers: { location: 'https://evil.example/' } },
    200,
    /another address/,
  ],
  ['a signature that is not good', LEADS, { status: 403, text: '<Error/>' }, 200, /answers HTTP 403/],
  ['a host with an outage', LEADS, { status: 503, text: '' }, 200, /answers HTTP 503/],
  ['a host that answers nothing', LEADS, { takes: 3_600_000 }, 200, /no answer within 10 s/],
  [
    'a host without ranges, and too long a log',
    LEADS,
    { text: 'x'.repeat(5_000_000) },
    200,
    /more than 4 MiB/,
  ],
])(
  '4.12 %s: no log, an error that says why, and no try of the host again',
  async (_, leads, stored, status, detail) => {
    const { github: client, calls, passed } = await github(() => stored, leads)
    const error = await client.jobLog(DOCS, 7).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(GitHubError)
    expect(error).toMatchObject({ httpStatus: status, detail: expect.stringMatching(detail) })
    expect(calls.filter(({ path }) => path.startsWith('https:')).length).toBeLessThan(2)
    expect(calls.map(({ path }) => path).join()).not.toContain('evil')
    expect(passed()).toBeLessThanOrEqual(15_000)
  },
)
