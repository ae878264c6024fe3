import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import { world } from '../helpers/world.ts'

/** What newcomers meet first: each sentence names the page to open or the line to add. */
const API_KEYS = 'dashboard under Settings → API keys'
const SECRET_LINE = `api-key: $\{{ secrets.DOCS_AGENT_API_KEY }}`
const VARIABLE_LINE = `project-id: $\{{ vars.DOCS_AGENT_PROJECT_ID }}`
const SECRETS_PAGE = 'Settings → Secrets and variables → Actions'

const refused = (status: number, error: string): Fault => ({ kind: 'status', status, body: { error } })
const service: FaultMatch = { host: 'service' }

test.each<[string, Record<string, string>, string[]]>([
  ['no key', { 'api-key': '' }, ['api-key is missing', API_KEYS, SECRETS_PAGE, SECRET_LINE]],
  ['no project', { 'project-id': '' }, ['project-id is missing', API_KEYS, SECRETS_PAGE, VARIABLE_LINE]],
  ['neither', { 'project-id': '', 'api-key': '' }, [SECRET_LINE, 'project-id, which is missing too']],
])('1 %s: one sentence with the page and the line', async (_, inputs, parts) => {
  const result = await world().ask('/docs explain', { inputs })
  expect(result.outputs).toMatchObject({ outcome: 'error', reason: 'bad-input' })
  expect(result.annotations).toHaveLength(1)
  for (const part of parts) expect(result.annotations[0]?.message).toContain(part)
})

test.each<[string, string, Fault, string, string[]]>([
  [
    'mint_dsc_x',
    'assistant',
    refused(401, 'Unauthorized'),
    'unauthorized',
    ['an assistant key', 'admin key'],
  ],
  ['mint_us_x', 'index', refused(403, 'Forbidden'), 'forbidden', ['an index key', 'admin key', API_KEYS]],
  [
    'test-key',
    'another cause',
    refused(403, 'Your subscription does not include the API'),
    'forbidden',
    ['The key may lack a scope, or its IP allowlist leaves'],
  ],
])('2 %s (%s): the thread says what to open', { tags: 'bundle' }, async (key, _, fault, reason, parts) => {
  const emulator = world({ apiKey: key })
  emulator.faults.add({ match: service, fault, times: Number.POSITIVE_INFINITY })
  const result = await emulator.ask('/docs explain', { inputs: { 'api-key': key } })
  expect(result.outputs).toMatchObject({ outcome: 'error', reason })
  const [comment = ''] = emulator.bodies()
  for (const part of parts) expect(comment).toContain(part)
  expect(comment).not.toContain(key)
})

test('5.6 a thread that is not there: the warning names its number', async () => {
  const result = await world().dispatch({ inputs: { 'issue-number': '999' } })
  expect(result.outputs.outcome).toBe('pull-request')
  const why = /Could not read the comments of #999.* \(HTTP 404: Not Found\)\. Check that it exists\./
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(why) }])
})
