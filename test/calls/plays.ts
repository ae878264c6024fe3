import type { FaultMatch } from '../../emulator/faults.ts'
import { checkedWorld, FIX } from '../helpers/checked-world.ts'
import {
  CODE,
  closes,
  FIRST,
  file,
  happens,
  INPUTS,
  pushes,
  queued,
  SECOND_PUSH,
  codeWorld as worldOfCode,
} from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { green, red, workflowRun } from '../helpers/stepped-world.ts'
import { CREATE, ISSUE, type More, ownWorld, READ, type World } from '../helpers/world.ts'
import type { Play } from './page.ts'

type Plays = Readonly<Record<string, Play>>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STATUS = { 'commit-status': 'docs' }
const REFRESH = { 'issue-title': 'Refresh the docs', 'changes-since': 'last-run' }
const WRITTEN = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const

/** With the pull request of the docs in the same repository. */
const codeWorld = () => worldOfCode({ docsRepository: 'octo/app' })

const asks = (world: World, more: More = {}) => world.ask('/docs explain retries', more)

/** The comment of alice, in a second attempt. */
function reRuns(world: World) {
  const { github, shown } = world
  const comment = github.comments(ISSUE).find(({ user }) => user.login === 'alice')
  if (comment === undefined) throw new Error('alice has said nothing')
  const said = { action: 'created', issue: shown.issue(ISSUE), comment: shown.comment(comment) }
  const payload = { ...said, sender: shown.user('alice'), repository: shown.repository() }
  return world.act({ name: 'issue_comment', payload }, { attempt: 2 })
}

/** alice comments on a line of the code. */
function asksOnLine(world: World) {
  const { github, shown } = world
  const [{ filename: path, patch: diffHunk = '' } = { filename: '' }] = FIRST
  const body = '/docs explain it'
  const { id } = github.addReviewComment(CODE, { login: 'alice', body, line: 1, diffHunk })
  const comment = { id, body, path, line: 1, diff_hunk: diffHunk, user: shown.user('alice') }
  const said = { action: 'created', comment, pull_request: shown.pull(CODE), sender: shown.user('alice') }
  const payload = { ...said, repository: shown.repository() }
  return world.act({ name: 'pull_request_review_comment', payload })
}

/** The job works for a while. */
const busyWorld = () => {
  const world = ownWorld()
  world.service.script.push({ durationMs: MINUTE })
  return world
}

/** alice asks, and her run is killed once GitHub or the service has processed such a request. */
const killed =
  (match: FaultMatch, more: More = {}) =>
  (world: World) =>
    world.interrupted(world.given(world.say('/docs explain retries'), more), match, { when: 'after' })

/** alice asked with `wait: false`, and a sweep has reported the job, whose pull request fails since. */
async function leftRed(world: World): Promise<void> {
  world.github.checks.script.push(red(10 * MINUTE))
  world.github.checks.everyHead = green()
  world.service.everyTurn = { durationMs: MINUTE }
  await asks(world, { inputs: { ...FIX, wait: 'false' } })
  await world.pass(2 * MINUTE)
  await world.collect(FIX)
  await world.pass(20 * MINUTE)
}

const COMMANDS: Plays = {
  'A first command': {
    says: 'alice comments `/docs …` on an issue.',
    world: ownWorld,
    run: asks,
  },
  'A first command on a pull request': {
    says: 'alice comments `/docs …` on a pull request, whose head gets a commit status.',
    world: codeWorld,
    run: (world) => world.ask('/docs explain retries', { on: CODE, inputs: STATUS }),
  },
  'A command on a line': {
    says: 'alice comments `/docs …` on a line of a diff.',
    world: codeWorld,
    run: asksOnLine,
  },
  'A command with a link to code': {
    says: 'GitHub shows the lines in the comment, which is read as it shows it.',
    world: ownWorld,
    run: (world) => {
      const link = world.github.addCode('c'.repeat(40), 'src/retry.ts', 'retry()')
      return world.ask(`/docs explain this\n\n${link}#L1`)
    },
  },
  'Docs in another repository': {
    says: 'alice comments on an issue, and the token does not see the repository of the docs.',
    world: worldOfCode,
    run: asks,
  },
  'A second command in the thread': {
    says: 'alice asks for more, which is a message to the same job.',
    world: ownWorld,
    before: asks,
    run: (world) => world.ask('/docs shorten it', { runId: 2 }),
  },
  "A command on the agent's pull request": {
    says: 'alice asks for more on the pull request that her first command brought.',
    world: ownWorld,
    before: asks,
    run: (world) => world.ask('/docs shorten it', { on: 77, runId: 2 }),
  },
  'A question how it stands': {
    says: 'alice comments `/docs status` after her command.',
    world: ownWorld,
    before: asks,
    run: (world) => world.ask('/docs status', { runId: 2 }),
  },
  'A command of a stranger': {
    says: 'mallory, who may only read, comments `/docs …`.',
    world: ownWorld,
    run: (world) => world.ask('/docs explain retries', { by: 'mallory' }),
  },
  'Two commands at once': {
    says: 'alice and bob comment on an issue in the same second: the second request waits for the first, and goes to its job.',
    world: ownWorld,
    run: (world) =>
      Promise.all(
        ['alice', 'bob'].map((by, at) => world.ask(`/docs explain retries to ${by}`, { by, runId: at + 1 })),
      ),
  },
  'A dry run': {
    says: 'alice comments `/docs …`, with `dry-run: true`.',
    world: ownWorld,
    run: (world) => asks(world, { inputs: { 'dry-run': 'true' } }),
  },
}

