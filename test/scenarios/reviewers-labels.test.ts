import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { pullRequestOf } from '../../src/base/link.ts'
import { ownWorld, type World } from '../helpers/world.ts'

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
])(
  '4.11 the person who asked, the others, the team and the labels, in a repository %s',
  { tags: 'bundle' },
  async (_, options, reviewers) => {
    const emulator = peopled(options)
    const result = await emulator.ask('/docs explain', { inputs: INPUTS })
    expect(result.annotations).toEqual([])
    const labels = ['Documentation', 'from the agent']
    expect(set(emulator, result.outputs['pr-link'])).toEqual({ reviewers, teams: ['writers'], labels })
  },
)

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

test.each([
  ['requester', []],
  ['ALICE', []],
  ['requester, dora', ['dora']],
])(
  '4.11 the person under whose name the agent opened it cannot review it, which is no news: `reviewers: %s`',
  async (reviewers, asked) => {
    const emulator = peopled({ prAuthor: 'alice' })
    const result = await emulator.ask('/docs explain', { inputs: { reviewers } })
    expect(result.annotations).toEqual([])
    expect(set(emulator, LINK).reviewers).toEqual(asked)
  },
)

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

test('4.11 `authors` is the author of the pull request that the run is for, also where a sweep reports it', async () => {
  const emulator = withWriters()
  emulator.github.addPullRequest({ number: 30, user: 'erin' })
  const inputs = { reviewers: 'authors, dora', wait: 'false' }
  await emulator.ask('/docs explain', { on: 30, inputs })
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
  expect(emulator.github.pull(77).requestedReviewers).toEqual(['dora', 'erin'])
})

test.each([
  ['and five others: those', WRITERS, WRITERS.slice(0, 5).toReversed()],
  ['and one other: that one', ['erin', 'judy'], ['erin']],
  ['alone: a warning says so', ['judy'], []],
])(
  '4.11 `authors`, one of which has opened the pull request of the docs, %s',
  async (_, authors, reviewers) => {
    const emulator = withWriters({ prAuthor: 'judy' })
    for (const [at, user] of authors.entries()) emulator.merge({ user, days: 20 - at })
    const result = await emulator.refresh(1, REFRESH)
    expect(set(emulator, result.outputs['pr-link']).reviewers).toEqual(reviewers)
    const said = result.annotations.map(({ message }) => message.replace(/, but.*/, ''))
    expect(said).toEqual(reviewers.length === 0 ? ['Input reviewers names authors'] : [])
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
