import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import { act, answer } from '../helpers/action.ts'
import { bodies, world } from './conversation-helpers.ts'

/** What newcomers meet first: each sentence names the page to open or the line to add. */
const API_KEYS = 'dashboard under Settings → API keys'
const SECRET_LINE = `api-key: $\{{ secrets.DOCS_AGENT_API_KEY }}`
const VARIABLE_LINE = `project-id: $\{{ vars.DOCS_AGENT_PROJECT_ID }}`
const SECRETS_PAGE = 'Settings → Secrets and variables → Actions'

const refused = (status: number, error: string): Fault => ({ kind: 'status', status, body: { error } })
const github = (status: number, message: string): Fault => ({ kind: 'status', status, body: { message } })
const service: FaultMatch = { host: 'service' }

test.each<[string, Record<string, string>, string[]]>([
  ['no key', { 'api-key': '' }, ['api-key is missing', API_KEYS, SECRETS_PAGE, SECRET_LINE]],
  ['no project', { 'project-id': '' }, ['project-id is missing', API_KEYS, SECRETS_PAGE, VARIABLE_LINE]],
  ['neither', { 'project-id': '', 'api-key': '' }, [SECRET_LINE, 'project-id, which is missing too']],
  ['an address for an id', { 'project-id': 'https://example.com/docs' }, ['is a URL, not an id', API_KEYS]],
])('1 %s: one sentence with the page and the line', async (_, inputs, parts) => {
  const result = await answer(await world(), '/docs explain', { inputs })
  expect(result.outputs).toMatchObject({ outcome: 'error', reason: 'bad-input' })
  expect(result.annotations).toHaveLength(1)
  for (const part of parts) expect(result.annotations[0]?.message).toContain(part)
})

test.each<[string, string, Fault, string, string[]]>([
  [
    'an assistant key',
    'mint_dsc_x',
    refused(401, 'Unauthorized'),
    'unauthorized',
    ['looks like an assistant key', 'admin key', API_KEYS],
  ],
  [
    'an index key',
    'mint_us_x',
    refused(403, 'Forbidden'),
    'forbidden',
    ['looks like an index key', 'admin key', API_KEYS],
  ],
  ['an expired key', 'test-key', refused(401, 'API key has expired'), 'unauthorized', ['expired', API_KEYS]],
  [
    'a key of read scope',
    'test-key',
    refused(403, 'Missing scope: write'),
    'forbidden',
    ['lacks a scope', 'write scope', API_KEYS],
  ],
  [
    'a key with an IP list',
    'test-key',
    refused(403, 'IP not allowed'),
    'forbidden',
    ['IP allowlist leaves this runner out', 'Settings → API keys'],
  ],
  [
    'a page of a CDN',
    'test-key',
    { kind: 'html', status: 403 },
    'forbidden',
    ['may lack a scope', 'IP allowlist', API_KEYS],
  ],
  [
    'an unknown project',
    'test-key',
    refused(404, 'Not found'),
    'job-not-found',
    ['knows no project `docs`', '`project-id`', API_KEYS],
  ],
  [
    'no credits',
    'test-key',
    refused(402, 'Payment required'),
    'payment-required',
    ['Billing on the dashboard'],
  ],
])('2 %s: the thread says what to open', async (_, key, fault, reason, parts) => {
  const emulator = await world({ apiKey: key })
  emulator.faults.add({ match: service, fault, times: Number.POSITIVE_INFINITY })
  const result = await answer(emulator, '/docs explain', { inputs: { 'api-key': key } })
  expect(result.outputs).toMatchObject({ outcome: 'error', reason })
  const [comment = ''] = bodies(emulator)
  for (const part of parts) expect(comment).toContain(part)
  expect(comment).not.toContain(key)
})

test('5.6 a workflow that forgot `issues: write`: the job runs, and the warning names the line and where it goes', async () => {
  const emulator = await world({ permissions: { issues: 'read', pull_requests: 'read' } })
  const result = await answer(emulator, '/docs explain')
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
  const line = /Add the line issues: write under permissions: of the job in the workflow file/
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(line) }])
})

test.each<[string, Fault, RegExp]>([
  ['is not valid', github(401, 'Bad credentials'), /Bad credentials\). Pass a valid github-token/],
  [
    'cannot read who may write',
    github(403, 'Resource not accessible'),
    /Pass a github-token that can do this/,
  ],
])('3.3 a token that %s: denied, and a warning says why', async (_, fault, why) => {
  const emulator = await world()
  emulator.faults.add({ match: { host: 'github', path: /permission$/ }, fault })
  const result = await answer(emulator, '/docs explain')
  expect(result.outputs).toMatchObject({ outcome: 'skipped', reason: 'permission-denied' })
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(why) }])
  expect(bodies(emulator).join()).toContain('yours could not be read')
})

test('5.6 a thread that is not there: the warning names its number', async () => {
  const result = await act(await world(), { inputs: { 'issue-number': '999' } })
  expect(result.outputs.outcome).toBe('pull-request')
  const why = /Could not read the comments of #999 \(HTTP 404: Not Found\)\. Check that it exists\./
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(why) }])
})
