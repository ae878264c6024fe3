import { describe, expect, test } from 'vitest'
import type { Failure } from '../../src/http/failure.ts'
import { TransportError } from '../../src/http/fetch.ts'
import { DEFAULT_BASE_URL, statusFailure } from '../../src/http/service.ts'
import { type Call, explainFailure } from '../../src/words/service-causes.ts'

const ACCESS = { baseUrl: 'https://api.example.com', apiKey: 'test-key', memoryKey: '', projectId: 'docs' }
const JSON_TYPE = { 'content-type': 'application/json' }

function judged(
  status: number,
  body: unknown,
  { call = 'create' as Call, headers = {}, access = ACCESS } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = { status, text, headers: new Headers({ ...JSON_TYPE, ...headers }) }
  return explainFailure(call, statusFailure(answer, Date.UTC(2026, 0, 1), ['test-key']), access, 'j_1')
}

const own = (status: number, error: string, more = {}) => judged(status, { error }, more)

/** What such services say, in the words of public threads. */
const PLAN = /plan does not include this/
const CREDITS = /no credits left/
const QUOTA = /quota or the spending limit/
const BILL = /A payment of the organization is open/
const SUSPENDED = /has suspended/
const LIMIT = /The limit is 100 job creations/

test.each<[number, string, string, RegExp]>([
  [401, 'Please upgrade your plan to use the agent API', 'payment-required', PLAN],
  [403, 'Your plan does not include API access', 'payment-required', PLAN],
  [403, 'This feature is not available on the Hobby plan', 'payment-required', PLAN],
  [401, 'Subscription expired', 'payment-required', PLAN],
  [403, 'Your trial has ended', 'payment-required', PLAN],
  [403, 'The agent is a Pro feature', 'payment-required', PLAN],
  [401, 'The API is only available to Enterprise customers', 'payment-required', PLAN],
  [403, 'No active subscription', 'payment-required', PLAN],
  [400, 'The agent requires a Pro plan', 'payment-required', PLAN],
  [402, 'Insufficient credits', 'payment-required', CREDITS],
  [403, 'You are out of credits', 'payment-required', CREDITS],
  [400, 'Your credit balance is too low', 'payment-required', CREDITS],
  [401, 'No credits remaining', 'payment-required', CREDITS],
  [429, 'Monthly credit limit reached', 'payment-required', QUOTA],
  [403, 'You have used all of your credits', 'payment-required', CREDITS],
  [403, '0 credits remaining', 'payment-required', CREDITS],
  [429, 'Sorry, your account balance is insufficient: top up your credits', 'payment-required', CREDITS],
  [429, 'You exceeded your current quota, please check your plan', 'payment-required', QUOTA],
  [403, 'Monthly quota exceeded', 'payment-required', QUOTA],
  [429, 'Monthly limit reached', 'payment-required', QUOTA],
  [403, 'You have reached the maximum number of agent jobs for this month', 'payment-required', QUOTA],
  [429, 'Limit for this billing period exceeded', 'payment-required', QUOTA],
  [400, 'Billing hard limit has been reached', 'payment-required', QUOTA],
  [429, 'Your account has exceeded its monthly spending cap', 'payment-required', QUOTA],
  [402, 'Budget has been exceeded', 'payment-required', QUOTA],
  [402, 'Overages are disabled', 'payment-required', QUOTA],
  [402, 'Your invoice is overdue', 'payment-required', BILL],
  [403, 'Your card was declined', 'payment-required', BILL],
  [402, 'The credit card has expired', 'payment-required', BILL],
  [403, 'Make payments for your unpaid invoices to proceed', 'payment-required', BILL],
  [402, 'Payment failed: update your payment method', 'payment-required', BILL],
  [401, 'The subscription is past due', 'payment-required', BILL],
  [403, 'Your account is suspended because of an unpaid invoice', 'payment-required', BILL],
  [429, "You have reached your plan's limit", 'payment-required', QUOTA],
  [403, 'Your account has been suspended', 'forbidden', SUSPENDED],
  [401, 'Organization is deactivated', 'forbidden', SUSPENDED],
  [423, 'This workspace is frozen', 'forbidden', SUSPENDED],
  [429, 'Suspended project', 'forbidden', SUSPENDED],
  [403, 'Access suspended', 'forbidden', SUSPENDED],
  [429, 'Rate limit exceeded. Upgrade your plan for higher limits.', 'rate-limited', LIMIT],
  [403, 'Rate limit exceeded', 'rate-limited', LIMIT],
  [403, 'Hourly limit exceeded', 'rate-limited', LIMIT],
  [403, 'You are being rate-limited', 'rate-limited', LIMIT],
  [400, 'Too many requests', 'rate-limited', LIMIT],
  [401, 'Invalid API key', 'unauthorized', /wrong or has expired/],
  [403, 'API key expired', 'unauthorized', /wrong or has expired/],
  [400, 'API key not valid', 'unauthorized', /wrong or has expired/],
  [401, 'Unauthorized', 'unauthorized', /wrong or has expired/],
  [401, 'Missing bearer token', 'unauthorized', /wrong or has expired/],
  [403, 'Missing scope: write', 'forbidden', /lacks a scope/],
  [401, 'This key is read-only', 'forbidden', /lacks a scope/],
  [403, 'IP not allowed', 'forbidden', /allowlist leaves this runner out/],
  [401, 'The address is not on the allowlist', 'forbidden', /allowlist leaves this runner out/],
  [400, 'prompt is too long', 'rejected', /Ask for less at a time/],
  [422, 'Request body exceeds 1 MB', 'rejected', /Ask for less at a time/],
  [413, 'Payload Too Large', 'rejected', /Ask for less at a time/],
])('4.3 %i %j is %s', (status, error, reason, remedy) => {
  const { sentence, ...rest } = own(status, error)
  expect(rest.reason).toBe(reason)
  expect(sentence).toMatch(remedy)
  expect(sentence).toContain(`(HTTP ${status}: \`${error}\`)`)
  if (reason !== 'unauthorized') expect(sentence).not.toMatch(/wrong or has expired/)
  expect(rest.fate).toBe(reason === 'rate-limited' ? 'limited' : 'refused')
})

