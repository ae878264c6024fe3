import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { setupRows } from '../helpers/setup-rows.ts'
import { expectOutcome, ISSUE, world } from '../helpers/world.ts'

// Contract 1.5: a dry run says whether the token reaches docs in another repository, or why it cannot know.

const ELSEWHERE = 'reach the docs in another repository'
const APP: EmulatorOptions = { tokenLogin: 'octo-docs-agent[bot]', tokenCoversDocs: true }
const ALONE: EmulatorOptions = { tokenLogin: 'octo-docs-agent[bot]' }
const WORKFLOW: EmulatorOptions = {}
const PERSON: EmulatorOptions = { tokenLogin: 'octo-machine', tokenCoversDocs: true }
const DRY = { 'dry-run': 'true', 'fix-attempts': '1' }

const hello = async (options: EmulatorOptions, inputs: Readonly<Record<string, string>> = {}) => {
  const emulator = world(options)
  const result = await emulator.ask('/docs hello', { inputs: { ...DRY, ...inputs } })
  expectOutcome(result, 'skipped', 'dry-run')
  return { emulator, rows: setupRows(result), summary: result.summary }
}

test.each([
  ['with checks', '1'],
  ['without', '0'],
])(
  '1.5 the token of an App names the repositories that it reaches: each is tried, %s',
  async (_, fixAttempts) => {
    const { emulator, rows } = await hello(APP, { 'fix-attempts': fixAttempts })
    expect(rows[ELSEWHERE]).toBe('works: `octo/docs`')
    const calls = emulator.calls('github').filter((call) => call.includes('/repos/octo/docs/'))
    expect(calls).toContainEqual(expect.stringMatching(/^GET .*\/pulls\b/))
    expect(calls.some((call) => call.includes('/check-runs'))).toBe(fixAttempts === '1')
    expect(calls.every((call) => call.startsWith('GET '))).toBe(true)
  },
)

test.each([
  ['the token of a workflow', WORKFLOW, /^not proven: .*reaches this repository alone.*an App/],
  ['the token of an App that is not installed there', ALONE, /^not proven: .*`repositories`/],
  ['the token of a person', PERSON, /^not proven: .*the first job/],
])('1.5 %s proves nothing of another repository, and the table says why', async (_, options, expected) => {
  const { rows, summary } = await hello(options)
  expect(rows[ELSEWHERE]).toMatch(expected)
  expect(summary).toContain(
    'Everything that could be checked works. The table says what is not proven, and why.',
  )
})

test.each([
  ['an App', APP, /Add the lines .*`permission-checks: read`.* to the App/],
  ['a workflow', WORKFLOW, /Add the lines .*`checks: read`.* under `permissions:`/],
  ['a person', PERSON, /Give .*`checks: read`.* to the token/],
])('1.5 what the token of %s lacks is named as people give it', async (_, options, expected) => {
  const { rows } = await hello({ ...options, permissions: { checks: 'none' } })
  expect(rows['read checks and statuses']).toMatch(expected)
})

test.each([
  [
    'an App',
    APP,
    'not proven: It needs `permission-pull-requests: write` in the step that makes the token, and the App needs that permission.',
  ],
  ['a workflow', WORKFLOW, 'not proven: It needs `pull-requests: write` under `permissions:`.'],
  ['a person', PERSON, 'not proven: The token needs `pull-requests: write`.'],
])('1.5 what stays unproven is named for the token of %s, too', async (_, options, expected) => {
  const { rows } = await hello(options)
  expect(rows["comment on the agent's pull request, with `reviewers` and `labels`"]).toBe(expected)
})

test('1.5 an App that may not read checks in the repository of the docs is told so for that one', async () => {
  const { rows, summary } = await hello({ ...APP, permissions: { checks: 'none' } })
  expect(rows[ELSEWHERE]).toMatch(/^\*\*does not work\*\*.*`octo\/docs`.*`permission-checks: read`/)
  expect(summary).toContain('2 checks failed')
})

test.each([
  ['reaches', APP, /^works: `octo\/docs`$/],
  ['does not reach', ALONE, /^\*\*does not work\*\*.*`octo\/docs`.*`repositories`/],
  ['of a workflow does not reach', WORKFLOW, /^\*\*does not work\*\*.*`octo\/docs`.*an App/],
  ['of a person does not reach', { tokenLogin: 'octo-machine' }, /^\*\*does not work\*\*.*`octo\/docs`/],
])(
  '1.5 the last job of the thread names the repository: a token that %s it',
  async (_, options, expected) => {
    const emulator = world({ docsRepositoryVisibility: 'private', ...options })
    await emulator.ask('/docs Explain retries')
    const result = await emulator.ask('/docs More of it', { inputs: DRY, runId: 2 })
    expect(setupRows(result)[ELSEWHERE]).toMatch(expected)
  },
)

test('1.5 a last job whose docs are here needs no other repository', async () => {
  const emulator = world({ docsRepository: 'octo/app' })
  await emulator.ask('/docs Explain retries')
  const result = await emulator.ask('/docs More of it', { inputs: DRY, runId: 2 })
  expect(setupRows(result)).not.toHaveProperty([ELSEWHERE])
})

test('1.5 the last job names docs that are on no GitHub', async () => {
  const emulator = world()
  await emulator.ask('/docs Explain retries')
  const comment = emulator.written(ISSUE).at(-1)
  expect(comment?.body).toContain('octo/docs#77')
  const other = await emulator.ask('/docs More of it', {
    ...{ inputs: DRY, runId: 2 },
    env: { GITHUB_SERVER_URL: 'https://github.example.com' },
  })
  expect(setupRows(other)[ELSEWHERE]).toMatch(/^not proven: .*another server/)
})

test('1.5 a token that reaches all of an organization tells nothing of where the docs are', async () => {
  const emulator = world(APP)
  const repositories = ['app', 'docs', 'web', 'api', 'cli'].map((name) => ({
    name,
    owner: { login: 'octo' },
  }))
  const body = { total_count: repositories.length, repositories }
  const match = { host: 'github', path: /\/installation\/repositories$/ } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 200, body } })
  const result = await emulator.ask('/docs hello', { inputs: DRY })
  expect(setupRows(result)[ELSEWHERE]).toMatch(/^not proven: The token reaches 4 other repositories\./)
  expect(emulator.calls().filter((call) => /octo\/(docs|web|api|cli)/.test(call))).toEqual([])
})

test('1.5 GitHub does not list what the token of an App reaches: that is neither right nor wrong', async () => {
  const emulator = world(APP)
  const match = { host: 'github', path: /\/installation\/repositories$/ } as const
  const fault = { kind: 'status', status: 502, body: { message: 'Bad gateway' } } as const
  emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, fault })
  const result = await emulator.ask('/docs hello', { inputs: DRY })
  expect(setupRows(result)[ELSEWHERE]).toMatch(/^not proven: .*HTTP 502/)
})
