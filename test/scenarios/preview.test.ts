import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { Deployment } from '../../emulator/service/previews.ts'
import { verifyRecord } from '../../src/request/signed-record.ts'
import { answer } from '../helpers/action.ts'
import { deadlineAtFirst } from '../helpers/deadline.ts'
import { bodies, world as emulated, ISSUE, signingOf } from './conversation-helpers.ts'

const INPUTS = { preview: 'true' }
const DEPLOY: FaultMatch = { host: 'service', method: 'POST', path: /\/preview\// }
const STATUS: FaultMatch = { host: 'service', method: 'GET', path: /\/update-status\// }
const signing = signingOf()

async function world(deployment: Deployment = {}) {
  const emulator = await emulated()
  emulator.service.previews.everyDeployment = deployment
  return emulator
}

type World = Awaited<ReturnType<typeof world>>

const deployments = ({ requests }: World) =>
  requests
    .filter(({ path, method }) => method === 'POST' && path.includes('/preview/'))
    .map(({ body }) => body)

test('4.10 the result is posted first, and shows the preview once it is there', async () => {
  const emulator = await world({ reads: 2 })
  const result = await answer(emulator, '/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({ outcome: 'pull-request', 'preview-status': 'success' })
  expect(result.outputs['preview-url']).toMatch(/^https:\/\/docs-docs-agent-j-\w+\.preview\.example\.com\/$/)
  expect(deployments(emulator)).toEqual([{ branch: emulator.service.jobs()[0]?.branch }])
  const [comment = '', ...others] = bodies(emulator)
  expect(others).toEqual([])
  expect(comment.split('\n')[1]).toMatch(
    /^\[Preview\]\(https:\/\/docs-docs-agent-j-\w+\.preview\.example\.com\/\)\. Review it there\./,
  )
  expect(verifyRecord(comment, signing)).toMatchObject({ state: 'reported', settings: { preview: true } })
  expect(result.summary).toContain(result.outputs['preview-url'])
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
  ]
  const emulator = await world({ reads: 0, ending: 'failure', logs, summary: '' })
  const result = await answer(emulator, '/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({
    outcome: 'pull-request',
    'preview-status': 'failure',
    'preview-url': '',
  })
  expect(result.exitCode).toBe(0)
  const [comment = ''] = bodies(emulator)
  expect(comment).toMatch(
    /^\*\*✅ .*\n\*\*⚠️ The preview of \[.*\) failed to build\.\*\* The end of its log is below\. Reply `\/docs fix the build`/,
  )
  expect(comment).toContain('<details><summary>End of the build log</summary>\n\n``````text\n')
  expect(comment).toContain('\nline 39.\n@bob `````\n</details> <b>\n')
  expect(comment).not.toContain('line 5.\n')
  expect(comment).not.toContain('\u001b')
  expect(verifyRecord(comment, signing)).toMatchObject({ state: 'reported' })
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringMatching(/failed to build/) },
  ])
})

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
  ['a status that is gone', STATUS, status(404), 'unavailable', /no longer knows/],
  ['a status to come back for', STATUS, status(429, { 'retry-after': '7200' }), 'timed-out', /retry in 2 h/],
])('4.10 %s: one warning, and the outcome stays', async (_, match, fault, expected, warning) => {
  const emulator = await world()
  emulator.faults.add({ match, fault, times: Number.POSITIVE_INFINITY })
  const result = await answer(emulator, '/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({
    outcome: 'pull-request',
    'preview-status': expected,
    'preview-url': '',
  })
  expect(result.exitCode).toBe(0)
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringMatching(warning) }])
  expect(bodies(emulator)).toHaveLength(1)
  expect(bodies(emulator)[0]).not.toContain('review](')
  expect(deployments(emulator)).toHaveLength(1)
})

test('4.10 a preview that never comes ends with the deadline', async () => {
  const emulator = await world({ ending: 'never' })
  const result = await answer(emulator, '/docs explain', {
    inputs: INPUTS,
    env: deadlineAtFirst(emulator, STATUS),
  })
  expect(result.outputs).toMatchObject({ outcome: 'pull-request', 'preview-status': 'timed-out' })
  expect(result.annotations).toMatchObject([{ level: 'warning' }])
  expect(result.exitCode).toBe(0)
})

test('4.10 a link that cannot be used is not passed on', async () => {
  const emulator = await world({ reads: 0, previewUrl: 'javascript:alert(1)' })
  const result = await answer(emulator, '/docs explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({ 'preview-status': 'success', 'preview-url': '' })
  expect(result.annotations).toMatchObject([
    { level: 'warning', message: expect.stringMatching(/unusable link/) },
  ])
  expect(bodies(emulator).join()).not.toContain('javascript')
})

test('4.10 without a pull request, or without the input, nothing is deployed', async () => {
  const emulator = await world()
  await answer(emulator, '/docs explain')
  emulator.service.script.push({ pr: 'none' })
  const result = await answer(emulator, '/docs new explain', { inputs: INPUTS })
  expect(result.outputs).toMatchObject({ outcome: 'no-pull-request', 'preview-status': '' })
  expect(deployments(emulator)).toEqual([])
})
