import { describe, expect, test } from 'vitest'
import type { Edit } from './helpers/act.ts'
import { commented, dispatchedBy, enqueued, pulled, scheduled } from './helpers/events.ts'
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

// Each repository calls the workflows that all of an organization share. `vars.DOCS_APP_REPOSITORIES` is not set.

const APP = {
  secrets: { DOCS_APP_KEY: 'test-app-key' },
  vars: { DOCS_APP_CLIENT_ID: 'Iv1' },
}
const LINK = 'https://github.com/octo/docs/pull/77'
const CODE = 30

/** octo/app, whose docs are in octo/docs: only a token of the App for both reaches both. */
const open = () =>
  openSandbox({
    ...{ docsRepository: 'octo/docs', tokenCoversDocs: true },
    token: 'a token for octo/app, octo/docs',
  })

const statesOf = ({ emulator: { github } }: Sandbox, sha = github.pull(CODE).head.sha) =>
  github.statuses(sha).map(({ context, state }) => `${context}: ${state}`)

function addCode({ emulator: { github } }: Sandbox, path = 'src/retry.ts', labels = ['docs']): void {
  const files = [{ filename: path, patch: '@@ -1 +1 @@\n-a\n+b' }]
  github.addPullRequest({ number: CODE, title: 'Add retries', user: 'alice', labels, files })
}

/** As GitHub sends it at times: without the repository. */
const scheduledAlone = (cron: string) => ({ name: 'schedule', payload: { schedule: cron } })

