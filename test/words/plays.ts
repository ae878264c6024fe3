import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import type { ErrorReason } from '../../src/base/errors.ts'
import type { Outcome, SkipReason } from '../../src/record/outcome.ts'
import {
  CODE,
  file,
  happens,
  INPUTS,
  pulled,
  QUEUE_COMMIT,
  queued,
  WRITES,
  codeWorld as worldOfCode,
} from '../helpers/code-world.ts'
import { CREATE, ISSUE, type More, ownWorld, READ, SCHEDULE, type World, world } from '../helpers/world.ts'
import type { Play } from './page.ts'

type Plays = Readonly<Record<string, Play>>

const WORKS: Turn = { ending: 'active-forever' }
const FAILS: Check = { name: 'build', conclusion: 'failure' }
const PASSES: Check = { name: 'links' }
const COMMENTS = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const
const STATUS = { 'commit-status': 'docs' }
const OTHER_MEMORY = { 'memory-key': 'test-key-of-another-team' }

const inputs = (given: Readonly<Record<string, string>>): More => ({ inputs: given })

/** alice asks on the issue. */
const asks = (more: More = {}, body = '/docs explain retries') => ({
  run: (world: World): Promise<RunResult> => world.ask(body, more),
})
const asked =
  (more: More = {}) =>
  (world: World) =>
    world.ask('/docs explain retries', more)

/** Its pull request changes more lines than two prompts hold. */
function longCode() {
  const emulator = codeWorld()
  const lines = Array.from({ length: 3000 }, (_, at) => `+export const limit${at} = ${at}`)
  const files = [{ filename: 'src/limits.ts', patch: ['@@ -0,0 +1,3000 @@', ...lines].join('\n') }]
  emulator.github.push(CODE, { files, isForced: true })
  return emulator
}

/** Her next request, after all that. */
const asksAgain = (more: More = {}, body = '/docs shorten it'): Pick<Play, 'run' | 'before'> => ({
  before: asked(),
  ...asks({ runId: 2, ...more }, body),
})

const withTurns = (turns: readonly Turn[], options: EmulatorOptions = {}) => ({
  world: () => {
    const emulator = ownWorld(options)
    emulator.service.script.push(...turns)
    return emulator
  },
})

const withFault = (match: FaultMatch, fault: Fault, times = 1) => ({
  world: () => {
    const emulator = ownWorld()
    emulator.faults.add({ match, fault, times })
    return emulator
  },
})

const status = (code: number, body?: unknown, headers = {}): Fault => ({
  kind: 'status',
  status: code,
  headers,
  body,
})
const later = { 'retry-after': '7200' }
const html = (code: number): Fault => ({ kind: 'html', status: code })
const ANSWERS = (code: number, body?: unknown) => withFault(CREATE, status(code, body))

/** With the pull request of the docs in the same repository. */
/** The upper one of two layers has ended. */
const ofLayer = (ends: (world: World) => void): Play => ({
  world: () => {
    const emulator = codeWorld()
    emulator.github.addStack([{ number: 29 }, { number: 31, files: [file('src/retry.ts', 'first')] }])
    ends(emulator)
    return emulator
  },
  run: (world) => world.act(pulled(world, 'closed', 'alice', 31), inputs({ prompt: 'Document it.' })),
})

const codeWorld = (options: EmulatorOptions = {}) => worldOfCode({ docsRepository: 'octo/app', ...options })

const onCode = { threads: [CODE], statusOf: CODE }

async function interrupted(
  world: World,
  match: FaultMatch,
  more: More = {},
  signal: NodeJS.Signals = 'SIGINT',
) {
  return await world.interrupted(world.given(world.say('/docs explain retries'), more), match, { signal })
}

