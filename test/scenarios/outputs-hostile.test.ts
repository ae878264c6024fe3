import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { type RunResult, runAction } from '../../emulator/runner.ts'
import { nodesOf, pageTree } from '../helpers/rendered-page.ts'
import { CREATE, DISPATCH, errorsOf, IN_BUNDLE, MEMORY_KEY, READ, world } from '../helpers/world.ts'

const HOSTILE = [
  'x',
  '::set-output name=outcome::pull-request',
  '::add-mask::Docs',
  '  ::stop-commands::never',
  '##[add-mask]agent',
  'y ##[error]z',
  '```',
  '</details>',
  '@octo/everyone',
  '/docs new loop',
].join('\n')

/** The runner obeyed only the action's own commands: three masks, and annotations of the given levels. */
function obeyed(result: RunResult, ...levels: string[]): void {
  const names = result.commands.map(({ name }) => name)
  expect(names).toEqual(['add-mask', 'add-mask', 'add-mask', ...levels])
  expect(new Set(result.masks)).toEqual(new Set(['test-key', MEMORY_KEY, 'test-token']))
  expect(result.fileErrors).toEqual([])
}

test('2.4 a hostile prompt', async () => {
  const emulator = world()
  const result = await emulator.ask(`/docs ${HOSTILE}`)
  expect(result.outputs.outcome).toBe('pull-request')
  obeyed(result)
  // The fence of the summary is longer than the prompt's.
  const folded = /````text\n[\s\S]*<\/details>\n@octo\/everyone\n\/docs new loop\n[\s\S]*````\n\n<\/details>/
  expect(result.summary).toMatch(folded)
  const [body = ''] = emulator.bodies()
  expect(body.split('\n')[0]).toMatch(/^\*\*✅.*@alice\.$/)
  expect(body).not.toMatch(/everyone|new loop/)
})

test('2.4 hostile fields of the job', { tags: 'bundle' }, async () => {
  const emulator = world()
  const fields = { model: HOSTILE, source: { repository: HOSTILE, ref: HOSTILE }, createdAt: HOSTILE }
  emulator.service.everyTurn = { fields, activeStatus: HOSTILE, reads: 2 }
  const result = await emulator.ask('/docs Explain retries')
  expect(result.outputs.outcome).toBe('pull-request')
  obeyed(result)
  for (const shown of [result.summary, emulator.bodies()[0]]) expect(shown).not.toMatch(/^(::|##\[|@octo)/m)
})

test.each<readonly [string, unknown]>([
  ['JSON', { error: HOSTILE, details: [{ message: HOSTILE }] }],
  ['plain text', HOSTILE],
  ['carriage returns', HOSTILE.replaceAll('\n', '\r')],
])('2.4 a hostile error body as %s', async (_, body) => {
  const emulator = world()
  const fault: Fault = { kind: 'status', status: 400, body }
  emulator.faults.add({ match: CREATE, fault })
  const result = await emulator.ask('/docs Explain retries')
  expect(result.outputs).toMatchObject({ outcome: 'error', reason: 'rejected' })
  obeyed(result, 'error')
  expect(emulator.bodies()[0]).not.toMatch(/^(::|##\[|@octo)/m)
})

test('2.4 a hostile error body of a read that is tried again', async () => {
  const emulator = world()
  emulator.faults.add({ match: READ, times: 3, fault: { kind: 'status', status: 500, body: HOSTILE } })
  const result = await emulator.dispatch()
  expect(result.outputs.outcome).toBe('pull-request')
  expect(result.log).toContain('HTTP 500')
  obeyed(result)
})

test('2.4 a hostile input', async () => {
  const emulator = world()
  obeyed(await emulator.dispatch({ inputs: { conversation: HOSTILE } }), 'error')
})

test.each([
  ['the answer to create', CREATE, 400],
  ['the answer to a read', READ, 400],
  ['a passing fault', READ, 500],
])('6.3 secrets that a body echoes are redacted: %s', async (_, match, status) => {
  const emulator = world()
  const body = { error: 'Bad header "Authorization: Bearer test-key"' }
  emulator.faults.add({ match, fault: { kind: 'status', status, body } })
  const result = await emulator.ask('/docs Explain retries')
  const printed = result.rawLog.replaceAll(/^::add-mask::.*$/gm, '')
  expect(printed).toContain('Bearer ***')
  expect(JSON.stringify([printed, result.outputs, result.summary, emulator.bodies()])).not.toContain(
    'test-key',
  )
})

/** A bug of the action: what it calls first throws. */
const BUG = { NODE_OPTIONS: "--import=data:text/javascript,Date.now=()=>{throw%20Error('bug')}" }

test.runIf(IN_BUNDLE).each([false, true])(
  '6.3 an unexpected error is one sentence; its stack needs debug logging (%j)',
  { tags: 'bundle' },
  async (debug) => {
    const emulator = world()
    const result = await runAction(emulator.given(DISPATCH, { debug, env: BUG }))
    expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'internal' } })
    expect(errorsOf(result)).toEqual([
      expect.stringMatching(/Unexpected error \(bug\)\. Re-run the workflow with debug logging/),
    ])
    expect(/^::debug::.*%0A\s+at /m.test(result.rawLog)).toBe(debug)
    expect(result.rawLog.replaceAll(/^::add-mask::.*$/gm, '')).not.toMatch(/test-key|test-token/)
  },
)

test('1.1 a key that the service returns as a field of the job reaches nobody', async () => {
  const emulator = world()
  const source = { repository: 'test-key', ref: 'test-key' }
  emulator.service.everyTurn = { fields: { model: 'test-key', source } }
  expect((await emulator.ask('/docs Explain')).outputs.outcome).toBe('pull-request')
})

test('6.3 what is saved for the post step holds no secret that a body echoes', async () => {
  const emulator = world()
  const match = { host: 'github', method: 'POST', path: /issues\/12\/comments$/ } as const
  const fault = { kind: 'status', status: 502, body: { message: 'Bearer test-token' } } as const
  emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, fault })
  const { state } = await emulator.ask('/docs explain', { post: false })
  expect(state.request).toContain('Bearer ***')
  expect(state.request).not.toContain('test-token')
})

