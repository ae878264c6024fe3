import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import { asArray, asObject } from '../../src/json.ts'
import { ask, emulate } from './helpers.ts'

// Checks, their suites and statuses, as docs.github.com/rest/checks and docs.github.com/rest/commits/statuses have them.

const SHA = 'a'.repeat(40)
const NEVER = Number.POSITIVE_INFINITY

function checked(...checks: readonly Check[]) {
  const world = emulate({ permissions: { statuses: 'write' }, rateLimits: {} })
  const { clock, app, github } = world
  github.addChecks(SHA, checks)
  const start = clock.now
  const read = async (list: 'check-runs' | 'check-suites', query = '', ref = SHA) => {
    const { body } = await app(`GET /commits/${ref}/${list}${query}`)
    const entries = asArray(body[list.replace('-', '_')]).map(asObject)
    expect(body.total_count).toBe(entries.length)
    return entries
  }
  return {
    ...world,
    read,
    /** Lets it be so many ms since the checks began. */
    at: (ms: number): void => {
      clock.now = start + ms
    },
    /** Names and statuses of the check runs that show. */
    runs: async () =>
      Object.fromEntries((await read('check-runs')).map(({ name, status }) => [name, status])),
    /** App, status, conclusion and number of runs of each suite. */
    suites: async () =>
      (await read('check-suites')).map(({ app, status, conclusion, latest_check_runs_count: count }) => [
        ...[asObject(app).slug, status, conclusion, count],
      ]),
  }
}

test('a job that needs others appears some seconds after the last of them has ended', async () => {
  const { at, runs, suites } = checked(
    { name: 'deploy', needs: ['build', 'lint'], takesMs: 5000 },
    { name: 'build', takesMs: 20_000 },
    { name: 'lint', needs: ['build'], appearsAfterMs: 1000, takesMs: 4000 },
  )
  at(20_000)
  expect(await runs()).toEqual({ build: 'completed' })
  // Its workflow is not over.
  expect(await suites()).toEqual([['github-actions', 'in_progress', null, 1]])
  at(21_000)
  expect(await runs()).toEqual({ build: 'completed', lint: 'queued' })
  at(27_999)
  expect(await runs()).toEqual({ build: 'completed', lint: 'completed' })
  at(28_000)
  expect(await runs()).toEqual({ build: 'completed', lint: 'completed', deploy: 'queued' })
  at(33_000)
  expect(await suites()).toEqual([['github-actions', 'completed', 'success', 3]])
})

test('a job waits as its script says, starts, and ends, and its times tell when', async () => {
  const { at, read } = checked({
    ...{ name: 'build', queuedAs: 'pending', appearsAfterMs: 40_000 },
    ...{ startsAfterMs: 30_000, takesMs: 50_000 },
  })
  const times = async () =>
    (await read('check-runs')).map((run) => [run.status, run.started_at, run.completed_at])
  at(39_999)
  expect(await times()).toEqual([])
  at(40_000)
  expect(await times()).toEqual([['pending', null, null]])
  at(70_000)
  expect(await times()).toEqual([['in_progress', '2026-01-01T00:01:10Z', null]])
  at(90_000)
  expect(await times()).toEqual([['completed', '2026-01-01T00:01:10Z', '2026-01-01T00:01:30Z']])
})

test.each(['queued', 'pending', 'requested', 'waiting'] as const)('a check can stay %s', async (queuedAs) => {
  const { at, read, suites } = checked({ name: 'a', queuedAs, startsAfterMs: NEVER, takesMs: NEVER })
  at(3_600_000)
  expect(await read('check-runs')).toMatchObject([
    { status: queuedAs, conclusion: null, started_at: queuedAs === 'queued' ? '2026-01-01T00:00:00Z' : null },
  ])
  expect(await suites()).toEqual([['github-actions', queuedAs, null, 1]])
})

