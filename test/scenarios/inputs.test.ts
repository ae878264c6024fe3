import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import { errorsOf, world } from '../helpers/world.ts'

const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-inputs-'))
afterAll(() => rmSync(workspace, { recursive: true }))
const file = (name: string, content: string) => writeFileSync(join(workspace, name), content)
file('empty.md', ' \n\n')
file('long.md', 'x'.repeat(200_001))
file('good.md', 'Explain the retries — “ü”\n')

/** Exactly one error that names the input and the remedy; nothing else happens. */
function refused(result: RunResult, input: string, remedy: RegExp): void {
  expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'bad-input' } })
  expect(result.outputs).toMatchObject({ 'job-id': '', 'job-action': 'none' })
  expect(result.annotations).toHaveLength(1)
  const [message = ''] = errorsOf(result)
  expect(message).toContain(`Input ${input} `)
  expect(message).toMatch(remedy)
  expect(result.summary).toContain(`Input \`${input}\` `)
}

test.each<readonly [string, string, RegExp]>([
  ['wait', 'yes', /Write true or false\./],
  ['base-url', 'https://alice:hunter2@api.example.com', /Write an https: URL/],
  ['fix-attempts', '6', /a whole number of attempts from 0 to 5/],
  ['prompt', '', /Say what the agent should do in prompt or prompt-file/],
])('1 %s: %j is refused before any request', async (input, value, remedy) => {
  const emulator = world()
  const result = await emulator.dispatch({ inputs: { [input]: value } })
  refused(result, input, remedy)
  expect(emulator.requests).toEqual([])
  expect(result.rawLog).not.toContain('hunter2')
})

test('1.4 a prompt-file is read as UTF-8 from the workspace', { tags: 'bundle' }, async () => {
  const emulator = world()
  const inputs = { prompt: '', 'prompt-file': 'good.md', guidelines: 'none' }
  expect(await emulator.dispatch({ workspace, inputs })).toMatchObject({
    outputs: { outcome: 'pull-request' },
  })
  expect(emulator.service.jobs()[0]?.prompts).toEqual(['Explain the retries — “ü”'])
})

test.each([
  ['holds white space alone', ' \n'.repeat(400_000), /is empty. Write the request into it/],
  ['holds nothing', '', /is empty. Write the request into it/],
  ['begins with more white space than is read', ' '.repeat(800_001), /is too long. Keep it under 200,000/],
])('1.4 a prompt-file that %s', async (_, content, fault) => {
  file('request.md', content)
  const inputs = { prompt: '', 'prompt-file': 'request.md' }
  refused(await world().dispatch({ workspace, inputs }), 'prompt-file', fault)
})

test.each(['too-short-a-key', 'first-half second-half', 'first-half\u0007second-half'])(
  '1.1 5.1 the memory-key %j is refused before anything is sent, and shown nowhere',
  async (key) => {
    const emulator = world()
    const result = await emulator.dispatch({ inputs: { 'memory-key': key, 'issue-number': '12' } })
    refused(result, 'memory-key', /has fewer than 16 characters.*`?openssl rand -hex 32/)
    const shown = JSON.stringify([result.log, result.summary, result.outputs])
    expect(shown).not.toMatch(/first-half|second-half|too-short/)
    const swept = await emulator.collect({ 'memory-key': key })
    expect(errorsOf(swept)).toEqual([expect.stringContaining('Input memory-key has fewer')])
    expect(swept.log).not.toMatch(/first-half|second-half|too-short/)
    expect(emulator.calls().filter((call) => !call.startsWith('GET /'))).toEqual([])
  },
)

test.each([
  ['api-key', '"first-half-second-half"', /begins with a quotation mark/],
  ['project-id', "first-half-second-half'", /ends with a quotation mark/],
  ['github-token', "'first-half-second-half'", /begins with a quotation mark/],
])('1.1 a quotation mark of %s is refused before any request: %j', async (name, value, fault) => {
  const emulator = world()
  const result = await emulator.dispatch({ inputs: { [name]: value } })
  refused(result, name, fault)
  const swept = await emulator.collect({ [name]: value })
  expect(errorsOf(swept)).toEqual([expect.stringMatching(fault)])
  expect(JSON.stringify([result.log, result.summary, swept.log])).not.toMatch(/first-half|second-half/)
  expect(emulator.requests).toEqual([])
})

test('1.1 the key is trimmed, and masked before anything else is printed', async () => {
  const emulator = world()
  const result = await emulator.dispatch({ inputs: { 'api-key': ' test-key\n' } })
  expect(result.outputs.outcome).toBe('pull-request')
  expect(result.rawLog.split('\n')[0]).toBe('::add-mask::test-key')
  expect(result.masks).toContain('test-key')
})

test('1.2 the path prefix of base-url is kept', { tags: 'bundle' }, async () => {
  const emulator = world({ servicePrefix: '/eu/docs-api' })
  expect(await emulator.dispatch()).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
  expect(emulator.requests.map(({ path }) => path)).not.toContainEqual(expect.stringContaining('/outside'))
})

test('1.2 project-id and job-id are percent-encoded', async () => {
  const emulator = world()
  const inputs = { 'project-id': 'a/b?c', 'job-id': 'j/../1?x#y' }
  await emulator.dispatch({ inputs })
  // The job is read right before its message (4.8).
  const job = '/v2/agent/a%2Fb%3Fc/job/j%2F..%2F1%3Fx%23y'
  expect(emulator.requests.map(({ path }) => path)).toEqual([job, `${job}/message`])
})
