import { expect, test } from 'vitest'
import { world } from '../helpers/world.ts'

/** What newcomers meet first: each sentence names the page to open or the line to add. */
const API_KEYS = 'dashboard under Settings → API keys'
const SECRET_LINE = `api-key: $\{{ secrets.MINTLIFY_API_KEY }}`
const VARIABLE_LINE = `project-id: $\{{ vars.MINTLIFY_PROJECT_ID }}`
const SECRETS_PAGE = 'Settings → Secrets and variables → Actions'

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

test('5.6 a thread that is not there: the warning names its number', async () => {
  const result = await world().dispatch({ inputs: { 'issue-number': '999' } })
  expect(result.outputs.outcome).toBe('pull-request')
  const why = /Could not read the comments of #999.* \(HTTP 404: Not Found\)\. Check that it exists\./
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(why) }])
})