test('runs of one name are in several suites, each with its own, of which the latest counts', async () => {
  const { at, read, suites, github } = checked(
    { name: 'build', suite: 'push', conclusion: 'failure' },
    { name: 'build', suite: 'pull_request', takesMs: 8000 },
    { name: 'build', app: 'netlify', conclusion: 'neutral' },
  )
  at(5000)
  expect(await suites()).toEqual([
    ['github-actions', 'completed', 'failure', 1],
    ['github-actions', 'in_progress', null, 1],
    ['netlify', 'completed', 'neutral', 1],
  ])
  github.addChecks(SHA, [{ name: 'build', suite: 'push', conclusion: 'success' }])
  at(8000)
  expect((await suites()).map(([, , conclusion]) => conclusion)).toEqual(['success', 'success', 'neutral'])
  const ids = (await read('check-runs')).map(({ check_suite: suite }) => asObject(suite).id)
  expect(new Set(ids)).toEqual(new Set((await read('check-suites')).map(({ id }) => id)))
  expect(ids).toHaveLength(3)
  // "`latest` returns the most recent check runs."
  expect(await read('check-runs', '?filter=all')).toHaveLength(4)
  expect(await read('check-runs', '?check_name=none')).toEqual([])
  expect(await read('check-runs', '?status=queued')).toEqual([])
})

test('of two of one name the one that appears last counts, in whatever order they were scripted', async () => {
  const { at, read } = checked({ name: 'a', appearsAfterMs: 5000, conclusion: 'failure' }, { name: 'a' })
  expect(await read('check-runs')).toMatchObject([{ conclusion: 'success' }])
  at(5000)
  expect(await read('check-runs')).toMatchObject([{ conclusion: 'failure' }])
})

test('a run of Actions has the address of its workflow run, and those of two suites have two', async () => {
  const { read } = checked({ name: 'a' }, { name: 'b', suite: 'x' }, { name: 'c', app: 'netlify' })
  const addresses = Object.fromEntries((await read('check-runs')).map((run) => [run.name, run.html_url]))
  const runOf = (name: string) => /\/actions\/runs\/(\d+)\/job\/\d+$/.exec(String(addresses[name]))?.[1]
  expect(runOf('a')).toMatch(/^\d+$/)
  expect(runOf('b')).not.toBe(runOf('a'))
  expect(runOf('c')).toBeUndefined()
})

test('suites without runs: parked, queued for ever, and queued until the first one appears', async () => {
  const { at, suites } = checked(
    { kind: 'suite', name: 'parked', conclusion: 'action_required' },
    { kind: 'suite', name: '', app: 'dependabot', startsAfterMs: NEVER, takesMs: NEVER },
    { kind: 'suite', name: 'ci' },
    { name: 'build', suite: 'ci', appearsAfterMs: 6000, takesMs: 1000, conclusion: 'failure' },
  )
  const [parked, stuck] = [
    ['github-actions', 'completed', 'action_required', 0],
    ['dependabot', 'queued', null, 0],
  ]
  expect(await suites()).toEqual([parked, stuck, ['github-actions', 'queued', null, 0]])
  at(6000)
  expect(await suites()).toEqual([parked, stuck, ['github-actions', 'queued', null, 1]])
  at(3_600_000)
  expect(await suites()).toEqual([parked, stuck, ['github-actions', 'completed', 'failure', 1]])
})

test('a suite tells when it was made, of which commit, and takes the permission to read checks', async () => {
  const { app, github, read } = checked()
  const { head } = github.addPullRequest({ number: 77, headRef: 'change', title: 'Explain retries' })
  github.addChecks(head.sha, [{ name: 'a', appearsAfterMs: 0 }])
  expect(await read('check-suites', '', 'change')).toMatchObject([
    {
      head_branch: 'change',
      head_sha: head.sha,
      created_at: '2026-01-01T00:00:00Z',
      head_commit: { id: head.sha, message: 'Explain retries' },
    },
  ])
  expect((await app(`GET /commits/none/check-suites`)).status).toBe(422)
  const unpermitted = emulate({ permissions: { checks: 'none' } })
  expect((await unpermitted.app(`GET /commits/${SHA}/check-suites`)).status).toBe(403)
})

