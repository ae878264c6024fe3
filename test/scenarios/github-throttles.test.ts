import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { expectOutcome, world } from '../helpers/world.ts'

const WRITE = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const

const QUICK = {
  message: 'Validation Failed',
  errors: [
    { resource: 'IssueComment', code: 'unprocessable', field: 'data', message: 'was submitted too quickly' },
  ],
}
const THROTTLES: readonly (readonly [string, number, unknown])[] = [
  ['was submitted too quickly', 422, QUICK],
  ['was submitted too quickly, as 403', 403, { message: 'was submitted too quickly' }],
  ['temporarily blocked', 403, { message: 'You have been temporarily blocked from creating content' }],
  [
    'abuse',
    403,
    { message: 'You have triggered an abuse detection mechanism. Please retry your request again later.' },
  ],
  ['rate-limited, with a hyphen', 403, { message: 'You have been rate-limited' }],
  ['too fast', 422, { message: 'Comments were submitted too fast' }],
  ['throttled', 403, { message: 'This request was throttled' }],
  ['secondary limit', 403, { message: 'You have exceeded a secondary rate limit' }],
  ['secondary limit, as 429', 429, { message: 'You have exceeded a secondary rate limit' }],
]
const HEADERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['without a header', {}],
  ['with Retry-After', { 'retry-after': '30' }],
  ['with a spent budget that is not the cause', { 'x-ratelimit-remaining': '4513' }],
]

const ALL = THROTTLES.flatMap(([name, status, body]) =>
  HEADERS.map(([how, headers]): [string, string, Fault] => [
    name,
    how,
    { kind: 'status', status, body, headers },
  ]),
)

test.each(ALL)('5.7 %s, %s: the thread gets the record before the agent is asked', async (_, __, fault) => {
  const emulator = world()
  emulator.faults.add({ match: WRITE, fault })
  const { said, ...result } = await emulator.ask('/docs explain')
  expectOutcome(result, 'pull-request')
  expect(result.annotations).toEqual([])
  expect(emulator.lastWords()).toMatch(/^\*\*✅/)
  expect(emulator.records().at(-1)).toMatchObject({ state: 'ended' })
  const calls = emulator.calls()
  expect(calls.indexOf('POST /v2/agent/docs/job')).toBeGreaterThan(
    calls.indexOf(
      'POST /repos/octo/app/issues/12/comments',
      calls.indexOf('POST /repos/octo/app/issues/12/comments') + 1,
    ),
  )
})

test.each([
  ['Repository access blocked', /GitHub or an owner has blocked/],
  ['This repository has been blocked', /GitHub or an owner has blocked/],
  ['Your account has been blocked', /GitHub or an owner has blocked/],
])('5.6 403 %j is no lock, and no throttle', async (message, remedy) => {
  const emulator = world()
  const fault = { kind: 'status', status: 403, body: { message } } as const
  emulator.faults.add({ match: WRITE, times: Number.POSITIVE_INFINITY, fault })
  const began = emulator.settings.now()
  const { annotations } = await emulator.ask('/docs explain', { inputs: { comment: 'recreate' } })
  expect(emulator.settings.now() - began).toBeLessThan(60_000)
  expect(annotations.map((one) => one.message).join()).toMatch(remedy)
  expect(annotations.map((one) => one.message).join()).not.toMatch(/Unlock/)
})
