import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { testMatrix } from '../helpers/matrix.ts'
import { CREATE, errorsOf, expectOutcome, READ, type World, world } from '../helpers/world.ts'

const FOREVER = Number.POSITIVE_INFINITY
const STATUSES = [400, 401, 402, 403, 404, 409, 413, 422, 423, 429, 451] as const

const own = (status: number, error = 'Zork 17') => ({ kind: 'status', status, body: { error } }) as const

const PAGE = '<!DOCTYPE html><html><head><title>Sorry, you have been blocked</title></head></html>'

/** How a refusal can look on its way through proxies. */
const FORMS: Readonly<Record<string, (status: number) => Fault & { readonly kind: 'status' }>> = {
  JSON: (status) => own(status),
  'JSON of another shape': (status) => ({ kind: 'status', status, body: { message: 'Zork 17' } }),
  HTML: (status) => ({ kind: 'status', status, body: PAGE }),
  'an empty body': (status) => ({ kind: 'status', status, body: '' }),
  'a body that is cut': (status) => ({ kind: 'status', status, body: '{"error":"Zork 17' }),
}

const RETRY_AFTER: Readonly<Record<string, (world: World) => string>> = {
  'in seconds': () => '7200',
  'as a date': ({ settings }) => new Date(settings.now() + 7_200_000).toUTCString(),
}

describe.each(Object.entries(FORMS))('a refusal as %s', (form, faultOf) => {
  const place = Object.keys(FORMS).indexOf(form)
  const forms = Object.keys(FORMS).length
  testMatrix(
    STATUSES.map((status) => [status]),
    (at) => at % forms === place,
  )(
    '4.3 %i: one try, nothing was taken, and the words blame no key that they do not name',
    async (status) => {
      const emulator = world()
      emulator.faults.add({ match: CREATE, fault: faultOf(status), times: status === 429 ? 3 : FOREVER })
      const { said, ...result } = await emulator.ask('/docs explain')
      if (status === 429) {
        expectOutcome(result, 'pull-request')
        return
      }
      expect(result.outputs.outcome).toBe('error')
      expect(emulator.calls('service')).toHaveLength(1)
      const [line = '', words = ''] = emulator.lastWords().split('\n').filter(Boolean)
      expect(line).toBe('**❌ The docs agent did not get the request**, @alice.')
      expect(words.split(/(?<=[.)]) (?=[A-Z])/).length).toBeLessThanOrEqual(3)
      expect(words).toContain(`HTTP ${status}`)
      expect(words).not.toMatch(/make an? .*admin key|lacks a scope/)
      emulator.faults.clear()
      expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
      expect(emulator.service.jobs()).toHaveLength(1)
    },
  )

  testMatrix(Object.entries(RETRY_AFTER), (at) => at === place)(
    '4.5 with Retry-After %s, the time stands in the words once',
    async (_, afterOf) => {
      for (const status of [402, 403, 429, 503]) {
        const emulator = world()
        const headers = { 'retry-after': afterOf(emulator) }
        emulator.faults.add({ match: CREATE, times: FOREVER, fault: { ...faultOf(status), headers } })
        expect((await emulator.ask('/docs explain')).outputs.outcome).toBe('error')
        const words = emulator.lastWords()
        expect(words.match(/2 h|in a few minutes|later/g)?.length ?? 0, words).toBeLessThanOrEqual(1)
      }
    },
  )
})

test.each<[string, Fault, string, RegExp]>([
  ['the plan', own(401, 'Upgrade your plan to use the agent'), 'payment-required', /change the plan/],
  ['a bill', own(403, 'Your invoice is overdue'), 'payment-required', /settle it/],
  [
    'a spending limit',
    own(429, 'Monthly spending limit reached'),
    'payment-required',
    /raise it in Mintlify's dashboard/,
  ],
  ['credits', own(400, 'Insufficient credits'), 'payment-required', /buy some/],
  ['a suspension', own(403, 'Organization suspended'), 'forbidden', /ask Mintlify's support why/],
])('2 a refusal that is about %s says so, whatever the status', async (_, fault, reason, remedy) => {
  const emulator = world()
  emulator.faults.add({ match: CREATE, fault })
  const result = await emulator.ask('/docs explain')
  expectOutcome(result, 'error', reason)
  expect(emulator.lastWords()).toMatch(remedy)
  expect(emulator.lastWords()).not.toMatch(/make an? .*admin key/)
  expect(errorsOf(result)).toHaveLength(1)
})

describe('4.4 a firewall between the run and a job that works', () => {
  const PAGES: readonly (readonly [string, Fault])[] = [
    ...[200, 400, 401, 403, 404, 451].map(
      (status) => [`${status} as a page`, { kind: 'html', status }] as const,
    ),
    ['a redirect to a login', { kind: 'redirect', location: 'https://login.example.com/' }],
    ['401 without a body', { kind: 'status', status: 401, body: '' }],
    ['403 as text', { kind: 'status', status: 403, body: 'Access denied' }],
  ]

  test.each(PAGES)('%s for a while: the job ends as if nothing had been', async (_, fault) => {
    const emulator = world()
    emulator.service.script.push({ reads: 3 })
    emulator.faults.add({ match: READ, skip: 1, times: 12, fault })
    expectOutcome(await emulator.ask('/docs explain'), 'pull-request')
  })

  test.each(PAGES)(
    '%s for good: the run gives up after ten minutes, and a re-run finds the job',
    async (_, fault) => {
      const emulator = world()
      emulator.service.script.push({ reads: 3 })
      const rule = emulator.faults.add({ match: READ, skip: 1, times: FOREVER, fault })
      const began = emulator.settings.now()
      const { said, ...result } = await emulator.ask('/docs explain')
      expectOutcome(result, 'error', 'service-unavailable')
      expect((emulator.settings.now() - began) / 60_000).toBeLessThan(11)
      expect(emulator.lastWords()).toMatch(
        /not the service's own\. A firewall.*The agent has the request, and its job .* goes on/,
      )
      expect(emulator.lastWords()).not.toMatch(/API key/)
      expect(emulator.records().at(-1)).toMatchObject({ state: 'running' })
      rule.remove()
      expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
      expect(emulator.service.jobs()).toHaveLength(1)
    },
  )
})