const SCRIPT: readonly Check[] = [
  { name: 'build', suite: 'ci' },
  { name: 'test', suite: 'ci' },
  { name: 'links' },
  { name: 'preview', app: 'netlify' },
  { name: 'cla', kind: 'status' },
]

// github.com/orgs/community/discussions/199292: since June 2026 the workflows of what the token pushes need an approval.
test("a push with the workflow's token parks the workflows, one suite each, and no other App", async () => {
  const { github, read } = checked()
  github.checks.script.push(SCRIPT, SCRIPT)
  github.addPullRequest({ number: 77, headRef: 'change', isChecked: true })
  expect(await read('check-runs', '', 'change')).toHaveLength(4)
  github.push(77, { withWorkflowToken: true })
  expect(github.pull(77).commits.at(-1)?.author).toEqual({ login: 'github-actions[bot]', type: 'Bot' })
  expect((await read('check-runs', '', 'change')).map(({ name }) => name)).toEqual(['preview'])
  const suites = await read('check-suites', '', 'change')
  expect(
    suites.map(({ status, conclusion, latest_check_runs_count: count }) => [status, conclusion, count]),
  ).toEqual([
    ['completed', 'action_required', 0],
    ['completed', 'action_required', 0],
    ['completed', 'success', 1],
  ])
  // Somebody approves: the same suite has runs.
  github.addChecks(github.pull(77).head.sha, [{ name: 'build', suite: 'ci' }])
  const conclusions = (await read('check-suites', '', 'change')).map(({ conclusion }) => conclusion)
  expect(conclusions.toSorted()).toEqual(['action_required', 'success', 'success'])
})

test('a head that nothing checks is parked all the same', async () => {
  const { github, read } = checked()
  github.addPullRequest({ number: 77, headRef: 'change' })
  github.push(77, { withWorkflowToken: true })
  expect(await read('check-suites', '', 'change')).toMatchObject([{ conclusion: 'action_required' }])
})

// github.com/orgs/community/discussions/26304: "workflow is not triggered for ‘pull_request’ event if conflicts exist".
test('no workflow runs on a head that conflicts', async () => {
  const { github, read } = checked()
  github.checks.everyHead = SCRIPT
  const names = async () => (await read('check-runs', '', 'change')).map(({ name }) => name)
  github.addPullRequest({ number: 77, headRef: 'change', isChecked: true, conflicts: true })
  expect(await names()).toEqual(['preview'])
  github.push(77, { withWorkflowToken: true })
  expect(await read('check-suites', '', 'change')).toMatchObject([{ app: { slug: 'netlify' } }])
  github.push(77, { conflicts: false })
  expect(await names()).toHaveLength(4)
  github.moveBase(77, { conflicts: true })
  // What runs goes on.
  expect(await names()).toHaveLength(4)
})

test('the head of a base branch has checks and statuses of its own, and goes on with each merge', async () => {
  const { github, read, app } = checked()
  github.addPullRequest({ number: 77 })
  const before = github.branchHead('main')
  github.addChecks(before, [
    { name: 'links', conclusion: 'failure' },
    { name: 'cla', kind: 'status', conclusion: 'error' },
  ])
  expect(await read('check-runs', '', 'main')).toMatchObject([{ name: 'links', head_sha: before }])
  expect((await app('GET /commits/main/status')).body).toMatchObject({ state: 'failure', sha: before })
  github.closePullRequest(77, { merged: true })
  expect(github.branchHead('main')).toBe(github.pull(77).mergeCommitSha)
  expect(await read('check-runs', '', 'main')).toEqual([])
  github.addPullRequest({ number: 78, baseRef: 'next', headRef: 'main', headRepository: 'fork/app' })
  expect((await app('GET /commits/main/status')).body.sha).toBe(github.branchHead('main'))
})

