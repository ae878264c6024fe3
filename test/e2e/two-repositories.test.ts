import { describe, expect, test } from 'vitest'
import type { WorkflowEvent } from './helpers/act.ts'
import { checked, commented, dispatchedBy, enqueued, pulled, scheduled } from './helpers/events.ts'
import {
  commentsIn,
  expectNothing,
  expectOutcome,
  mainsOf,
  openSandbox,
  promptsOf,
  type Sandbox,
  trackingIssues,
  withInputs,
} from './helpers/sandbox.ts'

const TOKEN = 'a token for octo/app, octo/docs'
const APP = {
  secrets: { DOCS_APP_KEY: 'test-app-key' },
  vars: { DOCS_APP_REPOSITORIES: 'app, docs', DOCS_APP_CLIENT_ID: 'Iv1' },
}
const LINK = 'https://github.com/octo/docs/pull/77'
const CODE = 30

/** octo/app, whose docs are in octo/docs: only the token of the App reaches both. */
const openApart = () => openSandbox({ docsRepository: 'octo/docs', tokenCoversDocs: true, token: TOKEN })

const statesOf = ({ emulator: { github } }: Sandbox) =>
  github.statuses(github.pull(CODE).head.sha).map(({ context, state }) => `${context}: ${state}`)

function addCode({ emulator: { github } }: Sandbox): void {
  const files = [{ filename: 'src/retry.ts', patch: '@@ -1 +1 @@\n-a\n+b' }]
  github.addPullRequest({ number: CODE, title: 'Add retries', user: 'alice', labels: ['docs'], files })
}

test('the App’s token serves the thread and the docs’ pull request in the other repository', async () => {
  const sandbox = await openApart()
  const { event } = commented(sandbox, '/docs explain the new retry option')
  const run = await sandbox.run('two-repositories.yml', event, APP)
  expect(expectOutcome(run, 'pull-request').outputs).toMatchObject({ 'pr-link': LINK, checks: 'success' })
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/docs#77.* for @alice/)])
  const docs = sandbox.emulator.github.repository('octo/docs')
  expect(docs?.pulls.get(77)?.requestedReviewers).toEqual(['alice'])
  expect(docs?.issues.get(77)?.labels).toEqual(['documentation'])
})