/** The seven outcomes that have no reason. */
export const OUTCOME_PLAYS: Readonly<Record<Exclude<Outcome, 'skipped' | 'error'>, Plays>> = {
  'pull-request': {
    'a request, from its first word to its last': { world: ownWorld, ...asks(), isWhole: true },
    'the comment on the pull request': { world: ownWorld, ...asks(), threads: [77] },
    'in another repository': { world, ...asks() },
    'in another repository, where the token may write': {
      world: () => world({ tokenCoversDocs: true }),
      ...asks(),
    },
    'a follow-up': { world: ownWorld, ...asksAgain() },
    'of a later push': {
      world: codeWorld,
      run: async (world) => {
        await happens(world, 'labeled', { runId: 1 })
        world.github.push(CODE, { files: [file('src/limit.ts', 'limit')] })
        return await happens(world, 'synchronize', { runId: 2 })
      },
      threads: [CODE],
    },
    'without a thread': { world: ownWorld, run: (world) => world.dispatch() },
    'with a tracking issue': {
      world: ownWorld,
      run: (world) => world.refresh(1, { 'issue-title': 'Refresh the docs' }),
      threads: [13],
    },
    'a re-run': {
      world: ownWorld,
      run: async (world) => {
        const { said } = await world.ask('/docs explain retries')
        return await world.act(said, { attempt: 2 })
      },
    },
    'as a status of the code': {
      world: codeWorld,
      run: (world) => world.ask('/docs explain retries', { on: CODE, inputs: STATUS }),
      ...onCode,
    },
  },
  'no-pull-request': {
    'nothing to change': { ...withTurns([{ pr: 'none' }]), ...asks(), hasSummary: true },
    'a link that cannot be used': { ...withTurns([{ pr: 'javascript:alert(1)' }]), ...asks() },
    'as a status of the code': {
      world: () => {
        const emulator = codeWorld()
        emulator.service.script.push({ pr: 'none' })
        return emulator
      },
      run: (world) => world.ask('/docs explain retries', { on: CODE, inputs: STATUS }),
      ...onCode,
    },
  },
  archived: {
    'without a pull request': { ...withTurns([{ ending: 'archived' }]), ...asks(), hasSummary: true },
    'with one': { ...withTurns([{ ending: 'archived', pr: 'open' }]), ...asks() },
  },
  failed: {
    'without a pull request': { ...withTurns([{ ending: 'failed' }]), ...asks(), hasSummary: true },
    'with one': { ...withTurns([{ ending: 'failed', pr: 'open' }]), ...asks() },
  },
  'timed-out': {
    'while the job works': { ...withTurns([WORKS]), ...asks(), hasSummary: true },
    'with `on-timeout: warn`': { ...withTurns([WORKS]), ...asks(inputs({ 'on-timeout': 'warn' })) },
    'while the service shows only a page': {
      ...withFault(READ, html(502), Number.POSITIVE_INFINITY),
      ...asks(inputs({ 'timeout-minutes': '1' })),
    },
    'at once, since the service says so': {
      ...withFault(READ, status(429, undefined, { 'retry-after': '86400' })),
      ...asks(),
    },
    'before anything was sent': {
      ...withFault({ host: 'github' }, { kind: 'delay', ms: 9000 }, 9),
      ...asks(inputs({ 'timeout-minutes': '0.2' })),
    },
  },
  cancelled: {
    'while the job works': {
      ...withTurns([WORKS]),
      run: (world) => interrupted(world, READ),
      hasSummary: true,
    },
    'before anything was sent': { world: ownWorld, run: (world) => interrupted(world, COMMENTS) },
    'because a later push came': {
      world: () => {
        const emulator = codeWorld()
        emulator.service.script.push(WORKS)
        return emulator
      },
      run: (world) => {
        const run = world.given(pulled(world, 'labeled'), { inputs: INPUTS })
        world.github.push(CODE, { files: [file('src/limit.ts', 'limit')] })
        return world.interrupted(run, READ, { signal: 'SIGINT' })
      },
      threads: [CODE],
    },
  },
  started: {
    '`wait: false`': { world: ownWorld, ...asks(inputs({ wait: 'false' })), hasSummary: true },
    'a follow-up': { world: ownWorld, ...asksAgain(inputs({ wait: 'false' })) },
  },
}

const fork = {
  name: 'pull_request',
  payload: {
    action: 'opened',
    pull_request: {
      number: 30,
      user: { login: 'mallory', type: 'User' },
      head: { repo: { full_name: 'mallory/app' } },
    },
    sender: { login: 'mallory', type: 'User' },
  },
}