test('a status is written with who set it, and the newest of a context counts, in any case', async () => {
  const { clock, app, github } = checked({ name: 'docs', kind: 'status', conclusion: 'failure' })
  const set = (state: string, more = {}) => app(`POST /statuses/${SHA}`, { state, context: 'Docs', ...more })
  const combined = async () => (await app(`GET /commits/${SHA}/status`)).body
  clock.now += 1000
  const link = 'https://example.com/run'
  const { status, body } = await set('pending', { description: 'x'.repeat(140), target_url: link })
  expect([status, body]).toMatchObject([201, { state: 'pending', creator: { login: 'github-actions[bot]' } }])
  expect(await combined()).toMatchObject({ state: 'pending', total_count: 1 })
  clock.now += 3_600_000
  expect(await combined()).toMatchObject({ state: 'pending' })
  await set('success')
  expect(await combined()).toMatchObject({ state: 'success', statuses: [{ context: 'Docs' }] })
  await app(`POST /statuses/${SHA}`, { state: 'error' })
  expect(github.statuses(SHA).slice(1)).toEqual([
    {
      ...{ context: 'Docs', state: 'pending', description: 'x'.repeat(140), targetUrl: link },
      ...{ creator: 'github-actions[bot]', at: '2026-01-01T00:00:01Z' },
    },
    {
      ...{ context: 'Docs', state: 'success', description: '', targetUrl: '' },
      ...{ creator: 'github-actions[bot]', at: '2026-01-01T01:00:01Z' },
    },
    expect.objectContaining({ context: 'default', state: 'error' }),
  ])
})

test.each([
  ['an unknown commit', `POST /statuses/${'0'.repeat(40)}`, { state: 'success' }],
  ['an unknown state', `POST /statuses/${SHA}`, { state: 'neutral' }],
  ['no state', `POST /statuses/${SHA}`, {}],
  ['a long description', `POST /statuses/${SHA}`, { state: 'success', description: 'x'.repeat(141) }],
  ['a long context', `POST /statuses/${SHA}`, { state: 'success', context: 'x'.repeat(256) }],
  ['a link that is none', `POST /statuses/${SHA}`, { state: 'success', target_url: 'javascript:x' }],
])('a status for %s is refused', async (_, request, body) => {
  const { app, github } = checked({ name: 'a' })
  expect((await app(request, body)).status).toBe(422)
  expect(github.statuses(SHA)).toEqual([])
})

// "There is a limit of 1000 statuses per `sha` and `context` within a repository."
test('a context of a commit takes a thousand statuses, and eighty a minute', async () => {
  const { clock, app, github } = checked({ name: 'a' })
  const set = async (context = 'docs') =>
    (await app(`POST /statuses/${SHA}`, { state: 'success', context })).status
  for (let n = 0; n < 80; n += 1) expect(await set()).toBe(201)
  expect(await set()).toBe(403)
  github.addChecks(
    SHA,
    Array.from({ length: 920 }, () => ({ name: 'docs', kind: 'status' })),
  )
  clock.now += 61_000
  expect([await set(), await set('other')]).toEqual([422, 201])
})

test('a token without the permission sets no status, and one of another repository where it may', async () => {
  const { app, github } = emulate()
  const { head } = github.addPullRequest()
  expect((await app(`POST /statuses/${head.sha}`, { state: 'success' })).status).toBe(403)
  const covering = emulate({ tokenCoversDocs: true, permissions: { statuses: 'write' } })
  const { head: docs } = covering.github.addPullRequest({ repo: 'octo/docs' })
  await ask(covering.emulator, `POST /repos/octo/docs/statuses/${docs.sha}`, { state: 'success' })
  expect(covering.github.statuses(docs.sha, 'octo/docs')).toMatchObject([{ state: 'success' }])
})