test('the weekly refresh sends what was merged here, and reports to an issue here', async () => {
  const sandbox = await openApart()
  addCode(sandbox)
  sandbox.emulator.github.closePullRequest(CODE, { merged: true, at: Date.now() - 86_400_000 })
  const run = await sandbox.run('two-repositories-refresh.yml', scheduled('17 6 * * 1'), APP)
  expect(expectOutcome(run, 'pull-request').outputs).toMatchObject({ 'pr-link': LINK, checks: 'success' })
  expect(promptsOf(sandbox)).toEqual([[expect.stringContaining('- #30: Add retries')]])
  const [issue] = trackingIssues(sandbox, 'Docs refresh')
  expect(commentsIn(sandbox, issue?.number)).toEqual([expect.stringMatching(/octo\/docs#77/)])
})

test('the status of a pull request here says how its docs there stand, and a sweep ends what was cut off', async () => {
  const sandbox = await openApart()
  addCode(sandbox)
  const opened = pulled(sandbox, 'opened', CODE)
  const more = { ...APP, edit: withInputs('wait: false') }
  expectOutcome(await sandbox.run('two-repositories-status.yml', opened, more), 'started')
  expect(statesOf(sandbox)).toEqual(['docs: pending'])
  const sweep = await sandbox.run('two-repositories-collect.yml', scheduled('17 6-18 * * 1-5'), APP)
  expect(mainsOf(sweep).at(-1)?.outputs).toMatchObject({ finished: '1', failed: '0' })
  expect(statesOf(sandbox).at(-1)).toMatch(/^docs: (success|pending)$/)
})

test('in a private repository, the status comes with the secrets of an environment, on the default branch', async () => {
  const sandbox = await openApart()
  addCode(sandbox)
  const event = { ...pulled(sandbox, 'opened', CODE), name: 'pull_request_target' }
  const run = await sandbox.run('two-repositories-private-status.yml', event, APP)
  expectOutcome(run, 'pull-request')
  expect(statesOf(sandbox)).toEqual(['docs: pending', 'docs: success'])
})

test.each([
  ['a request', '/docs explain the new retry option', 'pull-request', '', 'octo/docs#77'],
  [
    'a skip',
    '/docs skip because only tests change',
    'skipped',
    'docs-skipped',
    'Skipped by alice: only tests change',
  ],
])('there, %s in a comment sets the status, too', async (_, words, outcome, reason, said) => {
  const sandbox = await openApart()
  addCode(sandbox)
  const { event } = commented(sandbox, words, 'alice', CODE)
  expectOutcome(await sandbox.run('two-repositories-private.yml', event, APP), outcome, reason)
  const { github } = sandbox.emulator
  const last = github.statuses(github.pull(CODE).head.sha).at(-1)
  expect(last).toMatchObject({ context: 'docs', state: 'success', description: said })
})

test('there, a fork starts nothing, although its run would have the secrets', async () => {
  const sandbox = await openApart()
  addCode(sandbox)
  const head = { ref: 'code', sha: '1'.repeat(40), repo: { full_name: 'dave/app' } }
  const event = { ...pulled(sandbox, 'opened', CODE, { head }), name: 'pull_request_target' }
  expectNothing(sandbox, await sandbox.run('two-repositories-private-status.yml', event, APP))
})

test('there, the queue needs no secret: its commit gets the status of the pull request', async () => {
  const sandbox = await openSandbox()
  const { github } = sandbox.emulator
  addCode(sandbox)
  const { sha } = github.pull(CODE).head
  const green = { name: 'docs', kind: 'status', conclusion: 'success', summary: 'octo/docs#77' } as const
  github.addChecks(sha, [green])
  const queued = 'b'.repeat(40)
  github.addChecks(queued, [])
  const run = await sandbox.run('two-repositories-private-status.yml', enqueued(CODE, queued), {
    secrets: { MINTLIFY_API_KEY: '', DOCS_AGENT_MEMORY_KEY: '' },
  })
  expectOutcome(run, 'skipped', 'merge-group')
  expect(github.statuses(queued)).toMatchObject([
    { context: 'docs', state: 'success', description: 'octo/docs#77' },
  ])
  expect(promptsOf(sandbox)).toEqual([])
})

const NOTICE = { event_type: 'docs-agent', client_payload: { 'pull-request': LINK } }

test('no runner waits: CI in the repository of the docs wakes a sweep here, which reads its checks', async () => {
  const sandbox = await openApart()
  const { event } = commented(sandbox, '/docs explain the new retry option')
  const more = { ...APP, edit: withInputs('wait: false') }
  expectOutcome(await sandbox.run('two-repositories.yml', event, more), 'started')
  const woken = await sandbox.run('two-repositories-collect.yml', dispatchedBy(NOTICE), APP)
  expect(mainsOf(woken).at(-1)).toMatchObject({ outputs: { finished: '1', failed: '0' }, annotations: [] })
  expect(commentsIn(sandbox)).toEqual([expect.stringContaining('Its check passes')])
})

describe('the repository of the docs', () => {
  const open = () =>
    openSandbox({ repository: 'octo/app', docsRepository: 'octo/docs', token: 'a token for octo/app' })
  // A workflow there sees its own pull requests.
  const run = async (sandbox: Sandbox, event: WorkflowEvent) =>
    sandbox.run('two-repositories-notify.yml', event, { ...APP, repository: 'octo/docs' })

  test('tells the one where people ask that CI has checked the agent’s pull request', async () => {
    const sandbox = await open()
    sandbox.emulator.github.addPullRequest({ number: 77, user: 'mintlify[bot]' })
    const head_repository = { full_name: 'octo/docs' }
    const result = await run(sandbox, checked(sandbox, 77, { head_repository }))
    expect([result.exitCode, mainsOf(result).map((step) => step.result)], result.text).toEqual([
      0,
      ['success', 'success'],
    ])
    expect(sandbox.emulator.requests).toMatchObject([
      { method: 'POST', path: '/repos/octo/app/dispatches', body: NOTICE, status: 204 },
    ])
  })

  test('tells nothing of a fork', async () => {
    const sandbox = await open()
    sandbox.emulator.github.addPullRequest({ number: 30, user: 'mintlify[bot]' })
    const event = checked(sandbox, 30, { head_repository: { full_name: 'mallory/docs' } })
    expectNothing(sandbox, await run(sandbox, event))
  })
})

test('Dependabot, whose runs get no secrets, starts nothing', async () => {
  const sandbox = await openApart()
  addCode(sandbox)
  const more = { ...APP, actor: 'dependabot[bot]' }
  expectNothing(
    sandbox,
    await sandbox.run('two-repositories-status.yml', pulled(sandbox, 'opened', CODE), more),
  )
})
