import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { pullRequestOf } from '../../src/link.ts'
import { IN_BUNDLE, ownWorld, type World } from '../helpers/world.ts'

const INPUTS = { reviewers: 'requester, dora\nocto/writers', labels: 'Documentation,\nfrom the agent' }

function peopled(options: EmulatorOptions = {}) {
  const emulator = ownWorld(options)
  emulator.github.setPermission('dora', 'write')
  emulator.github.access.teams.add('writers')
  return emulator
}

const LINK = 'https://github.com/octo/app/pull/77'

/** What stands on the agent's pull request. */
function set({ github }: World, link = '') {
  const ref = pullRequestOf(link, 'https://github.com')
  const repo = github.repository(`${ref?.owner}/${ref?.repo}`)
  const pull = repo?.pulls.get(ref?.number ?? 0)
  return {
    reviewers: pull?.requestedReviewers,
    teams: pull?.requestedTeams,
    labels: repo?.issues.get(ref?.number ?? 0)?.labels,
  }
}

test.each<[string, EmulatorOptions, string[]]>([
  ['of the workflow', {}, ['alice', 'dora']],
  [
    'that the token can write as well',
    { docsRepository: 'octo/docs', tokenCoversDocs: true },
    ['alice', 'dora'],
  ],
  ['whose author does not review', { prAuthor: 'alice' }, ['dora']],
])(
  '4.11 the person who asked, the others, the team and the labels, in a repository %s',
  async (_, options, reviewers) => {
    const emulator = peopled(options)
    const result = await emulator.ask('/docs explain', { inputs: INPUTS })
    expect(result.annotations).toEqual([])
    const labels = ['Documentation', 'from the agent']
    expect(set(emulator, result.outputs['pr-link'])).toEqual({ reviewers, teams: ['writers'], labels })
  },
)

test.each<[string, EmulatorOptions]>([
  ['octo/writers', {}],
  ['OCTO/writers', {}],
  ['octo/writers', { docsRepository: 'Octo/docs', tokenCoversDocs: true }],
])('4.11 the team %s is asked also where no person is: %j', async (reviewers, options) => {
  const emulator = peopled(options)
  const result = await emulator.ask('/docs explain', { inputs: { reviewers } })
  expect(set(emulator, result.outputs['pr-link'])).toMatchObject({ reviewers: [], teams: ['writers'] })
})

test('4.11 names that GitHub does not accept are one warning that names them, and the others are asked', async () => {
  const emulator = peopled()
  const inputs = { reviewers: 'requester, nobody-here, octo/strangers', labels: 'docs' }
  const result = await emulator.ask('/docs explain', { inputs })
  expect(result.outputs.outcome).toBe('pull-request')
  expect(set(emulator, result.outputs['pr-link'])).toMatchObject({ reviewers: ['alice'], labels: ['docs'] })
  expect(result.annotations).toMatchObject([{ level: 'warning' }])
  expect(result.annotations[0]?.message).toMatch(
    /^Could not set reviewers on octo\/app#77 \(HTTP 422: nobody-here, strangers: .*\)\.$/,
  )
})

test.each<[string, EmulatorOptions, string, string[], number]>([
  ['a reader who asked, beside others,', {}, 'requester, dora', ['dora'], 1],
  ['a reader who asked', {}, 'requester', [], 1],
  ['the author, who asked,', { prAuthor: 'erin' }, 'requester, dora', ['dora'], 0],
  ['the author, who asked, beside a stranger,', { prAuthor: 'erin' }, 'requester, nobody-here', [], 1],
])('4.11 %s cannot review: the others are asked', async (_, options, reviewers, asked, warnings) => {
  const emulator = peopled(options)
  const inputs = { reviewers, 'min-permission': 'none' }
  const { annotations } = await emulator.ask('/docs explain', { by: 'erin', inputs })
  expect(emulator.github.pull(77).requestedReviewers).toEqual(asked)
  expect(annotations).toHaveLength(warnings)
})

test('4.11 the warning says what GitHub does not accept', async () => {
  const emulator = peopled()
  const errors = [{ resource: 'Label', field: 'name', code: 'custom', message: 'name is too long' }]
  const body = {
    message: 'Validation Failed',
    errors: [...errors, 'and more', { field: 'x', code: 'missing' }],
  }
  const match = { method: 'POST', path: /\/labels$/ }
  emulator.faults.add({ match, fault: { kind: 'status', status: 422, body } })
  const result = await emulator.ask('/docs explain', { inputs: { labels: 'docs' } })
  const message = expect.stringContaining('Validation Failed: name is too long, and more, x missing')
  expect(result.annotations).toMatchObject([{ level: 'warning', message }])
})

test('4.11 another repository: one warning names what is missing', async () => {
  const emulator = peopled({ docsRepository: 'octo/docs' })
  const result = await emulator.dispatch({ inputs: INPUTS })
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
  const message = expect.stringMatching(/another repository.*github-token/)
  expect(result.annotations).toMatchObject([{ level: 'warning', message }])
})

const WRITERS = ['erin', 'frank', 'grace', 'heidi', 'ivan', 'judy']

