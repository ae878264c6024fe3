import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { parseCommand } from '../../src/event/command.ts'
import { gate, isSameAccount, requesterOf, secretsAreWithheld } from '../../src/event/gate.ts'
import { readTrigger } from '../../src/event/trigger.ts'

const person = (login: string) => ({ login, type: 'User' })
const alice = person('alice')
const renovate = { login: 'renovate[bot]', type: 'Bot' }
const INPUTS = { prompt: undefined, promptFile: undefined, command: '/docs', allowedBots: ['renovate[bot]'] }

const commented = (body: string, more: JsonObject = {}): JsonObject => ({
  action: 'created',
  issue: { number: 12, user: person('carol') },
  comment: { id: 1, body, user: alice },
  sender: alice,
  ...more,
})
type Given = Partial<typeof INPUTS | Record<'prompt' | 'promptFile' | 'command', string>>

function run(event: string, payload: JsonObject, inputs: Given = {}) {
  const given = { ...INPUTS, ...inputs }
  const trigger = readTrigger({ eventName: event, payload })
  const judged = gate(trigger, given, parseCommand(trigger.comment?.body ?? '', given.command))
  return 'skip' in judged ? judged : { command: judged.command }
}

const asked = { command: expect.objectContaining({ kind: 'prompt', prompt: 'explain', fresh: false }) }
const skip = (reason: string) => ({ skip: reason })
const bot = (login: string) => ({ skip: 'bot', login })
const RECORD = '<!-- docs-agent:1:e30:AAAA -->'

test.each([
  ['submitted', asked],
  ['edited', skip('not-a-new-comment')],
  ['dismissed', skip('not-a-new-comment')],
])('3.1 a pull_request_review that is %s counts by its body', (action, verdict) => {
  const review = { id: 5, body: '/docs explain', user: alice }
  const payload = { action, review, pull_request: { number: 77, user: person('carol') }, sender: alice }
  expect(run('pull_request_review', payload)).toEqual(verdict)
  expect(run('pull_request_review', { ...payload, review: { id: 5, body: null, user: alice } })).toEqual(
    action === 'submitted' ? skip('not-a-command') : verdict,
  )
})

test.each([
  [{ sender: { login: 'Copilot', type: 'Bot' } }, bot('Copilot')],
  [{ sender: person('other[bot]') }, bot('other[bot]')],
  [{ comment: { id: 1, body: '/docs explain', user: { login: 'other', type: 'Bot' } } }, bot('other')],
  [{ sender: renovate, comment: { id: 1, body: '/docs explain', user: renovate } }, asked],
  [{ sender: { login: 'Renovate[bot]', type: 'Bot' } }, asked],
  [{ sender: { login: 'renovate', type: 'Bot' } }, asked],
  [{ sender: { login: 'renovate-bot', type: 'Bot' } }, bot('renovate-bot')],
  [{ sender: person('renovate') }, asked],
  [{ comment: { id: 1, body: `/docs explain\n\n${RECORD}`, user: alice } }, skip('bot')],
  [{ comment: { id: 1, body: `${RECORD}\n/docs explain`, user: alice } }, skip('bot')],
  [{ sender: renovate, comment: { id: 1, body: `/docs x ${RECORD}`, user: renovate } }, skip('bot')],
])('3.4 %j', (more, verdict) => {
  expect(run('issue_comment', commented('/docs explain', more))).toEqual(verdict)
})

test.each([
  ['copilot', 'Copilot'],
  ['Copilot', 'copilot[bot]'],
  ['renovate', 'renovate[bot]'],
  ['Renovate[bot]', 'renovate[bot]'],
])('3.4 %j in `allowed-bots` lists %s', (listed, login) => {
  const sender = { login, type: 'Bot' }
  const payload = commented('/docs explain', {
    sender,
    comment: { id: 1, body: '/docs explain', user: sender },
  })
  expect(run('issue_comment', payload, { allowedBots: [listed] })).toEqual(asked)
  expect(run('pull_request_review_comment', payload, { allowedBots: [listed] })).toEqual(asked)
  expect(run('issue_comment', payload, { allowedBots: ['other'] })).toEqual(bot(login))
})

const unlisted = { login: 'other[bot]', type: 'Bot' }
const said = (user: JsonObject) => ({ id: 1, body: '/docs explain', user })

test.each<[string, string, JsonObject]>([
  ['comments on an issue', 'issue_comment', { comment: said(unlisted), sender: unlisted }],
  ['wrote what a person sends', 'issue_comment', { comment: said(unlisted), sender: alice }],
  ['sends what a person wrote', 'issue_comment', { comment: said(alice), sender: unlisted }],
  ['comments on a line', 'pull_request_review_comment', { comment: said(unlisted), sender: unlisted }],
  [
    'submits a review',
    'pull_request_review',
    { action: 'submitted', review: said(unlisted), sender: unlisted },
  ],
  ['opens an issue', 'issues', { action: 'opened', sender: unlisted }],
  ['labels a pull request', 'pull_request', { pull_request: { number: 12, user: alice }, sender: unlisted }],
])('3.4 a bot that is not listed starts nothing, with a prompt or without: it %s', (_, event, more) => {
  for (const given of [{}, { prompt: 'x' }])
    expect(run(event, commented('/docs explain', more), given)).toEqual(bot('other[bot]'))
})

test.each(['prompt', 'promptFile'])('3.1 with %s the comment needs no command', (input) => {
  expect(run('issue_comment', commented('thanks'), { [input]: 'x' })).toEqual({ command: { kind: 'input' } })
})

test('3.4 the record of any version makes a bot of the comment that carries it, with a prompt too', () => {
  const body = 'hello <!-- docs-agent:9999:future:form -->'
  expect(run('issue_comment', commented(body), { prompt: 'x' })).toEqual(skip('bot'))
})

