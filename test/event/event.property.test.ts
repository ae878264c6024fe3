import examples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' }
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { isObject, type JsonObject } from '../../src/base/json.ts'
import { parseCommand } from '../../src/event/command.ts'
import { checkAccess, gate, requesterOf, secretsAreWithheld } from '../../src/event/gate.ts'
import { readTrigger } from '../../src/event/trigger.ts'
import { githubOf } from '../helpers/emulated-github.ts'
import { runs } from '../helpers/property.ts'

const emulator = createEmulator()
const github = await githubOf(emulator)
emulator.github.setPermission('alice', 'write')
emulator.github.setPermission('mallory', 'read')

/** Alice may ask by her permission, the bot by the list. */
const ALLOWED = ['renovate[bot]']
const TRUSTED = ['alice', ...ALLOWED]

const accounts = fc.constantFrom<unknown>(
  { login: 'alice', type: 'User' },
  { login: 'mallory', type: 'User' },
  { login: 'renovate[bot]', type: 'Bot' },
  { login: 'evil[bot]', type: 'User' },
  { login: 'alice', type: 'Bot' },
  { login: 'alice/../mallory', type: 'User' },
  ...[null, 'alice', {}, { login: ['alice'] }, { login: '' }],
)
const bodies = fc.constantFrom<unknown>(
  '/docs explain',
  '/DOCS new x',
  '/docs',
  'no',
  '<!-- docs-agent:1: -->',
  null,
  7,
)
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  accounts,
  fc.constant({ id: 1, number: 12, body: '/docs x' }),
)

const PATHS = [
  ...'sender comment comment.user comment.body comment.id comment.path review review.user review.body'.split(
    ' ',
  ),
  ...'issue issue.user issue.number pull_request pull_request.user pull_request.head pull_request.head.repo'.split(
    ' ',
  ),
  ...'action release before installation repository __proto__'.split(' '),
]

/** A payload as GitHub documents it, people and text of ours in it, and anything at all in a few places. */
const payloads = fc
  .record({
    example: fc.constantFrom(
      ...examples.flatMap(({ name, examples }) => examples.map((raw) => ({ name, raw }))),
    ),
    sender: accounts,
    author: accounts,
    body: bodies,
    spliced: fc.dictionary(fc.constantFrom(...PATHS), odd, { maxKeys: 2 }),
  })
  .map(({ example, sender, author, body, spliced }) => {
    const payload: unknown = structuredClone(example.raw)
    put(payload, 'sender', sender)
    for (const part of ['comment', 'review']) {
      put(payload, `${part}.user`, author)
      put(payload, `${part}.body`, body)
    }
    for (const [path, value] of Object.entries(spliced)) put(payload, path, value)
    return { event: example.name, payload: isObject(payload) ? payload : {} }
  })

function put(payload: unknown, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.')
  if (!isObject(payload)) return
  if (rest.length > 0) put(payload[name], rest.join('.'), value)
  else Object.defineProperty(payload, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Contract 3.3, from its words: of a comment or a review its author, of all such events the sender. */
const OF_COMMENTS: Readonly<Record<string, string>> = {
  issue_comment: 'comment',
  pull_request_review_comment: 'comment',
  commit_comment: 'comment',
  discussion_comment: 'comment',
  pull_request_review: 'review',
}
const OF_PEOPLE = new Set([
  ...Object.keys(OF_COMMENTS),
  'issues',
  'pull_request',
  'pull_request_target',
  'discussion',
])

function peopleBehind(event: string, payload: JsonObject): unknown[] {
  if (!OF_PEOPLE.has(event)) return []
  const part = payload[OF_COMMENTS[event] ?? '']
  const author = isObject(part) && isObject(part.user) ? part.user.login : undefined
  const sender = isObject(payload.sender) ? payload.sender.login : undefined
  return event in OF_COMMENTS ? [sender, author] : [sender]
}

test.each([undefined, 'Say more.'])(
  '3.3, 3.4 with the prompt %j only those who may get in',
  async (prompt) => {
    const inputs = { prompt, promptFile: undefined, command: '/docs', allowedBots: ALLOWED }
    await fc.assert(
      fc.asyncProperty(payloads, async ({ event, payload }) => {
        const trigger = readTrigger({ eventName: event, payload })
        expect(typeof secretsAreWithheld(trigger, 'alice')).toBe('boolean')
        expect(requesterOf(trigger)).toMatch(/^[\w-]*$/)
        const verdict = gate(trigger, inputs, parseCommand(trigger.comment?.body ?? '', inputs.command))
        if ('skip' in verdict || (verdict.command.kind !== 'input' && verdict.command.kind !== 'prompt'))
          return
        const access = await checkAccess(github, trigger, 'write')
        if (!access.granted) return
        for (const login of peopleBehind(event, payload)) expect(TRUSTED).toContain(login)
      }),
      runs(500),
    )
  },
)