function withWriters(options: EmulatorOptions = {}) {
  const emulator = peopled(options)
  for (const login of WRITERS) emulator.github.setPermission(login, 'write')
  return emulator
}

const REFRESH = {
  reviewers: 'authors',
  'changes-since': '30d',
  prompt: 'Refresh.',
  'issue-title': 'Docs refresh',
}

test('4.11 `authors`: five people who wrote what was merged, the newest merges first', async () => {
  const emulator = withWriters()
  for (const [at, user] of WRITERS.entries()) emulator.merge({ user, days: 20 - at })
  emulator.merge({ user: 'judy', days: 2 })
  emulator.merge({ user: 'renovate[bot]', days: 1 })
  const result = await emulator.refresh(1, { ...REFRESH, 'allowed-bots': 'renovate[bot]' })
  const reviewers = ['judy', 'ivan', 'heidi', 'grace', 'frank']
  expect(set(emulator, result.outputs['pr-link']).reviewers).toEqual(reviewers)
  expect(result.annotations).toEqual([])
})

test('4.11 `authors` leave out who opened the pull request of the docs', async () => {
  const emulator = withWriters({ prAuthor: 'judy' })
  for (const [at, user] of WRITERS.entries()) emulator.merge({ user, days: 20 - at })
  const result = await emulator.refresh(1, REFRESH)
  const reviewers = ['ivan', 'heidi', 'grace', 'frank', 'erin']
  expect(set(emulator, result.outputs['pr-link']).reviewers).toEqual(reviewers)
})

test('4.11 `authors` is the author of the pull request that the run is for, also where a sweep reports it', async () => {
  const emulator = withWriters()
  emulator.github.addPullRequest({ number: 30, user: 'erin' })
  const inputs = { reviewers: 'authors, dora', wait: 'false' }
  await emulator.ask('/docs explain', { on: 30, inputs })
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
  expect(emulator.github.pull(77).requestedReviewers).toEqual(['dora', 'erin'])
})

test.each([
  ['frank', ['frank'], 0],
  ['stranger', [], 0],
])(
  '4.11 the requester wrote the docs’ pull request: the author %s is asked',
  async (user, asked, warnings) => {
    const emulator = withWriters({ prAuthor: 'erin' })
    emulator.github.addPullRequest({ number: 30, user })
    const inputs = { reviewers: 'requester, authors' }
    const { annotations } = await emulator.ask('/docs explain', { by: 'erin', on: 30, inputs })
    expect(emulator.github.pull(77).requestedReviewers).toEqual(asked)
    expect(annotations).toHaveLength(warnings)
  },
)

test('4.11 of several authors that a refresh covers, the one who is no collaborator is left out', async () => {
  const emulator = withWriters()
  for (const user of ['frank', 'stranger', 'grace']) emulator.merge({ user })
  const inputs = { 'issue-title': 'Docs refresh', 'changes-since': '7d', reviewers: 'authors, nobody-here' }
  const { annotations, outputs } = await emulator.refresh(1, inputs)
  expect(set(emulator, outputs['pr-link']).reviewers).toEqual(['grace', 'frank'])
  expect(annotations.map(({ message }) => message)).toEqual([expect.stringContaining('nobody-here: ')])
})

test('4.11 where GitHub refuses an author, the others are asked without them', async () => {
  const emulator = peopled()
  emulator.github.addPullRequest({ number: 30, user: 'stranger' })
  const { annotations } = await emulator.ask('/docs explain', {
    on: 30,
    inputs: { reviewers: 'authors, dora' },
  })
  expect(emulator.github.pull(77).requestedReviewers).toEqual(['dora'])
  expect(annotations).toEqual([])
})

test('4.11 an author whom GitHub refuses, and who is the only reviewer: a warning says so', async () => {
  const emulator = peopled()
  emulator.github.addPullRequest({ number: 30, user: 'stranger' })
  const { annotations } = await emulator.ask('/docs explain', { on: 30, inputs: { reviewers: 'authors' } })
  expect(annotations.map(({ message }) => message)).toEqual([expect.stringContaining('set reviewers on')])
})

test.skipIf(IN_BUNDLE)(
  '4.11 8.2 of two requests that one job served, sweeps ask for a review once',
  async () => {
    const emulator = peopled()
    emulator.service.script.push({ durationMs: 5 * 60_000 }, { durationMs: 60_000 })
    const inputs = { ...INPUTS, wait: 'false' }
    await emulator.ask('/docs explain', { inputs })
    await emulator.ask('/docs shorter', { runId: 2, inputs })
    await emulator.pass(20 * 60_000)
    await emulator.collect()
    expect(set(emulator, LINK).labels).not.toEqual([])
    const pull = emulator.github.pull(77)
    pull.requestedReviewers = []
    pull.requestedTeams = []
    emulator.github.issue(77).labels = []
    await emulator.pass(5 * 60_000)
    await emulator.collect()
    expect(emulator.records().map(({ state }) => state)).toEqual(['reported', 'reported'])
    expect(set(emulator, LINK)).toEqual({ reviewers: [], teams: [], labels: [] })
  },
)