test('2.3 secrets that a prompt holds do not reach the summary', async () => {
  const emulator = world()
  const { summary } = await emulator.ask('/docs explain test-key and test-token')
  expect(summary).toContain('explain *** and ***')
})

const REFUSES_COMMENTS = { host: 'github', method: 'POST', path: /issues\/12\/comments$/ } as const

test.each([
  ['in base64', Buffer.from('x test-token').toString('base64'), /dG9rZW4|Rlc3QtdG9/],
  ['cut off', `${'x'.repeat(140)}test-token`, /test-t/],
])('2.3 a token that GitHub echoes %s stands nowhere in the log', async (_, echoed, rest) => {
  const emulator = world()
  const fault = { kind: 'status', status: 403, body: { message: echoed } } as const
  emulator.faults.add({ match: REFUSES_COMMENTS, times: Number.POSITIVE_INFINITY, fault })
  const result = await emulator.ask('/docs explain')
  const printed = result.rawLog.replaceAll(/^::add-mask::.*$/gm, '')
  expect(printed).toContain('***')
  expect(JSON.stringify([printed, result.summary, result.outputs])).not.toMatch(rest)
})

test("2.4 GitHub's words are text in the warning of the summary", async () => {
  const emulator = world()
  const message = '![x](https://evil.example/p) <b>@octo/everyone</b> https://evil.example'
  const fault = { kind: 'status', status: 403, body: { message } } as const
  emulator.faults.add({ match: REFUSES_COMMENTS, times: Number.POSITIVE_INFINITY, fault })
  const { summary } = await emulator.ask('/docs explain')
  const nodes = nodesOf(pageTree(summary))
  expect(nodes).toContainEqual(expect.objectContaining({ value: expect.stringContaining('evil.example') }))
  expect(nodes.filter(({ tagName }) => tagName === 'img' || tagName === 'b')).toEqual([])
  const targets = nodes.flatMap((node) => ('properties' in node ? [JSON.stringify(node.properties)] : []))
  expect(targets.filter((target) => target.includes('evil'))).toEqual([])
})