test.each<[number, string]>([
  [400, 'rejected'],
  [401, 'unauthorized'],
  [402, 'payment-required'],
  [403, 'forbidden'],
  [404, 'job-not-found'],
  [409, 'rejected'],
  [422, 'rejected'],
  [423, 'rejected'],
  [429, 'rate-limited'],
  [451, 'rejected'],
  [499, 'rejected'],
  [500, 'service-unavailable'],
  [503, 'service-unavailable'],
  [599, 'service-unavailable'],
])('2 %i with words that nobody knows is %s: quoted, with advice that is true of all', (status, reason) => {
  for (const words of ['Zork 17', 'Blocked by policy', 'The moon is full']) {
    const { sentence, ...rest } = own(status, words)
    expect(rest.reason).toBe(reason)
    expect(sentence).toContain(words)
    expect(sentence).not.toMatch(/make a new|lacks a scope|leaves this runner out/)
  }
})

describe('an answer that is not the service’s own', () => {
  const PAGES = [
    '<!DOCTYPE html><html><head><title>Sorry, you have been blocked</title></head></html>',
    '<html><body><h1>Sorry, you have been blocked</h1>Sign in to go on.</body></html>',
    '\n <HTML><TITLE>\nSorry, you have been blocked</TITLE></HTML>',
  ]
  const STATUSES = [400, 401, 403, 404, 405, 407, 409, 422, 423, 451]

  test.each(STATUSES)('4.3 a page with %i is quoted, and blames no key', (status) => {
    for (const page of PAGES) {
      const { reason, fate, sentence } = judged(status, page)
      expect([reason, fate]).toEqual(['bad-response', 'refused'])
      expect(sentence).toContain('Sorry, you have been blocked')
      expect(sentence).toMatch(/firewall.*login.*base-url/)
      expect(sentence).not.toMatch(/key/i)
    }
  })

  test.each(STATUSES)('4.3 an answer of another shape with %i blames no key', (status) => {
    for (const body of [
      '',
      '{"error":"Invalid API k',
      '{"message":"Forbidden"}',
      'Forbidden',
      // What gateways before the service say of their own keys and lists.
      '{"message":"Unauthorized"}',
      '{"message":"Invalid API key"}',
      '{"message":"Missing scope"}',
      'IP not allowed',
      '[]',
      '{"error":1}',
    ]) {
      const { reason, sentence } = judged(status, body)
      const byStatus: Record<number, string> = { 401: 'unauthorized', 403: 'forbidden', 404: 'bad-response' }
      expect(reason).toBe(byStatus[status] ?? 'rejected')
      expect(sentence).not.toMatch(/wrong or has expired|lacks a scope|allowlist/)
    }
  })

  test.each(STATUSES)('4.4 where a job is read, %i says nothing of it', (status) => {
    for (const body of ['', '{"error":"Job not f', ...PAGES]) {
      const { reason, sentence } = judged(status, body, { call: 'read' })
      expect(reason).toBe('service-unavailable')
      expect(sentence).toMatch(/A firewall, a proxy or a login page may have sent it/)
    }
  })

  test.each<[number, string, string, RegExp]>([
    [401, '{"message":"Upgrade your plan"}', 'payment-required', PLAN],
    [
      403,
      '{"detail":{"message":"x"},"error":{"message":"Insufficient credits"}}',
      'payment-required',
      CREDITS,
    ],
    [402, 'Payment Required', 'payment-required', /may have no credits left/],
    [402, '', 'payment-required', /may have no credits left/],
    [429, 'Too many requests', 'rate-limited', LIMIT],
    [429, PAGES[0] ?? '', 'rate-limited', LIMIT],
    [429, '', 'rate-limited', LIMIT],
    [413, '<html><title>413 Request Entity Too Large</title></html>', 'rejected', /Ask for less at a time/],
  ])('4.3 %i %j all the same is %s', (status, body, reason, remedy) => {
    const { sentence, ...rest } = judged(status, body)
    expect(rest.reason).toBe(reason)
    expect(sentence).toMatch(remedy)
  })
})