export const SKIP_PLAYS: Readonly<Record<SkipReason, Plays>> = {
  'not-a-command': { 'a comment for people': { world: ownWorld, ...asks({}, 'thanks!') } },
  'not-a-new-comment': {
    'an edited one': { world: ownWorld, run: (world) => world.ask('/docs explain', { action: 'edited' }) },
  },
  'comment-gone': {
    'a comment that was deleted before the run began': {
      world: ownWorld,
      run: (world) => {
        const said = world.say('/docs explain')
        world.github.deleteComment(said.id)
        return world.act(said)
      },
    },
  },
  bot: {
    'one that is not listed': {
      world: ownWorld,
      run: (world) => world.ask('/docs explain', { by: 'renovate[bot]' }),
    },
  },
  'agent-pull-request': {
    'a pull request of the agent’s': {
      world: () => {
        const emulator = codeWorld()
        emulator.github.addPullRequest({ number: 31, user: 'mintlify[bot]' })
        return emulator
      },
      run: (world) => world.act(pulled(world, 'opened', 'alice', 31), inputs({ prompt: 'Document it.' })),
    },
  },
  'permission-denied': {
    'a reader': {
      world: ownWorld,
      run: (world) => world.ask('/docs explain', { by: 'mallory' }),
      hasSummary: true,
    },
    'a permission that cannot be read': {
      ...withFault(
        { path: /permission$/ },
        status(403, { message: 'Resource not accessible by integration' }),
      ),
      ...asks(),
    },
  },
  'missing-secret': {
    'a pull request from a fork': {
      world: ownWorld,
      run: (world) => world.dispatch({ event: fork, inputs: { 'api-key': '' } }),
    },
    'a fork that inherited the workflow': {
      world: ownWorld,
      run: (world) =>
        world.dispatch({
          event: { name: 'schedule', payload: { repository: { fork: true } } },
          inputs: { 'api-key': '' },
        }),
    },
  },
  'pull-request-open': {
    '`conversation: skip`': { world: ownWorld, ...asksAgain(inputs({ conversation: 'skip' })) },
    'one that cannot be read': {
      world: ownWorld,
      before: async (world) => {
        await asked()(world)
        world.faults.add({ match: { method: 'GET', path: /\/pulls\/77$/ }, fault: status(403) })
      },
      ...asks({ runId: 2, inputs: { conversation: 'skip' } }, '/docs more'),
    },
  },
  'pull-request-closed': {
    'merged: the word on the pull request of the docs': {
      world: codeWorld,
      before: async (world) => {
        await happens(world, 'labeled', { runId: 1 })
        world.github.closePullRequest(CODE, { merged: true })
      },
      run: (world) => happens(world, 'closed', { runId: 2 }),
      threads: [CODE, 77],
      statusOf: CODE,
    },
    'closed: the word on the pull request of the docs': {
      world: codeWorld,
      before: async (world) => {
        await happens(world, 'labeled', { runId: 1 })
        world.github.closePullRequest(CODE, { merged: false })
      },
      run: (world) => happens(world, 'closed', { runId: 2 }),
      threads: [CODE, 77],
    },
    'a layer of a stack, merged into the one below': ofLayer((world) =>
      world.github.closePullRequest(31, { merged: true }),
    ),
    'a layer of a stack, where GitHub does not show its merge': ofLayer((world) => {
      world.github.mergeStack(31)
      world.faults.add({ match: { path: /\/compare\// }, fault: status(403) })
    }),
  },
  'job-active': {
    '`conversation: skip`': {
      ...withTurns([WORKS]),
      before: asked(inputs({ wait: 'false' })),
      ...asks({ runId: 2, inputs: { conversation: 'skip' } }, '/docs more'),
    },
  },
  ignored: {
    'by its author, whose name is in the input': {
      world: codeWorld,
      run: (world) => happens(world, 'opened', { inputs: { ignore: 'author:alice' } }),
      threads: [CODE],
      statusOf: CODE,
    },
    'by a label that a person without the permission set': {
      world: () => {
        const world = codeWorld()
        world.github.addLabels(CODE, ['no-docs'], undefined, 'mallory')
        return world
      },
      run: (world) => happens(world, 'synchronize', { inputs: { ignore: 'label:no-docs' } }),
      threads: [CODE],
      statusOf: CODE,
    },
    'where the head has a verdict': {
      world: codeWorld,
      before: async (world) => {
        await happens(world, 'opened', { runId: 1 })
      },
      run: (world) => happens(world, 'labeled', { runId: 2, inputs: { ignore: 'author:alice' } }),
      threads: [CODE],
      statusOf: CODE,
    },
  },
  'docs-skipped': {
    '`/docs skip` with a reason': {
      world: codeWorld,
      run: (world) => world.ask('/docs skip because only the tests change', { on: CODE, inputs: STATUS }),
      threads: [CODE],
      statusOf: CODE,
    },
    'without one, and without a commit status': {
      world: codeWorld,
      run: (world) => world.ask('/docs skip', { on: CODE }),
      threads: [CODE],
    },
    'whose comment and status GitHub does not take': {
      world: () => {
        const world = codeWorld()
        world.faults.add({ match: { method: 'POST', path: /\/issues\/30\/comments$/ }, fault: status(403) })
        world.faults.add({ match: { method: 'POST', path: /\/statuses\// }, times: 99, fault: status(502) })
        return world
      },
      run: (world) => world.ask('/docs skip', { on: CODE, inputs: STATUS }),
      threads: [CODE],
      hasSummary: true,
    },
    'a push after it': {
      world: codeWorld,
      before: async (world) => {
        await world.ask('/docs skip because only the tests change', { on: CODE, inputs: STATUS })
        world.github.push(CODE, { files: [] })
      },
      run: (world) => happens(world, 'synchronize', { runId: 2 }),
      statusOf: CODE,
      hasSummary: true,
    },
  },
  'no-changes': {
    '`changes-since` that finds none': {
      world: ownWorld,
      run: (world) => world.refresh(1, { 'changes-since': '7d', 'issue-title': 'Refresh the docs' }),
    },
    'a push that merged none': {
      world: ownWorld,
      run: (world) =>
        world.act(
          SCHEDULE,
          inputs({ prompt: 'Refresh.', 'changes-since': '7d', 'merged-labels': 'feature' }),
        ),
      before: async (world) => world.merge({ labels: ['internal'] }),
    },
    '`paths` that name none of its files': {
      world: codeWorld,
      run: (world) => happens(world, 'opened', { inputs: { paths: 'lib/**' } }),
      ...onCode,
    },
    '`paths` that name no file of a merge': {
      world: ownWorld,
      run: (world) =>
        world.act(SCHEDULE, inputs({ prompt: 'Refresh.', 'changes-since': '7d', paths: 'lib/**' })),
      before: async (world) => world.merge({ files: [file('src/retry.ts', 'first')] }),
    },
    'a push that brings nothing new: a rebase': {
      world: codeWorld,
      before: async (world) => {
        await happens(world, 'labeled', { runId: 1 })
        world.github.push(CODE, {
          files: [file('src/retry.ts', 'first', 9)],
          isForced: true,
        })
      },
      run: (world) => happens(world, 'synchronize', { runId: 2 }),
      ...onCode,
    },
  },
  'merge-group': {
    'a pull request whose docs are ready': {
      world: codeWorld,
      before: (world) => happens(world, 'labeled', { runId: 1 }),
      run: (world) => world.act(queued(world), inputs({ ...INPUTS, 'api-key': '' })),
      statusOf: QUEUE_COMMIT,
    },
    'one without a verdict': {
      world: codeWorld,
      run: (world) => world.act(queued(world), inputs({ ...INPUTS, 'api-key': '' })),
      statusOf: QUEUE_COMMIT,
    },
  },
  'daily-limit': {
    'the second request of a day that has room for one': {
      world: ownWorld,
      ...asksAgain(inputs({ 'daily-limit': '1' })),
      hasSummary: true,
    },
    'a push, with a commit status': {
      world: codeWorld,
      before: asked(),
      run: (world) => happens(world, 'opened', { runId: 2, inputs: { 'daily-limit': '1' } }),
      ...onCode,
    },
  },
  'dry-run': { 'a prompt that is only shown': { world: ownWorld, ...asks(inputs({ 'dry-run': 'true' })) } },
  help: {
    '`/docs help`': { world: ownWorld, ...asks({}, '/docs help') },
    '`/docs skip` on an issue': { world: ownWorld, ...asks({}, '/docs skip') },
    '`/docs skip` with what could be a request': {
      world: codeWorld,
      run: (world) => world.ask('/docs skip, only document the flag', { on: CODE, inputs: STATUS }),
      threads: [CODE],
      statusOf: CODE,
    },
    '`/docs retry` after a refused payment': {
      ...ANSWERS(402),
      before: asked(),
      ...asks({ runId: 2 }, '/docs retry'),
    },
    '`/docs cancel`, and below it a second command': {
      world: ownWorld,
      ...asks({}, '/docs cancel\n\n/docs shorten it'),
    },
    'a picture alone': { world: ownWorld, ...asks({}, '/docs ![](https://example.com/a.png)') },
  },
  status: {
    'a job that has ended': { world: ownWorld, ...asksAgain({}, '/docs status') },
    'a job that works': {
      ...withTurns([WORKS]),
      before: asked(inputs({ wait: 'false' })),
      ...asks({ runId: 2 }, '/docs status'),
    },
    'a job that is gone': {
      ...withTurns([{ reads: 5, notFound: { reads: Number.POSITIVE_INFINITY } }]),
      before: asked(inputs({ wait: 'false' })),
      ...asks({ runId: 2 }, '/docs status'),
    },
    'a request that a run has begun to send': {
      world: ownWorld,
      before: (world) => interrupted(world, CREATE, { post: false }, 'SIGKILL'),
      ...asks({ runId: 2 }, '/docs status'),
    },
    'no job': { world: ownWorld, ...asks({}, '/docs status') },
    'a thread that cannot be read': { ...withFault(COMMENTS, status(403)), ...asks({}, '/docs status') },
  },
}

export const ERROR_PLAYS: Readonly<Record<ErrorReason, Plays>> = {
  'bad-input': {
    'in a thread': {
      world: ownWorld,
      ...asks(inputs({ 'base-url': 'http://example.com' })),
      hasSummary: true,
    },
    'without `memory-key`': { world: codeWorld, ...asks(inputs({ 'memory-key': '' })) },
    'without `memory-key`, on a new head': {
      world: codeWorld,
      run: (world) => happens(world, 'opened', inputs({ 'memory-key': '' })),
      ...onCode,
    },
    'a `memory-key` that is too short': { world: ownWorld, ...asks(inputs({ 'memory-key': 'short' })) },
    'a tracking issue that does not verify': {
      world: ownWorld,
      run: async (world) => {
        await world.refresh(1, { 'issue-title': 'Refresh the docs', ...OTHER_MEMORY })
        return await world.refresh(2, { 'issue-title': 'Refresh the docs' })
      },
    },
    ...Object.fromEntries(
      Object.entries({
        'api-key': 'two words',
        'project-id': 'https://example.com',
        'prompt-file': 'request.md',
        'job-id': '..',
        conversation: 'maybe',
        command: 'two words',
        'min-permission': 'owner',
        'allowed-bots': 'not a login',
        wait: 'yes',
        'timeout-minutes': 'soon',
        'issue-number': '#12',
        'changes-since': 'soon',
        'merged-labels': '!',
        paths: 'docs\\**',
        'commit-status': 'a\nb',
        'fix-attempts': '9',
      }).map(([name, value]): [string, Play] => [
        `\`${name}: ${JSON.stringify(value)}\``,
        {
          isLine: true,
          world: ownWorld,
          run: (world) =>
            world.dispatch(inputs({ [name]: value, ...(name === 'prompt-file' && { prompt: '' }) })),
        },
      ]),
    ),
  },
  unauthorized: {
    'a key that the service does not know': {
      world: ownWorld,
      ...asks(inputs({ 'api-key': 'other-key' })),
      hasSummary: true,
    },
    'a key that expires while the job works': {
      ...withFault(READ, status(401, { error: 'API key expired' })),
      ...asks(),
    },
    'in words that nobody knows': { ...ANSWERS(401), ...asks() },
    'without a word': { ...ANSWERS(401, ''), ...asks() },
    'as a status of the code': {
      world: codeWorld,
      run: (world) =>
        world.ask('/docs explain retries', { on: CODE, inputs: { ...STATUS, 'api-key': 'other-key' } }),
      ...onCode,
    },
  },
  forbidden: {
    'a key without the scope': { ...ANSWERS(403, { error: 'Missing scope: write' }), ...asks() },
    'an address that is not allowed': { ...ANSWERS(403, { error: 'IP not allowed' }), ...asks() },
    'in words that nobody knows': { ...ANSWERS(403), ...asks() },
    'an account that is suspended': { ...ANSWERS(403, { error: 'Your account is suspended' }), ...asks() },
  },
  'payment-required': {
    'in words that nobody knows': { ...ANSWERS(402), ...asks() },
    'no credits': { ...ANSWERS(402, { error: 'Insufficient credits' }), ...asks() },
    'the plan': { ...ANSWERS(401, { error: 'Upgrade your plan to use the agent' }), ...asks() },
    'a bill': { ...ANSWERS(403, { error: 'Your invoice is overdue' }), ...asks() },
    'a spending limit': { ...ANSWERS(429, { error: 'Monthly spending limit reached' }), ...asks() },
    'as a status of the code': {
      world: () => {
        const emulator = codeWorld()
        emulator.faults.add({ match: CREATE, fault: status(403, { error: 'Your trial has ended' }) })
        return emulator
      },
      run: (world) => world.ask('/docs explain retries', { on: CODE, inputs: STATUS }),
      ...onCode,
    },
  },
  'job-not-found': {
    'an input `job-id` of no job': { world: ownWorld, ...asks(inputs({ 'job-id': 'j_none' })) },
    'a job that is deleted while it works': {
      ...withTurns([{ reads: 5, notFound: { reads: Number.POSITIVE_INFINITY } }]),
      ...asks(),
    },
    'no such project': { ...ANSWERS(404), ...asks() },
  },
  rejected: {
    'a prompt that is too long': { ...ANSWERS(400, { error: 'The prompt is too long' }), ...asks() },
    'another answer': { ...ANSWERS(422), ...asks() },
  },
  'rate-limited': {
    'for longer than the run waits': { ...withFault(CREATE, status(429, undefined, later)), ...asks() },
    'when asked how a job stands': {
      world: ownWorld,
      before: async (world) => {
        await asked()(world)
        world.faults.add({ match: READ, fault: status(429, undefined, later) })
      },
      ...asks({ runId: 2 }, '/docs status'),
    },
  },
  'service-unavailable': {
    'the page of a firewall while the job works': {
      ...withFault(READ, html(403), Number.POSITIVE_INFINITY),
      ...asks(inputs({ 'poll-interval-seconds': '180' })),
    },
    'that names a time': {
      ...withFault(CREATE, status(503, undefined, { 'retry-after': '1' }), 5),
      ...asks(),
    },
    'a state that cannot be read': {
      world: ownWorld,
      before: async (world) => {
        await asked()(world)
        world.faults.add({ match: READ, times: 99, fault: status(500) })
      },
      ...asks({ runId: 2 }, '/docs status'),
    },
  },
  network: {
    'a state that cannot be read': {
      world: ownWorld,
      before: async (world) => {
        await asked()(world)
        world.faults.add({ match: READ, times: 99, fault: { kind: 'refuse' } })
      },
      ...asks({ runId: 2 }, '/docs status'),
    },
  },
  'github-unavailable': {
    'before anything was sent': {
      ...withFault({ host: 'github', path: /permission$/ }, { kind: 'reset' }, 99),
      ...asks(),
    },
    'a thread that cannot be read': { ...withFault(COMMENTS, html(502), 99), ...asks() },
    'a thread that the token of an event may not read': {
      world: codeWorld,
      run: async (world) => {
        world.faults.add({
          match: { method: 'GET', path: /\/issues\/30\/comments$/ },
          fault: status(403, { message: 'Resource not accessible by integration' }),
        })
        return await happens(world, 'opened', { runId: 1 })
      },
      ...onCode,
    },
    'a thread behind the page of a firewall, at an event': {
      world: codeWorld,
      run: async (world) => {
        world.faults.add({ match: { method: 'GET', path: /\/issues\/30\/comments$/ }, fault: html(403) })
        return await happens(world, 'opened', { runId: 1 })
      },
      ...onCode,
    },
    'files that GitHub does not list, at an event': {
      world: codeWorld,
      run: async (world) => {
        world.faults.add({ match: { path: /\/pulls\/30\/files$/ }, fault: status(403) })
        return await happens(world, 'opened', { runId: 1 })
      },
      ...onCode,
    },
  },
  'creation-uncertain': {
    'an answer that is lost': {
      ...withFault(CREATE, { kind: 'reset', when: 'after' }),
      ...asks(),
      hasSummary: true,
    },
    'an error of the server': { ...ANSWERS(500), ...asks() },
    'an answer that holds no job': { ...withFault(CREATE, { kind: 'truncated' }), ...asks() },
    'a message whose answer is lost': {
      world: ownWorld,
      before: async (world) => {
        await asked()(world)
        world.faults.add({
          match: { host: 'service', method: 'POST' },
          fault: { kind: 'reset', when: 'after' },
        })
      },
      ...asks({ runId: 2 }, '/docs shorten it'),
    },
    'as a status of the code': {
      world: () => {
        const emulator = codeWorld()
        emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
        return emulator
      },
      run: (world) => world.ask('/docs explain retries', { on: CODE, inputs: STATUS }),
      ...onCode,
    },
  },
  'end-uncertain': {
    'a re-run after a later request': {
      world: ownWorld,
      run: async (world) => {
        world.service.script.push({ durationMs: 60_000 }, { ending: 'failed' })
        const { said } = await world.ask('/docs explain retries', inputs({ wait: 'false' }))
        await world.ask('/docs shorten it', { runId: 2, ...inputs({ wait: 'false' }) })
        await world.pass(3_600_000)
        return await world.act(said, { attempt: 2 })
      },
    },
    'as a status of the code': {
      world: codeWorld,
      run: async (world) => {
        world.service.script.push({ durationMs: 60_000 })
        await happens(world, 'opened', { runId: 1, ...inputs({ wait: 'false' }) })
        await world.ask('/docs shorten it', { on: CODE, runId: 2, ...inputs({ wait: 'false' }) })
        await world.pass(3_600_000)
        return await happens(world, 'opened', { runId: 1, attempt: 2 })
      },
      ...onCode,
    },
  },
  'bad-response': {
    'a redirect': { ...withFault(CREATE, { kind: 'redirect', location: 'http://127.0.0.1:1/' }), ...asks() },
    'a redirect to another address of the service': {
      ...withFault(CREATE, { kind: 'redirect', location: 'https://eu.example.com/v2/agent/docs/job' }),
      ...asks(),
    },
    'a page': { ...withFault(CREATE, html(403)), ...asks() },
    'an answer that is no job': { ...withFault(READ, { kind: 'wrongType' }, 3), ...asks() },
  },
  internal: {
    'a fault of the action': {
      world: ownWorld,
      run: (world) => world.dispatch({ event: { name: 'push', payload: 'nothing' } }),
    },
  },
}

const FIX = { 'fix-attempts': '2' }

const checked = (
  heads: readonly (readonly Check[])[],
  more: Partial<Play> & { readonly turns?: readonly Turn[] } = {},
): Play => {
  const { turns = [], ...play } = more
  return {
    world: () => {
      const emulator = ownWorld({ permissions: WRITES })
      emulator.github.checks.script.push(...heads)
      emulator.service.everyTurn = { reads: 0 }
      emulator.service.script.push(...turns)
      return emulator
    },
    ...asks(inputs(FIX)),
    ...play,
  }
}

const NEVER = Number.POSITIVE_INFINITY

const CHECKS: Plays = {
  'they fail, go back, and pass': checked(
    [
      [FAILS, PASSES],
      [{ name: 'build' }, PASSES],
    ],
    { showsMeanwhile: true },
  ),
  'one passes': checked([[PASSES]]),
  'they fail after all attempts': checked([
    [FAILS, PASSES],
    [FAILS, PASSES],
    [FAILS, PASSES],
  ]),
  'a conflict': checked([[], []], {
    turns: [{ reads: 0, change: { conflicts: true } }],
    showsMeanwhile: true,
  }),
  'workflows that wait for an approval': checked([
    [{ kind: 'suite', name: 'ci', conclusion: 'action_required' }],
  ]),
  'one waits for a person': checked([[PASSES, { name: 'deploy', waits: true }]]),
  'one asks a person for something': checked([[PASSES, { name: 'cla', conclusion: 'action_required' }]]),
  'one waits for its turn': checked([
    [PASSES, { name: 'deploy', queuedAs: 'pending', startsAfterMs: NEVER, takesMs: NEVER }],
  ]),
  'one has no verdict': checked([[PASSES, { name: 'old', conclusion: 'cancelled' }]]),
  'one fails while another never ends': checked([
    [FAILS, { name: 'license/cla', kind: 'status', takesMs: NEVER }],
  ]),
  'one never ends': checked([[PASSES, { name: 'slow', takesMs: NEVER }]]),
  none: checked([[]]),
  'the token may not read them': {
    ...checked([[PASSES]]),
    world: () => ownWorld({ permissions: { issues: 'write', pull_requests: 'write', checks: 'none' } }),
  },
  'the run is cancelled': checked([[{ ...FAILS, takesMs: 2500 }]], {
    run: (world) => interrupted(world, { method: 'GET', path: /\/check-runs$/ }, inputs(FIX)),
  }),
  'a message that surely failed': checked([[FAILS]], {
    before: async (world) =>
      world.faults.add({ match: { host: 'service', path: /\/message$/ }, fault: status(402) }),
  }),
  'a message whose answer is lost': checked([[FAILS]], {
    before: async (world) =>
      world.faults.add({
        match: { host: 'service', path: /\/message$/ },
        fault: { kind: 'reset', when: 'after' },
      }),
  }),
}

/** A follow-up. @param meanwhile what happened to the pull request of the job before it */
const follows = (meanwhile: (world: World) => void): Play => ({
  world: ownWorld,
  ...asksAgain(),
  before: async (world) => {
    await asked()(world)
    meanwhile(world)
  },
})

/** What a follow-up finds of the job before it. */
const FOLLOW_UPS: Plays = {
  'the job is gone': { ...withTurns([{ reads: 0, notFound: { afterReads: 1, reads: 2 } }]), ...asksAgain() },
  'the job is archived': { ...withTurns([{ ending: 'archived' }]), ...asksAgain() },
  'its pull request is merged': follows(({ github }) => void github.closePullRequest(77, { merged: true })),
  'its pull request is closed': follows(({ github }) => void github.closePullRequest(77)),
  'its pull request cannot be read': follows(
    ({ faults }) => void faults.add({ match: { method: 'GET', path: /\/pulls\/77$/ }, fault: status(403) }),
  ),
}

const TRACKED = { 'issue-title': 'Refresh the docs' }
const refused = (permissions: NonNullable<EmulatorOptions['permissions']>, more: More = {}): Play => ({
  world: () => ownWorld({ permissions }),
  ...asks(more),
})

const refusedComment = (message: string): Play => ({
  ...withFault(
    { host: 'github', method: 'POST', path: /issues\/12\/comments$/ },
    status(403, { message }),
    9,
  ),
  ...asks(),
})

/** alice reviews the code. */
function reviews(world: World, body: string, lines: readonly string[]): Promise<RunResult> {
  const { github, shown } = world
  const review = github.addReview(CODE, { login: 'alice', body })
  for (const [at, line] of lines.entries())
    github.addReviewComment(CODE, { login: 'alice', body: line, review: review.id, line: at + 1 })
  const common = {
    pull_request: shown.pull(CODE),
    repository: shown.repository(),
    sender: shown.user('alice'),
  }
  const payload = { action: 'submitted', review: shown.review(review), ...common }
  return world.act({ name: 'pull_request_review', payload })
}

const LEFT_OUT: Plays = {
  'of a mail': {
    world: ownWorld,
    run: (world) =>
      world.ask('/docs explain retries\r\n\r\nOn 11/24/26 10:02, bob wrote:\r\n> Retries are new.', {
        isMail: true,
      }),
  },
  'below `status`': { world: ownWorld, ...asksAgain({}, '/docs status\n\nAnd explain retries.') },
  'of a review that only answers': {
    world: codeWorld,
    run: (world) => reviews(world, '/docs status', ['/docs explain retries', '/docs skip']),
    threads: [CODE],
  },
  'of a review that asks': {
    world: codeWorld,
    run: (world) => reviews(world, '/docs explain retries', ['Say why.', '/docs skip']),
    threads: [CODE],
  },
  'of a conversation': {
    world: ownWorld,
    before: async (world) => {
      for (const login of ['bob', 'mallory', '', 'other[bot]'])
        world.github.addComment(ISSUE, { login, body: 'Retries back off twice.' })
    },
    ...asks(),
  },
  'of a conversation with many reviews': {
    world: codeWorld,
    before: async ({ github }) => {
      for (let n = 0; n < 101; n++) github.addReview(CODE, { login: 'bob', body: '' })
    },
    run: (world) => world.ask('/docs explain retries', { on: CODE }),
    threads: [CODE],
  },
  'of a conversation whose texts GitHub does not show': {
    world: ownWorld,
    before: async (world) => {
      world.github.addComment(ISSUE, { login: 'bob', body: 'Retries back off twice.' })
      world.faults.add({ match: COMMENTS, skip: 1, fault: status(403) })
    },
    ...asks(),
  },
  'of an issue that was edited': {
    world: ownWorld,
    run: async (world) => {
      const said = world.say('/docs explain this')
      Object.assign(world.github.repository('octo/app')?.issues.get(12) ?? {}, { body: 'Edited.' })
      return await world.act(said)
    },
  },
  'of a long issue': {
    world: ownWorld,
    run: async (world) => {
      const body = 'Retries are new.\n\n'.repeat(2000)
      Object.assign(world.github.repository('octo/app')?.issues.get(12) ?? {}, { body })
      return await world.ask('/docs explain this')
    },
  },
  'of a long pull request': {
    world: longCode,
    run: (world) => world.ask('/docs explain retries', { on: CODE }),
    threads: [CODE],
  },
  'and of what it left out': {
    world: longCode,
    before: (world) => world.ask('/docs explain retries', { on: CODE }),
    run: (world) => world.ask('/docs go on', { on: CODE, runId: 2 }),
    threads: [CODE],
  },
  'of pictures': {
    world: ownWorld,
    run: (world) => world.ask('/docs explain ![this](https://example.com/a.png)'),
  },
  'of merges': {
    world: ownWorld,
    before: async (world) => {
      world.merge({ labels: ['feature'] })
      world.merge({ user: 'renovate[bot]', labels: ['feature'] })
      world.merge({ user: 'l10n', labels: ['feature'] })
      world.merge()
    },
    run: (world) =>
      world.refresh(1, {
        'issue-number': String(ISSUE),
        'changes-since': '7d',
        'merged-labels': 'feature',
        ignore: 'author:l10n',
      }),
  },
}

const WARNINGS: Plays = {
  'a token that may write nothing': refused({ issues: 'read', pull_requests: 'read' }),
  'a token that may read nothing': refused({ issues: 'none', pull_requests: 'none' }),
  'a token that may not set reviewers and labels': {
    world: () =>
      world({ permissions: { issues: 'write', pull_requests: 'read' }, docsRepository: 'octo/app' }),
    ...asks(inputs({ reviewers: 'bob', labels: 'docs' })),
  },
  'reviewers of a pull request on another server': {
    ...withTurns([{ pr: 'https://gitlab.example.com/octo/docs/-/merge_requests/3' }]),
    ...asks(inputs({ reviewers: 'bob' })),
  },
  'no person asked': {
    world: ownWorld,
    run: (world) => world.refresh(1, { reviewers: 'requester' }),
  },
  'a token that may set no commit status': {
    world: () => codeWorld({ permissions: { ...WRITES, statuses: 'read' } }),
    run: (world) => world.ask('/docs explain retries', { on: CODE, inputs: STATUS }),
    threads: [CODE],
  },
  'a token that may open no issue': {
    world: () => ownWorld({ permissions: { issues: 'read' } }),
    run: (world) => world.refresh(1, TRACKED),
  },
  'a thread that is locked': refusedComment('Unable to create comment because issue is locked.'),
  'a repository that GitHub has blocked': refusedComment('Repository access blocked'),
  'a thread that is full': refusedComment('Commenting is disabled on issues with more than 2500 comments'),
  'a repository that is archived': refusedComment('Repository was archived so is read-only.'),
}

const KILLS: Plays = {
  'while the job works': { ...withTurns([WORKS]), run: (world) => interrupted(world, READ, {}, 'SIGKILL') },
  'with the request under way': {
    world: ownWorld,
    run: (world) => interrupted(world, CREATE, {}, 'SIGKILL'),
  },
}

const SWEEPS: Plays = {
  'a job that has ended': {
    world: ownWorld,
    before: asked(inputs({ wait: 'false' })),
    run: (world) => world.collect(),
  },
  'a request that was under way when its run was lost': {
    world: ownWorld,
    before: async (world) => {
      await interrupted(world, CREATE, { post: false }, 'SIGKILL')
      await world.pass(60 * 60_000)
    },
    run: (world) => world.collect(),
  },
}

/** What goes with a run, by its heading on the page. */
export const MORE_PLAYS: Readonly<Record<string, Plays>> = {
  'The checks of the pull request': CHECKS,
  'A follow-up': FOLLOW_UPS,
  'What the agent does not get': LEFT_OUT,
  'What GitHub refuses': WARNINGS,
  'Killed, and said by the post step': KILLS,
  'Reported by a sweep': SWEEPS,
}
