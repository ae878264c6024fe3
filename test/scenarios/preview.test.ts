import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { Deployment } from '../../emulator/service/previews.ts'
import { verifyRecord } from '../../src/request/signed-record.ts'
import { IN_BUNDLE, ISSUE, ownWorld, signingOf, type World, world } from '../helpers/world.ts'

const INPUTS = { preview: 'true' }
const DEPLOY: FaultMatch = { host: 'service', method: 'POST', path: /\/preview\// }
const STATUS: FaultMatch = { host: 'service', method: 'GET', path: /\/update-status\// }
const signing = signingOf()

function deploying(deployment: Deployment = {}) {
  const emulator = world()
  emulator.service.previews.everyDeployment = deployment
  return emulator
}

const deployments = ({ requests }: World) =>
  requests
    .filter(({ path, method }) => method === 'POST' && path.includes('/preview/'))
    .map(({ body }) => body)

test('4.10 the result is posted first, and shows the preview once it is there', async () => {
  const emulator = deploying({ reads: 2 })
  const result = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({ outcome: 'pull-request', 'preview-status': 'success' })
  expect(result.outputs['preview-url']).toMatch(/^https:\/\/docs-docs-agent-j-\w+\.preview\.example\.com\/$/)
  expect(result.log).not.toContain('does not know the status')
  expect(deployments(emulator)).toEqual([{ branch: emulator.service.jobs()[0]?.branch }])
  const [comment = '', ...others] = emulator.bodies()
  expect(others).toEqual([])
  expect(comment.split('\n')[1]).toMatch(
    /^\[Preview\]\(https:\/\/docs-docs-agent-j-\w+\.preview\.example\.com\/\) \([\w.-]+\)\. Review it there\./,
  )
  expect(verifyRecord(comment, signing)).toMatchObject({ state: 'reported', settings: { preview: true } })
  expect(result.summary).toContain(result.outputs['preview-url'])
  // The log says each thing once.
  expect(result.log.match(/^Pull request: |opened octo/gm)).toHaveLength(2)
  expect(result.annotations).toEqual([])

  const calls = emulator.requests.map(({ method, path }) => `${method} ${path}`)
  const posted = calls.lastIndexOf(`POST /repos/octo/app/issues/${ISSUE}/comments`)
  const deployed = calls.findIndex((call) => call.includes('/preview/'))
  const edited = calls.findLastIndex((call) => call.startsWith('PATCH '))
  expect(posted).toBeLessThan(deployed)
  expect(deployed).toBeLessThan(edited)
})

test('4.10 a failed build shows the end of its log, which anything may have written', async () => {
  const logs = [
    ...Array.from({ length: 40 }, (_, i) => `line ${i}.`),
    '@bob `````',
    '</details> <b>',
    '\u001b[31mred\u001b[0m',
    'x'.repeat(400),
  ]
  const summary = 'No page\r\n\r\nwas built.'
  const emulator = deploying({ reads: 0, ending: 'failure', logs, summary })
  const result = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({
    outcome: 'pull-request',
    'preview-status': 'failure',
    'preview-url': '',
  })
  expect(result.exitCode).toBe(0)
  const [comment = ''] = emulator.bodies()
  expect(comment).toMatch(
    /^\*\*✅ .*\n\*\*⚠️ The preview of \[.*\) failed to build\.\*\* The end of its log is below\. Reply `\/docs fix the build` to ask for a fix\.$/m,
  )
  expect(comment).toContain('<details><summary>End of the build log</summary>\n\n``````text\n')
  expect(comment).toContain('\nline 39.\n@bob `````\n</details> <b>\nred\n')
  expect(comment).toContain(`\n${'x'.repeat(249)}…\nNo page\nwas built.\n\`\`\``)
  expect(comment).not.toContain('line 5.\n')
  expect(comment).not.toContain('\u001b')
  expect(verifyRecord(comment, signing)).toMatchObject({ state: 'reported' })
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringMatching(/failed to build/) },
  ])
})

test('4.10 of a log in one piece people see the end, and no log holds up the run', async () => {
  // Each part could begin a command for a terminal.
  const slow = '\u001b];a'.repeat(40_000)
  const whole = `${'It compiles.\n'.repeat(10_000)}It fails.`
  const logs = [...Array<string>(14).fill(slow), whole]
  const emulator = deploying({ reads: 0, ending: 'failure', logs, summary: '' })
  const before = process.threadCpuUsage()
  await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(emulator.lastWords()).toContain('\nIt compiles.\nIt fails.\n```')
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(8000)
})

const ELSEWHERE = { statusId: '..', previewUrl: 'x' }
const status = (code: number, headers = {}): Fault => ({
  kind: 'status',
  status: code,
  body: { error: 'no' },
  headers,
})