describe('when to come back stands in a sentence once', () => {
  const FORMS = ['3600', new Date(Date.UTC(2026, 0, 1, 1)).toUTCString()]

  test.each([402, 403, 429, 500, 503])('4.5 %i', (status) => {
    for (const after of FORMS) {
      for (const body of [
        { error: 'Please come back' },
        { error: 'Too many requests' },
        '<html></html>',
        '',
      ]) {
        const { sentence } = judged(status, body, { headers: { 'retry-after': after } })
        expect(sentence.match(/in 1 h|later|in a few minutes/g) ?? []).toHaveLength(
          status === 403 && typeof body === 'string' ? 0 : 1,
        )
      }
    }
  })
})

test.each<[string, number, string, RegExp]>([
  ['message', 409, 'The job is still running', /Re-run the workflow once it has ended/],
  ['message', 400, 'Agent is busy', /Re-run the workflow once it has ended/],
  ['message', 423, 'Session in progress', /Re-run the workflow once it has ended/],
  ['message', 409, 'Job is archived', /Ask for a new job/],
  ['message', 400, 'Job has ended', /Ask for a new job/],
  ['message', 422, 'The session was closed', /Ask for a new job/],
  ['create', 409, 'The job is still running', /ask Mintlify's support about it/],
  ['message', 404, 'Job was deleted', /knows no job `j_1`/],
  ['read', 404, 'Job not found', /knows no job `j_1`.*: someone may have deleted it\.$/],
  ['create', 404, 'Project not found', /knows no project `docs`/],
  ['key', 404, 'Not found', /knows no project `docs`/],
  ['visitors', 429, 'Too many requests', /100 requests an organization an hour/],
  ['searches', 403, 'Missing scope: read', /lacks a scope/],
  [
    'read',
    429,
    'Too many requests',
    /^The service refused to read the job \(HTTP 429: `Too many requests`\)\. Re-run the workflow in a few minutes\.$/,
  ],
])('4.3 a cause counts in the call that can have it: %s %i %j', (call, status, error, remedy) => {
  expect(own(status, error, { call: call as Call }).sentence).toMatch(remedy)
})

test('1.1 a key of another kind is a hint where the key may be the cause, and nowhere else', () => {
  const access = { ...ACCESS, apiKey: 'mint_dsc_1' }
  const hint = /begins with `mint_dsc_` like an assistant key/
  for (const status of [401, 403]) expect(own(status, 'No', { access }).sentence).toMatch(hint)
  expect(own(401, 'Upgrade your plan', { access }).sentence).not.toMatch(hint)
  expect(judged(401, '<html></html>', { access }).sentence).not.toMatch(hint)
})

test('4.7 a connection that breaks is the network, and an answer that is too large is not', () => {
  const broken = (kind: 'unsent' | 'too-large') =>
    explainFailure('create', { kind: 'transport', error: new TransportError(kind, 'it broke') }, ACCESS)
  expect(broken('unsent')).toMatchObject({ reason: 'network', fate: 'unsent' })
  expect(broken('too-large')).toMatchObject({ reason: 'bad-response', fate: 'open' })
})

describe('an input is named where the workflow sets it, and only there', () => {
  const OWN = { ...ACCESS, baseUrl: DEFAULT_BASE_URL }
  const unsent = { kind: 'transport', error: new TransportError('unsent', 'connection refused') } as const
  const unreadable = { kind: 'unreadable', detail: 'an answer that is not a job', isOwn: true } as const

  test.each<[string, Failure]>([
    ['no answer', unsent],
    ['a page', statusFailure({ status: 403, text: '<html></html>', headers: new Headers() }, 0, [])],
    ['an empty answer', statusFailure({ status: 401, text: '', headers: new Headers() }, 0, [])],
    ['no job', unreadable],
  ])('4.3 `base-url`, after %s', (_, failure) => {
    expect(explainFailure('create', failure, OWN).sentence).not.toContain('base-url')
    expect(explainFailure('create', failure, ACCESS).sentence).toMatch(/`base-url`/)
    expect(explainFailure('create', failure, ACCESS).sentence).toContain('`https://api.example.com`')
  })

  test.each(['Job not found', 'No such job', 'Zork 17'])('4.3 `job-id`, after %j', (error) => {
    const asked = (jobId?: string) =>
      own(404, error, { call: 'message', access: { ...ACCESS, jobId } }).sentence
    expect(asked('j_1')).toMatch(/correct `job-id` in the workflow.*a re-run uses the old workflow file/)
    expect(asked('j_2')).not.toContain('job-id')
    expect(asked()).toMatch(/deleted it\. Ask for a new job/)
  })
})

describe('a redirect: both addresses, and what to set', () => {
  const sentTo = 'https://api.example.com/v2/agent/docs/job'
  const redirected = (location: string, status = 307, call: Call = 'create') => {
    const answer = { status, text: '', headers: new Headers({ location }), url: sentTo }
    return explainFailure(call, statusFailure(answer, 0, ['test-key']), ACCESS)
  }

  test.each([
    ['https://eu.example.com/v2/agent/docs/job', 'https://eu.example.com'],
    ['https://example.com/proxy/v2/agent/docs/job?key=test-key', 'https://example.com/proxy'],
    ['//api2.example.com/v1/analytics/docs/visitors', 'https://api2.example.com'],
  ])('4.3 to %s: set `base-url`, and ask anew', (location, base) => {
    const { sentence, reason, fate } = redirected(location)
    expect([reason, fate]).toEqual(['bad-response', 'refused'])
    expect(sentence).toMatch(
      / went to `https:\/\/api\.example\.com`, which redirects it \(HTTP 307\) to `https:/,
    )
    expect(sentence).toContain(`set \`base-url: ${base}\` in the workflow.`)
    expect(sentence).not.toContain('test-key')
  })

  test.each([
    'https://login.example.com/?return=https://api.example.com/v2/agent/docs/job',
    'http://eu.example.com/v2/agent/docs/job',
    '/login',
  ])('4.3 to %s: no address to set, but the network to check', (location) => {
    const { sentence } = redirected(location, 302)
    expect(sentence).toMatch(/proxy or a login page may have sent it/)
    expect(sentence).not.toMatch(/set `base-url/)
  })

  test('4.3 to nowhere', () => {
    const failure = statusFailure({ status: 302, text: '', headers: new Headers() }, 0, [])
    expect(explainFailure('create', failure, ACCESS).sentence).toContain(
      'to another address, which it does not name',
    )
  })
})