const INTERRUPTIONS: Plays = {
  'A re-run': {
    says: 'Somebody runs the first command again after its end.',
    world: ownWorld,
    before: asks,
    run: reRuns,
  },
  'Killed before the request': {
    says: 'The run is killed once its comment says `sending`, and its post step comes.',
    world: ownWorld,
    run: killed(WRITTEN),
  },
  'Killed after the request': {
    says: 'The run is killed once the service has the request, before it knows the job, and its post step comes.',
    world: ownWorld,
    run: killed(CREATE),
  },
  'Killed while the job works': {
    says: 'The run is killed at its first look at the job, and its post step comes.',
    world: busyWorld,
    run: killed(READ),
  },
  'A re-run after a kill before the request': {
    says: 'The post step has said that the agent may have the request; the second attempt asks.',
    world: ownWorld,
    before: killed(WRITTEN),
    run: reRuns,
  },
  'A re-run after a kill while the job works': {
    says: 'The second attempt picks the job up.',
    world: busyWorld,
    before: killed(READ),
    run: reRuns,
  },
  'No wait, then a sweep': {
    says: 'alice asks, with `wait: false`, and `collect` reports the end.',
    world: busyWorld,
    run: async (world) => {
      const started = await asks(world, { inputs: { wait: 'false' } })
      await world.pass(HOUR)
      return [started, await world.collect()]
    },
  },
  'A sweep that sends failures back': {
    says: 'A check of the pull request has failed, no run waits, and the schedule comes.',
    world: () => ownWorld({ permissions: { actions: 'read' } }),
    before: leftRed,
    run: (world) => world.collect(FIX, { runId: 9_100_002 }),
  },
  'An event about checks, once the fix passes': {
    says: 'The workflow that checked the fix has ended, with `workflow_run`.',
    world: () => ownWorld({ permissions: { actions: 'read' } }),
    before: async (world) => {
      await leftRed(world)
      await world.collect(FIX, { runId: 9_100_002 })
      await world.pass(2 * MINUTE)
      world.service.tick()
      await world.pass(5 * MINUTE)
    },
    run: (world) => world.collect(FIX, { runId: 9_100_003, event: workflowRun() }),
  },
  'A sweep after a lost runner': {
    says: 'The run is lost while the job works, and no post step comes; `collect` reports the end.',
    world: busyWorld,
    before: async (world) => {
      await killed(READ, { post: false })(world)
      await world.pass(HOUR)
    },
    run: (world) => world.collect(),
  },
}

const again = (world: World) => happens(world, 'labeled')

const CHANGES: Plays = {
  'A pull request that is kept in step': {
    says: 'A pull request gets a label, and its head a commit status.',
    world: codeWorld,
    run: again,
  },
  'A push': {
    says: 'A push to that pull request brings another file.',
    world: codeWorld,
    before: again,
    run: (world) => pushes(world, SECOND_PUSH),
  },
  'The same head again': {
    says: 'That pull request gets another label.',
    world: codeWorld,
    before: again,
    run: again,
  },
  'A rebase': {
    says: 'A push changes no line of that pull request.',
    world: codeWorld,
    before: again,
    run: (world) => pushes(world, { isForced: true, files: FIRST }),
  },
  "A bot's push": {
    says: 'A bot that is not listed changes the code of that pull request.',
    world: codeWorld,
    before: again,
    run: (world) => pushes(world, SECOND_PUSH, { by: 'pre-commit-ci[bot]' }),
  },
  'A skip': {
    says: 'alice comments `/docs skip` on a pull request.',
    world: codeWorld,
    run: (world) => world.ask('/docs skip: only typos', { on: CODE, inputs: STATUS }),
  },
  'A merge of the code': {
    says: 'The pull request, for which the agent has a pull request open, is merged.',
    world: codeWorld,
    before: again,
    run: (world) => closes(world, true),
  },
  'A merge queue': {
    says: 'The merge queue has the commit checked that it made of that pull request.',
    world: codeWorld,
    before: again,
    run: (world) => world.act(queued(world), { inputs: INPUTS }),
  },
  'An issue with a label': {
    says: 'An issue gets a label, for a workflow with `issues`.',
    world: ownWorld,
    run: (world) => {
      const { shown } = world
      const payload = { action: 'labeled', issue: shown.issue(ISSUE), sender: shown.user('alice') }
      return world.act({ name: 'issues', payload }, { inputs: { prompt: 'Explain what the issue asks.' } })
    },
  },
  'A push to the default branch': {
    says: 'Two pull requests are merged with one push, for a workflow with `push`.',
    world: codeWorld,
    run: (world) => {
      const shas = [world.merge({ files: FIRST }), world.merge({ files: [file('src/log.ts', 'log')] })]
      const [first = '', second = ''] = shas.map(({ sha }) => sha)
      return pushTo(world, second, { commits: [first] })
    },
  },
  'A weekly refresh': {
    says: 'A schedule with `issue-title` and `changes-since: last-run` runs for the second time; a pull request was merged.',
    world: ownWorld,
    before: async (world) => {
      world.merge({ files: FIRST })
      await world.refresh(1, REFRESH)
      await world.pass(24 * HOUR)
      world.merge({ files: [file('src/log.ts', 'log')], days: 0 })
    },
    run: (world) => world.refresh(2, REFRESH),
  },
  'Checks that fail once': {
    says: "A check of the agent's pull request fails, and passes after a fix, with `fix-attempts: 1`.",
    world: () => checkedWorld([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]]),
    run: (world) => asks(world, { inputs: { 'fix-attempts': '1' } }),
  },
}

export const PLAYS: Plays = { ...COMMANDS, ...INTERRUPTIONS, ...CHANGES }