describe('organization-caller.yml', () => {
  const CALLER = 'organization-caller.yml'

  test('a command reaches the agent', async () => {
    const sandbox = await open()
    const { event } = commented(sandbox, '/docs explain the new retry option')
    const run = await sandbox.run(CALLER, event, APP)
    expect(expectOutcome(run, 'pull-request').outputs).toMatchObject({ 'pr-link': LINK, checks: 'success' })
    expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/docs#77.* for @alice/)])
  })

  test('a variable switches what all share to dry runs', async () => {
    const sandbox = await open()
    const { event } = commented(sandbox, '/docs hello')
    const vars = { ...APP.vars, DOCS_AGENT_DRY_RUN: 'true' }
    expectOutcome(await sandbox.run(CALLER, event, { ...APP, vars }), 'skipped', 'dry-run')
    expect(promptsOf(sandbox)).toEqual([])
  })

  test('a comment without the command starts nothing', async () => {
    const sandbox = await open()
    const { event } = commented(sandbox, 'See the page for more')
    expectNothing(sandbox, await sandbox.run(CALLER, event, APP))
  })

  const withStatus: Edit = (text) => text.replace(/^( +)# (?=commit-status|paths| {2}[*!])/gm, '$1')

  test.each([
    ['without the lines for a status, a skip sets none', (text: string) => text, []],
    ['with the lines for a status, a skip sets it', withStatus, ['docs: success']],
  ])('%s', async (_, edit, states) => {
    const sandbox = await open()
    addCode(sandbox)
    const { event } = commented(sandbox, '/docs skip because only tests change', 'alice', CODE)
    expectOutcome(await sandbox.run(CALLER, event, { ...APP, edit }), 'skipped', 'docs-skipped')
    expect(statesOf(sandbox)).toEqual(states)
  })
})

describe('organization-status-caller.yml', () => {
  const CALLER = 'organization-status-caller.yml'

  test('the status says how the docs stand, and a sweep ends what was cut off', async () => {
    const sandbox = await open()
    addCode(sandbox)
    const more = { ...APP, edit: withInputs('wait: false') }
    expectOutcome(await sandbox.run(CALLER, pulled(sandbox, 'opened', CODE), more), 'started')
    expect(statesOf(sandbox)).toEqual(['docs: pending'])
    const sweep = await sandbox.run('organization-collect-caller.yml', scheduledAlone('17 6-18 * * 1-5'), APP)
    expect(mainsOf(sweep).at(-1)?.outputs).toMatchObject({ finished: '1', failed: '0' })
    expect(statesOf(sandbox).at(-1)).toMatch(/^docs: (success|pending)$/)
  })

  test('the patterns of the repository decide which files call for docs', async () => {
    const sandbox = await open()
    addCode(sandbox, 'src/retry.test.ts')
    const run = await sandbox.run(CALLER, pulled(sandbox, 'opened', CODE), APP)
    expectOutcome(run, 'skipped', 'no-changes')
    expect(statesOf(sandbox)).toEqual(['docs: success'])
  })

  test.each([
    ['starts nothing, where one is named', (text: string) => text, []],
    [
      'asks, where none is named',
      (text: string) => text.replace('label: docs', "label: ''"),
      ['docs: pending', 'docs: success'],
    ],
  ])('a pull request without a label %s', async (_, edit, states) => {
    const sandbox = await open()
    addCode(sandbox, 'src/retry.ts', [])
    const run = await sandbox.run(CALLER, pulled(sandbox, 'opened', CODE), { ...APP, edit })
    if (states.length === 0) expectNothing(sandbox, run)
    else expectOutcome(run, 'pull-request')
    expect(statesOf(sandbox)).toEqual(states)
  })

  test.each([
    ['the status', CALLER],
    ['the refresh', 'organization-refresh-caller.yml'],
  ])('the variable for dry runs holds for %s, too', async (_, caller) => {
    const sandbox = await open()
    addCode(sandbox)
    const event = caller === CALLER ? pulled(sandbox, 'opened', CODE) : scheduledAlone('17 6 * * 1')
    sandbox.emulator.github.closePullRequest(CODE, { merged: true, at: Date.now() - 86_400_000 })
    const vars = { ...APP.vars, DOCS_AGENT_DRY_RUN: 'true' }
    expectOutcome(await sandbox.run(caller, event, { ...APP, vars }), 'skipped', 'dry-run')
    expect([promptsOf(sandbox), statesOf(sandbox)]).toEqual([[], []])
  })

  test('the commit of the merge queue gets the status of its pull request', async () => {
    const sandbox = await open()
    const { github } = sandbox.emulator
    addCode(sandbox)
    const green = { name: 'docs', kind: 'status', conclusion: 'success', summary: 'octo/docs#77' } as const
    github.addChecks(github.pull(CODE).head.sha, [green])
    const queued = 'b'.repeat(40)
    github.addChecks(queued, [])
    expectOutcome(await sandbox.run(CALLER, enqueued(CODE, queued), APP), 'skipped', 'merge-group')
    expect(statesOf(sandbox, queued)).toEqual(['docs: success'])
  })

  test.each([
    ['Dependabot, whose runs get no secrets', {}, 'dependabot[bot]'],
    ['a fork', { head: { ref: 'code', sha: '1'.repeat(40), repo: { full_name: 'dave/app' } } }, 'dave'],
  ])('%s starts nothing', async (_, over, actor) => {
    const sandbox = await open()
    addCode(sandbox)
    const event = pulled(sandbox, 'opened', CODE, over)
    expectNothing(sandbox, await sandbox.run(CALLER, event, { ...APP, actor }))
  })
})

describe('organization-refresh-caller.yml', () => {
  const CALLER = 'organization-refresh-caller.yml'
  const askedForReaders = ({ emulator }: Sandbox) =>
    emulator.requests.some(({ path }) => path.includes('/v1/analytics/'))
  /** What readers miss goes along from another repository. */
  const fromAnother: Edit = (text) => text.replace("'octo/app'", "'octo/web'")

  test.each([
    [
      'sends what was merged, and from the repository that it names what readers miss',
      (text: string) => text,
      true,
    ],
    ['sends what was merged alone from another one', fromAnother, false],
  ])('%s', async (_, edit, withReaders) => {
    const sandbox = await open()
    addCode(sandbox)
    sandbox.emulator.github.closePullRequest(CODE, { merged: true, at: Date.now() - 86_400_000 })
    const run = await sandbox.run(CALLER, scheduledAlone('17 6 * * 1'), { ...APP, edit })
    expect(expectOutcome(run, 'pull-request').outputs).toMatchObject({ 'pr-link': LINK, checks: 'success' })
    expect(promptsOf(sandbox)).toEqual([[expect.stringContaining('- #30: Add retries')]])
    expect(askedForReaders(sandbox)).toBe(withReaders)
    const [issue] = trackingIssues(sandbox, 'Docs refresh')
    expect(commentsIn(sandbox, issue?.number)).toEqual([expect.stringMatching(/octo\/docs#77/)])
  })

  test('a week without merges asks nothing', async () => {
    const sandbox = await open()
    const run = await sandbox.run(CALLER, scheduled('17 6 * * 1'), { ...APP, edit: fromAnother })
    expectOutcome(run, 'skipped', 'no-changes')
    expect(promptsOf(sandbox)).toEqual([])
  })
})

test('organization-collect-caller.yml: CI in the repository of the docs wakes a sweep', async () => {
  const sandbox = await open()
  const { event } = commented(sandbox, '/docs explain the new retry option')
  const more = { ...APP, edit: withInputs('wait: false') }
  expectOutcome(await sandbox.run('organization-caller.yml', event, more), 'started')
  const notice = { event_type: 'docs-agent', client_payload: { 'pull-request': LINK } }
  const woken = await sandbox.run('organization-collect-caller.yml', dispatchedBy(notice), APP)
  expect(mainsOf(woken).at(-1)).toMatchObject({ outputs: { finished: '1', failed: '0' }, annotations: [] })
  expect(commentsIn(sandbox)).toEqual([expect.stringContaining('Its check passes')])
})