test('4.11 what people take away from the pull request of a job stays away', async () => {
  const emulator = peopled()
  await emulator.ask('/docs explain', { inputs: INPUTS })
  const pull = emulator.github.pull(77)
  const issue = emulator.github.issue(77)
  pull.requestedReviewers = []
  pull.requestedTeams = []
  issue.labels = []
  emulator.clearRequests()
  const shouted = { reviewers: 'requester, DORA\nocto/Writers', labels: 'documentation,\nfrom the agent' }
  await emulator.ask('/docs shorten it', { runId: 2, inputs: shouted })
  // On the pull request, its record says what the issue's request set.
  await emulator.ask('/docs and a table', { on: 77, runId: 3, inputs: INPUTS })
  expect(set(emulator, LINK)).toEqual({ reviewers: [], teams: [], labels: [] })
  expect(emulator.calls().filter((call) => /requested_reviewers|labels$/.test(call))).toEqual([])
})

test('4.11 so do the authors of what it is for', async () => {
  const emulator = withWriters()
  emulator.github.addPullRequest({ number: 30, user: 'erin' })
  const inputs = { reviewers: 'authors' }
  await emulator.ask('/docs explain', { on: 30, inputs })
  expect(set(emulator, LINK).reviewers).toEqual(['erin'])
  emulator.github.pull(77).requestedReviewers = []
  const { annotations } = await emulator.ask('/docs shorten it', { on: 30, runId: 2, inputs })
  expect(set(emulator, LINK).reviewers).toEqual([])
  expect(annotations).toEqual([])
})

test('4.11 a new job sets all of them on its own pull request', async () => {
  const emulator = peopled()
  await emulator.ask('/docs explain', { inputs: INPUTS })
  emulator.github.closePullRequest(77)
  const { outputs } = await emulator.ask('/docs more', { runId: 2, inputs: INPUTS })
  expect(outputs['pr-link']).not.toBe(LINK)
  expect(set(emulator, outputs['pr-link'])).toMatchObject({
    reviewers: ['alice', 'dora'],
    teams: ['writers'],
  })
})

test('4.11 so does one that takes the place of a job that is gone by its message', async () => {
  const emulator = peopled()
  const first = await emulator.ask('/docs explain', { inputs: INPUTS })
  const call = () => emulator.service.forget(first.outputs['job-id'] ?? '')
  emulator.faults.add({ match: { path: /message$/ }, fault: { kind: 'call', call } })
  const { outputs } = await emulator.ask('/docs more', { runId: 2, inputs: INPUTS })
  expect(outputs['pr-link']).not.toBe(LINK)
  expect(set(emulator, outputs['pr-link'])).toEqual({
    reviewers: ['alice', 'dora'],
    teams: ['writers'],
    labels: ['Documentation', 'from the agent'],
  })
})

test('4.11 a run that does not wait asks for nothing before the job ends', async () => {
  const emulator = peopled()
  await emulator.ask('/docs explain')
  const inputs = { ...INPUTS, wait: 'false' }
  await emulator.ask('/docs shorten it', { runId: 2, inputs })
  expect(set(emulator, LINK)).toEqual({ reviewers: [], teams: [], labels: [] })
  await emulator.collect()
  await emulator.collect()
  expect(set(emulator, LINK)).toMatchObject({ reviewers: ['alice', 'dora'], teams: ['writers'] })
})

test('4.11 `authors` that name nobody are a warning', async () => {
  const emulator = peopled({ prAuthor: 'alice' })
  emulator.github.addPullRequest({ number: 30, user: 'alice' })
  const { annotations } = await emulator.ask('/docs explain', { on: 30, inputs: { reviewers: 'authors' } })
  expect(annotations).toMatchObject([
    { level: 'warning', message: expect.stringContaining('there is none to ask') },
  ])
})

test('4.11 5.2 a re-run of a message that was refused sets on a new pull request what was asked', async () => {
  const emulator = peopled()
  const inputs = { labels: 'docs' }
  await emulator.ask('/docs explain', { inputs })
  const match = { host: 'service', method: 'POST', path: /\/message$/ } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 403 } })
  const { said } = await emulator.ask('/docs more', { runId: 2, inputs })
  emulator.github.closePullRequest(77, { merged: true })
  const again = await emulator.act(said, { runId: 2, attempt: 2, inputs })
  expect(again.outputs['job-action']).toBe('created')
  expect(set(emulator, again.outputs['pr-link'])).toMatchObject({ labels: ['docs'] })
})

test('4.11 the labels of an earlier request are set on another pull request of its job', async () => {
  const emulator = ownWorld()
  const inputs = { labels: 'docs' }
  const other = 'https://github.com/octo/app/pull/78'
  await emulator.ask('/docs explain', { inputs })
  emulator.github.addPullRequest({ number: 78 })
  emulator.service.script.push({ reads: 0, pr: other })
  await emulator.ask('/docs more', { runId: 2 })
  await emulator.ask('/docs and more', { runId: 3, inputs })
  expect(emulator.github.repo().issues.get(78)?.labels).toEqual(['docs'])
})
