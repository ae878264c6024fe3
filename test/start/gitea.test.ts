import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { type Core, cancellation, type Deps } from '../../src/deps.ts'
import { gate, requesterOf } from '../../src/event/gate.ts'
import { readTrigger } from '../../src/event/trigger.ts'
import { proxyFetch } from '../../src/http/fetch.ts'
import type { JsonObject } from '../../src/json.ts'
import { mainStep } from '../../src/run/main-step.ts'
import { postStep } from '../../src/run/post-step.ts'
import { type Answer, contextOf, gitea, refusal } from '../github/helpers.ts'
import { recordOf, withJob } from '../request/helpers.ts'

const ALICE = { id: 6, login: 'alice', username: 'alice' }
const REPOSITORY = { id: 3, full_name: 'octo/app', permissions: { admin: false, push: true, pull: true } }
const PULL = {
  merged: false,
  merged_at: null,
  draft: false,
  html_url: 'https://forge.example/octo/app/pulls/2',
}

/** As Gitea 1.26.4 sends it, less what nothing reads. */
const commented = (pull: object | null, user: object = ALICE): JsonObject => ({
  action: 'created',
  comment: { id: 33, body: '/docs explain', html_url: 'https://forge.example/octo/app/pulls/2', user },
  is_pull: pull !== null,
  issue: { number: 2, title: 'Retries', body: '', html_url: PULL.html_url, pull_request: pull, user: ALICE },
  repository: REPOSITORY,
  sender: user,
})

/** A step on an instance of Gitea that answers this; time passes at once. */
async function run(
  step: typeof mainStep,
  answers: Readonly<Record<string, Answer>>,
  { inputs = {}, state = '', payload = commented(PULL) }: Partial<Given> = {},
) {
  const server = await gitea({ 'GET /version': { json: { version: '1.26.4' } }, ...answers })
  const lines: string[] = []
  const outputs: Record<string, string> = {}
  const note = (level: string) => (line: string) => void lines.push(`${level}: ${line}`)
  const core: Core = {
    getInput: (name) => ({ 'project-id': 'docs', 'github-token': 'test-token', ...inputs })[name] ?? '',
    getState: (name) => (name === 'request' ? state : ''),
    ...{ info: note('info'), warning: note('warning'), error: note('error'), setFailed: note('failed') },
    ...{ setSecret: () => {}, debug: () => {}, isDebug: () => false, saveState: () => {} },
    setOutput: (name, value) => void Object.assign(outputs, { [name]: value }),
    setSummary: async () => {},
  }
  const { now, sleep } = simulatedClock()
  const patient = (ms: number) => (ms >= 10_000 ? new Promise<void>(() => {}) : sleep(ms))
  const deps: Deps = {
    ...{ core, now, sleep: patient, monotonic: now, random: () => 0.5 },
    fetch: proxyFetch({}),
    cancellation: cancellation(() => new Promise(() => {})),
  }
  await step(deps, async () => contextOf({ eventName: 'issue_comment', payload, apiUrl: server.apiUrl }))
  return { lines, outputs, calls: server.calls }
}

interface Given {
  readonly inputs: Readonly<Record<string, string>>
  readonly state: string
  readonly payload: JsonObject
}

const pullFrom = (fork: string): Readonly<Record<string, Answer>> => ({
  'GET /repos/octo/app/pulls/2': {
    json: {
      number: 2,
      base: { ref: 'main', repo: { full_name: 'octo/app' } },
      head: { ref: 'x', repo: { full_name: fork } },
    },
  },
})

test('1.3 a comment on a pull request from a fork gets no secrets, which is no mistake of the workflow', async () => {
  const { lines, outputs } = await run(mainStep, pullFrom('mallory/app'))
  expect(outputs).toMatchObject({ outcome: 'skipped', reason: 'missing-secret' })
  expect(lines.filter((line) => line.startsWith('failed'))).toEqual([])
})

test.each<[string, Readonly<Record<string, Answer>>, JsonObject]>([
  ['on a pull request of the repository', pullFrom('octo/app'), commented(PULL)],
  ['on a pull request that cannot be read', {}, commented(PULL)],
  ['on an issue', pullFrom('mallory/app'), commented(null)],
])('1.3 a comment %s gets them, so a missing one is a mistake', async (_, answers, payload) => {
  const { lines, outputs } = await run(mainStep, answers, { payload })
  expect(outputs).toMatchObject({ outcome: 'error', reason: 'bad-input' })
  expect(lines).toEqual([expect.stringMatching(/^failed: .*api-key/)])
})

test('6.2 after a cancel the token has ended: the post step says so once, and asks no more', async () => {
  const REVOKED = { status: 401, json: refusal('invalid username, password or token') }
  const saved = {
    ...recordOf({ state: 'running', ...withJob('j_1', '', 'active'), waitsMs: 60_000 }),
    comment: 'issue:33',
  }
  const { lines, calls } = await run(
    postStep,
    { 'GET /version': REVOKED, 'GET /user': REVOKED },
    { inputs: { 'api-key': 'test-key' }, state: JSON.stringify(saved) },
  )
  expect(lines).toEqual([expect.stringMatching(/^info: The cancelled run lost its token/)])
  expect(calls).toEqual(['GET /version', 'GET /user'])
})

const gated = (eventName: string, payload: JsonObject) => {
  const inputs = { prompt: undefined, promptFile: undefined, allowedBots: [] }
  return gate(readTrigger(contextOf({ eventName, payload })), inputs, undefined)
}

test('3.4 what the account of jobs writes is the text of a bot', () => {
  const actions = { id: -2, login: 'gitea-actions', username: 'gitea-actions' }
  expect(gated('issue_comment', commented(null, actions))).toEqual({ skip: 'bot' })
})

test('3.1 a review has no comment that could hold a command', () => {
  const review = { type: 'pull_request_review_comment', content: '/docs explain' }
  const payload = { action: 'reviewed', pull_request: { number: 2 }, review, sender: ALICE }
  expect(gated('pull_request_review_comment', payload)).toEqual({ skip: 'not-a-new-comment' })
})

test('5.4 nobody asked on a schedule, whose event is that of the last push', () => {
  const sha = '85d62816fa3775cfa01e01da0b028bdcf48c6cca'
  const payload = { schedule: '@daily', before: sha, after: sha, ref: 'refs/heads/main', sender: ALICE }
  const trigger = readTrigger(contextOf({ eventName: 'schedule', payload }))
  expect(requesterOf(trigger)).toBe('')
  expect(trigger).toMatchObject({ push: undefined, subject: undefined, comment: undefined })
})