const tracking = { number: 12, body: `Refreshes.\n\n${RECORD}`, user: alice }

test('3.4 an issue with the action’s own record is a bot’s, whoever opened it', () => {
  expect(run('issues', { action: 'opened', issue: tracking, sender: alice }, { prompt: 'x' })).toEqual(
    skip('bot'),
  )
})

test('3.4 a pull request whose text quotes a record is that of the person who wrote it', () => {
  const pull_request = { number: 30, body: `It looks like ${RECORD}`, user: alice }
  const payload = { action: 'opened', pull_request, sender: alice }
  expect(run('pull_request', payload, { prompt: 'x' })).toEqual({ command: { kind: 'input' } })
})

test.each([
  ['pull_request', 'mintlify[bot]', skip('agent-pull-request')],
  ['pull_request_target', 'mintlify[bot]', skip('agent-pull-request')],
  ['pull_request', 'renovate[bot]', { command: { kind: 'input' } }],
  ['pull_request', 'alice', { command: { kind: 'input' } }],
  ['issues', 'mintlify[bot]', { command: { kind: 'input' } }],
])('3.5 %s of a pull request or issue by %s', (event, login, verdict) => {
  const subject = { number: 77, user: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' } }
  const payload = {
    action: 'opened',
    [event === 'issues' ? 'issue' : 'pull_request']: subject,
    sender: alice,
  }
  expect(run(event, payload, { prompt: 'x' })).toEqual(verdict)
})

test.each([
  ['push', { ref: 'refs/heads/main', sender: renovate }],
  ['push', { ref: 'refs/heads/main', sender: { login: 'other[bot]', type: 'Bot' } }],
  ['release', { action: 'published', release: { name: '1', tag_name: 'v1' }, sender: alice }],
  ['schedule', { schedule: '0 0 * * *' }],
  ['workflow_dispatch', { sender: alice }],
  ['repository_dispatch', { action: 'x', sender: alice }],
  ['workflow_run', { action: 'completed', sender: alice }],
  ['issues', { action: 'opened', issue: { number: 12 }, sender: alice }],
  ['label', {}],
  // Names that every object of JavaScript has.
  ['constructor', {}],
  ['__proto__', {}],
])('3.6 %s works with a prompt', (event, payload) => {
  expect(run(event, payload as JsonObject, { prompt: 'x' })).toEqual({ command: { kind: 'input' } })
})

const repo = (full_name: string) => ({ repo: { full_name } })
const fork = { number: 77, base: repo('octo/app'), head: repo('mallory/app') }
const branch = { number: 77, base: repo('octo/app'), head: repo('octo/app') }
const dependabot = { login: 'dependabot[bot]', type: 'Bot' }

test.each([
  ['pull_request', { pull_request: fork }, true],
  ['pull_request_review', { pull_request: fork }, true],
  ['pull_request_review_comment', { pull_request: fork }, true],
  ['pull_request_target', { pull_request: fork }, false],
  ['issue_comment', { pull_request: fork }, false],
  ['pull_request', { pull_request: branch }, false],
  ['pull_request', {}, false],
  ['pull_request', { pull_request: branch, sender: dependabot }, true],
  ['push', { sender: dependabot }, true],
  ['push', { sender: alice, repository: { fork: true } }, true],
  ['schedule', { repository: { fork: true } }, true],
  ['push', { sender: alice }, false],
] as const)('1.3 secrets of %s with %j', (event, payload, withheld) => {
  expect(secretsAreWithheld(readTrigger({ eventName: event, payload }), 'alice')).toBe(withheld)
})

test('1.3 GitHub withholds secrets from Dependabot also where it is only the actor', () => {
  expect(
    secretsAreWithheld(readTrigger({ eventName: 'push', payload: { sender: alice } }), 'dependabot[bot]'),
  ).toBe(true)
  expect(secretsAreWithheld(readTrigger({ eventName: 'push', payload: {} }), 'alice')).toBe(false)
})

test.each([
  ...['push', 'release', 'workflow_dispatch', 'repository_dispatch', 'create', 'delete', 'deployment'],
  ...['page_build', 'issues', 'discussion', 'workflow_run'],
])('5.4 the person behind %s is told of the end', (event) => {
  expect(requesterOf(readTrigger({ eventName: event, payload: { sender: alice } }))).toBe('alice')
})

test.each(['watch', 'fork', 'schedule', 'check_run', 'status'])(
  '5.4 a stranger can cause %s, and is not mentioned',
  (event) => {
    expect(requesterOf(readTrigger({ eventName: event, payload: { sender: alice } }))).toBe('')
  },
)

test('3.3 the author of a comment that the event lacks counts as one who cannot be read', () => {
  const authorsOf = (eventName: string, payload: JsonObject) => readTrigger({ eventName, payload }).authors
  for (const event of ['issue_comment', 'pull_request_review', 'discussion_comment'])
    expect(authorsOf(event, { action: 'created', sender: alice })).toEqual([undefined])
  expect(authorsOf('issues', { sender: alice })).toEqual([])
})

test.each([
  ['renovate[bot]', true, 'Renovate', true, true],
  ['alice', false, 'Alice', false, true],
  ['renovate[bot]', true, 'renovate', false, false],
  ['copilot', false, 'Copilot', true, false],
  ['alice', false, 'bob', false, false],
])('3.4 %s (bot: %s) and %s (bot: %s) are one account: %s', (one, isBot, other, isOtherBot, same) => {
  expect(isSameAccount({ login: one, bot: isBot }, { login: other, bot: isOtherBot })).toBe(same)
})