test.each<[string, FaultMatch, Fault, string, RegExp]>([
  ['the plan has none', DEPLOY, status(403), 'unavailable', /plan/],
  ['no such project', DEPLOY, status(404), 'unavailable', /project/],
  ['too many, and no time left', DEPLOY, status(429, { 'retry-after': '7200' }), 'unavailable', /5 previews/],
  ['an outage', DEPLOY, status(500), 'unavailable', /not known/],
  ['no answer', DEPLOY, { kind: 'reset' }, 'unavailable', /not known/],
  ['an unreadable answer', DEPLOY, { kind: 'html', status: 200 }, 'unavailable', /not known/],
  [
    'an id that leads elsewhere',
    DEPLOY,
    { kind: 'status', status: 202, body: ELSEWHERE },
    'unavailable',
    /not known/,
  ],
  [
    'a status that says nothing',
    STATUS,
    { kind: 'status', status: 200, body: {} },
    'unavailable',
    /not about a preview/,
  ],
  ['a status that is gone', STATUS, status(404), 'unavailable', /no longer knows/],
  ['a status to come back for', STATUS, status(429, { 'retry-after': '7200' }), 'timed-out', /retry in 2 h/],
])('4.10 %s: one warning, and the outcome stays', async (_, match, fault, expected, warning) => {
  const emulator = deploying()
  emulator.faults.add({ match, fault, times: Number.POSITIVE_INFINITY })
  const result = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({
    outcome: 'pull-request',
    'preview-status': expected,
    'preview-url': '',
  })
  expect(result.exitCode).toBe(0)
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(warning) }])
  expect(result.summary).toMatch(/^> There is no preview of .+/m)
  expect(emulator.bodies()).toHaveLength(1)
  expect(emulator.bodies()[0]).not.toContain('review](')
  expect(deployments(emulator)).toHaveLength(1)
})

const AGAIN = /Trying again in/
const PAUSED: Fault = { kind: 'status', status: 200, body: { status: 'paused' } }
test.skipIf(IN_BUNDLE).each<[string, FaultMatch, Fault, number, RegExp]>([
  ['a limit that passes', DEPLOY, status(429, { 'retry-after': '60' }), 1, AGAIN],
  ['a refused connection', DEPLOY, { kind: 'refuse' }, 4, AGAIN],
  ['reads that fail', STATUS, status(502), 3, AGAIN],
  ['a status that is not known', STATUS, PAUSED, 1, /preview paused .*does not know/],
])('4.10 %s is waited out', async (_, match, fault, times, says) => {
  const emulator = deploying()
  emulator.faults.add({ match, fault, times })
  const { outputs, log } = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(outputs['preview-status']).toBe('success')
  expect(log).toMatch(says)
})

test('4.10 the branch of the pull request is deployed, not the one that the job began from', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ fields: { source: { ref: 'main' } } })
  await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(deployments(emulator)).toEqual([{ branch: emulator.service.jobs()[0]?.branch }])
})

test('4.10 where no branch is known, nothing is deployed', async () => {
  const emulator = deploying()
  emulator.service.script.push({ fields: { source: {} } })
  const { outputs } = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(outputs['preview-status']).toBe('unavailable')
  expect(deployments(emulator)).toEqual([])
})

test.skipIf(IN_BUNDLE)('4.10 a preview that never comes ends with the deadline', async () => {
  const emulator = deploying({ ending: 'never' })
  const result = await emulator.ask('/docs explain', {
    inputs: INPUTS,
  })
  expect(result.outputs).toMatchObject({ outcome: 'pull-request', 'preview-status': 'timed-out' })
  expect(result.annotations).toMatchObject([{ level: 'warning' }])
  expect(result.exitCode).toBe(0)
})

test.skipIf(IN_BUNDLE)('4.10 a preview is not asked for once the deadline has passed', async () => {
  const emulator = deploying()
  const slow: Fault = { kind: 'delay', ms: 9000 }
  emulator.faults.add({ match: { host: 'github', path: /\/pulls\/77$/ }, fault: slow })
  const inputs = { ...INPUTS, 'timeout-minutes': '0.1' }
  const { outputs } = await emulator.ask('/docs explain', { inputs })
  expect(outputs).toMatchObject({ outcome: 'pull-request', 'preview-status': 'timed-out' })
  expect(deployments(emulator)).toEqual([])
})

test('4.10 a link that cannot be used is not passed on', async () => {
  const emulator = deploying({ reads: 0, previewUrl: 'javascript:alert(1)' })
  const result = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({ 'preview-status': 'success', 'preview-url': '' })
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringMatching(/unusable link/) },
  ])
  expect(emulator.bodies().join()).not.toContain('javascript')
})

test('4.10 without a pull request, or without the input, nothing is deployed', async () => {
  const emulator = deploying()
  await emulator.ask('/docs explain')
  emulator.service.script.push({ pr: 'none' })
  const result = await emulator.ask('/docs new explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({ outcome: 'no-pull-request', 'preview-status': '' })
  expect(deployments(emulator)).toEqual([])
})
