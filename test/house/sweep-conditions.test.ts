import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { evaluated, filledIn, type GitHubContext } from './expressions.ts'
import { fileText } from './files.ts'

// What starts a sweep, and which sweep gives way to another, as GitHub's own evaluator reads the examples.

interface Job {
  readonly if: string
  readonly concurrency: { readonly group: string }
}

function jobOf(file: string, name: string): Job {
  const { jobs } = parse(fileText(`examples/${file}`)) as { readonly jobs: Readonly<Record<string, Job>> }
  const job = jobs[name]
  if (job === undefined) throw new Error(`${file} has no job ${name}`)
  return job
}

const BOT = { login: 'mintlify[bot]', type: 'Bot' }
const bot = (login: string) => ({ login, type: 'Bot' })
const PERSON = { login: 'carol', type: 'User' }
const HERE = { full_name: 'octo/app' }
const FORK = { full_name: 'mallory/app' }

const ciEnded = (over: Readonly<Record<string, unknown>> = {}): GitHubContext => ({
  event_name: 'workflow_run',
  event: {
    workflow_run: {
      ...{ event: 'pull_request', actor: BOT, head_repository: HERE, head_branch: 'docs', ...over },
    },
  },
})

const pullRequest = (user: unknown, repo: unknown = HERE, sha = 'a1'): GitHubContext => ({
  event_name: 'pull_request',
  event: { pull_request: { user, head: { repo, sha } } },
})

const status = (over: Readonly<Record<string, unknown>> = {}): GitHubContext => ({
  event_name: 'status',
  event: { context: 'ci/build', state: 'success', sha: 'a1', commit: { author: BOT }, ...over },
})

const SCHEDULE = { event_name: 'schedule', event: { schedule: '17 6-18 * * 1-5' } }

const ALWAYS: readonly (readonly [string, GitHubContext, boolean])[] = [
  ['the schedule', SCHEDULE, true],
  ['a person, by hand', { event_name: 'workflow_dispatch', event: { inputs: {} } }, true],
]

const OF_CI: typeof ALWAYS = [
  ['CI of the agent’s pull request', ciEnded(), true],
  ['CI that failed', ciEnded({ conclusion: 'failure' }), true],
  ['CI of a person’s', ciEnded({ actor: PERSON }), false],
  ['CI of Dependabot’s', ciEnded({ actor: bot('dependabot[bot]') }), false],
  ['CI of Renovate’s', ciEnded({ actor: bot('renovate[bot]') }), false],
  ['CI of a fork’s', ciEnded({ head_repository: FORK }), false],
  ['CI of a deleted fork’s', ciEnded({ head_repository: null }), false],
  ['CI of a push', ciEnded({ event: 'push' }), false],
  ['CI of a merge queue', ciEnded({ event: 'merge_group', actor: bot('github-merge-queue[bot]') }), false],
]

test.each([...ALWAYS, ...OF_CI])('no-runner-waits.yml, %s: a sweep starts: %#', (_, context, starts) => {
  expect(evaluated(jobOf('no-runner-waits.yml', 'collect').if, context)).toBe(String(starts))
})

test.each([...ALWAYS, ...OF_CI])('no-runner-waits.yml, %s: no command starts', (_, context) => {
  expect(evaluated(jobOf('no-runner-waits.yml', 'docs').if, context)).toBe('false')
})

test('no-runner-waits.yml: a comment starts no sweep', () => {
  const context = { event_name: 'issue_comment', event: { comment: { body: '/docs explain' } } }
  expect(evaluated(jobOf('no-runner-waits.yml', 'collect').if, context)).toBe('false')
})

test.each(OF_CI)('two-repositories-notify.yml, %s', (_, context, starts) => {
  expect(evaluated(jobOf('two-repositories-notify.yml', 'notify').if, context)).toBe(String(starts))
})

test.each<(typeof ALWAYS)[number]>([
  ...ALWAYS,
  ['the agent’s pull request', pullRequest(BOT), true],
  ['a person’s', pullRequest(PERSON), false],
  ['Dependabot’s', pullRequest(bot('dependabot[bot]')), false],
  ['Renovate’s', pullRequest(bot('renovate[bot]')), false],
  ['that of a bot in a fork', pullRequest(BOT, FORK), false],
  ['that of a fork that is gone', pullRequest(BOT, null), false],
  ['a status on its commit', status(), true],
  ['a red status', status({ state: 'failure' }), true],
  ['a status that is pending', status({ state: 'pending' }), false],
  ['a status of something else', status({ context: 'docs' }), false],
  ['a status on a person’s commit', status({ commit: { author: PERSON } }), false],
  ['a status on a commit of nobody known', status({ commit: { author: null } }), false],
  ['a status on Renovate’s commit', status({ commit: { author: bot('renovate[bot]') } }), false],
])('collect.yml, %s', (_, context, starts) => {
  expect(evaluated(jobOf('collect.yml', 'collect').if, context)).toBe(String(starts))
})

describe('8.2 a sweep that waits for its group', () => {
  const groupIn = (file: string, job: string) => (context: GitHubContext) =>
    filledIn(jobOf(file, job).concurrency.group, context)
  const others = [ciEnded({ head_branch: 'other' }), ciEnded({ head_repository: FORK })]

  test.each([
    ['no-runner-waits.yml', 'collect'],
    ['two-repositories-notify.yml', 'notify'],
  ])('%s: gives way to one for the same branch alone', (file, job) => {
    const groupOf = groupIn(file, job)
    expect(groupOf(ciEnded({ head_sha: 'b2' }))).toBe(groupOf(ciEnded()))
    for (const other of others) expect(groupOf(other)).not.toBe(groupOf(ciEnded()))
  })

  test('collect.yml: none on a pull request gives way, since that would show there', () => {
    const groupOf = groupIn('collect.yml', 'collect')
    const events = [pullRequest(BOT), pullRequest(BOT, HERE, 'b2'), status(), status({ sha: 'b2' }), SCHEDULE]
    expect(new Set(events.map(groupOf)).size).toBe(events.length)
  })

  test('two-repositories-collect.yml: gives way to one for the same pull request alone', () => {
    const groupOf = groupIn('two-repositories-collect.yml', 'collect')
    const about = (link: string): GitHubContext => ({
      event_name: 'repository_dispatch',
      event: { client_payload: { 'pull-request': link } },
    })
    const [one, other] = ['https://github.com/octo/docs/pull/7', 'https://github.com/octo/docs/pull/77']
    const groups = [about(one), about(one), about(other), SCHEDULE].map(groupOf)
    expect(groups[0]).toBe(groups[1])
    expect(new Set(groups).size).toBe(3)
  })
})
