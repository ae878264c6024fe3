import type { RunResult } from '../../emulator/runner.ts'
import { CODE, codeWorld, FIRST, file, happens, INPUTS, pulled, SECOND_PUSH } from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { CREATE, ISSUE, ownWorld, type Said, type World, world } from '../helpers/world.ts'

/** What a person does about a doubt, in one step. */
export interface Step {
  /** Words that name it hold this. */
  readonly named: RegExp
  readonly does: (world: World) => Promise<RunResult>
  /** Default: `pull-request`. */
  readonly ends?: string
  /** It decides what the head shows, and what the agent got is as little known as before. */
  readonly decidesAlone?: boolean
}

/** A state in which it is not known what the agent has, or has done. */
export interface Doubt {
  readonly world: () => ReturnType<typeof world>
  readonly comes: (world: World) => Promise<RunResult>
  /** Where it is read; by default the issue. */
  readonly thread?: number
  /** A commit status says it, too. */
  readonly hasStatus?: boolean
  readonly steps: Readonly<Record<string, Step>>
}

const LOST = { kind: 'reset', when: 'after' } as const
const HOUR = 3_600_000
const STATUS = { 'commit-status': 'docs' }
const MESSAGE = { host: 'service', method: 'POST', path: /\/message$/ } as const
/** The issue that the refresh opens. */
const REFRESHED = 13
const REFRESH = { 'issue-title': 'Refresh' }
const OTHER_KEY = { 'memory-key': 'test-key-of-another-team' }

const RERUN = /re-run the workflow|re-run if the dashboard lacks it/i
const ASKS = /\/docs …|only a command asks/
const SKIPS = /\/docs skip|or skip/

/** The comment that asked, for its re-run. */
const asked = new WeakMap<World, Said>()

async function asks(emulator: World, body: string, runId: number, on = ISSUE): Promise<RunResult> {
  const said = emulator.say(body, { on })
  asked.set(emulator, said)
  return await emulator.act(said, { runId })
}

const rerunOfComment =
  (runId: number, attempt = 2) =>
  async (emulator: World) => {
    const said = asked.get(emulator)
    if (said === undefined) throw new Error('nobody asked')
    return await emulator.act(said, { runId, attempt })
  }

/** The answer to a command is lost. */
async function asksInDoubt(emulator: World): Promise<RunResult> {
  emulator.faults.add({ match: CREATE, fault: LOST })
  return await asks(emulator, '/docs explain retries', 1)
}

/** The run of a command ends while it asks. */
async function dies(emulator: World, options: { readonly post?: boolean }): Promise<RunResult> {
  const said = emulator.say('/docs explain retries')
  asked.set(emulator, said)
  return await emulator.interrupted(emulator.given(said, { runId: 1, ...options }), CREATE)
}

const rerunsFirst = { 're-runs the workflow': { named: RERUN, does: rerunOfComment(1) } }

const command =
  (on: number, body = '/docs explain it again', inputs = {}) =>
  (emulator: World) =>
    emulator.ask(body, { on, runId: 90, inputs })

/** Steps of a person on the pull request of the code. */
const onCode = {
  'comments `/docs explain it again`': {
    named: ASKS,
    does: command(CODE, undefined, STATUS),
    decidesAlone: true,
  },
  'comments `/docs skip`': {
    named: SKIPS,
    does: command(CODE, '/docs skip', STATUS),
    ends: 'skipped',
    decidesAlone: true,
  },
}
const rerunOf = (runId: number, action: string, attempt = 2) => ({
  named: RERUN,
  does: (emulator: World) => happens(emulator, action, { runId, attempt }),
})
const skipOnCode = { 'comments `/docs skip`': onCode['comments `/docs skip`'] }

const opensInDoubt = async (emulator: World): Promise<RunResult> => {
  emulator.faults.add({ match: CREATE, fault: LOST })
  return await happens(emulator, 'opened', { runId: 1 })
}

const merge = (emulator: World) => emulator.github.closePullRequest(CODE, { merged: true })
const pushOfMerge = (emulator: World, attempt = 1) =>
  pushTo(
    emulator,
    emulator.github.pull(CODE).mergeCommitSha ?? '',
    {},
    { workflow: 'Merged', runId: 5, attempt },
  )

/** A run that did not wait, whose job went on with a later request that failed. */
async function endsUncertain(
  emulator: World,
  first: (emulator: World) => Promise<unknown>,
): Promise<RunResult> {
  emulator.service.script.push({ durationMs: 60_000 }, { ending: 'failed' })
  await first(emulator)
  const on = emulator.github.issue(CODE) === undefined ? ISSUE : CODE
  await emulator.ask('/docs shorten', { on, by: 'bob', runId: 2, inputs: { wait: 'false' } })
  await emulator.pass(HOUR)
  await emulator.collect()
  return await emulator.collect()
}

export const DOUBTS: Readonly<Record<string, Doubt>> = {
  'A command, whose answer is lost': {
    world,
    comes: asksInDoubt,
    steps: rerunsFirst,
  },
  'A message to the job of the thread, whose answer is lost': {
    world,
    comes: async (emulator) => {
      await emulator.ask('/docs explain retries', { runId: 1 })
      emulator.faults.add({ match: MESSAGE, fault: LOST })
      return await asks(emulator, '/docs shorten it', 2)
    },
    steps: { 're-runs the workflow': { named: RERUN, does: rerunOfComment(2) } },
  },
  'A command, whose run is killed while it asks': {
    world,
    comes: (emulator) => dies(emulator, {}),
    steps: rerunsFirst,
  },
  'A command, whose run is lost with its runner while it asks, after a sweep': {
    world,
    comes: async (emulator) => {
      await dies(emulator, { post: false })
      await emulator.pass(HOUR)
      return await emulator.collect()
    },
    steps: rerunsFirst,
  },
  'The answer to `/docs retry` about such a command': {
    world,
    comes: async (emulator) => {
      await asksInDoubt(emulator)
      return await emulator.ask('/docs retry', { runId: 2 })
    },
    steps: rerunsFirst,
  },
  'The answer to `/docs status` about such a command': {
    world,
    comes: async (emulator) => {
      await asksInDoubt(emulator)
      return await emulator.ask('/docs status', { runId: 2 })
    },
    steps: rerunsFirst,
  },
  'An event of a pull request, whose answer is lost': {
    world: codeWorld,
    thread: CODE,
    hasStatus: true,
    comes: opensInDoubt,
    steps: { 're-runs that run': rerunOf(1, 'opened'), ...skipOnCode },
  },
  'Another event of the same changes': {
    world: codeWorld,
    thread: CODE,
    hasStatus: true,
    comes: async (emulator) => {
      await opensInDoubt(emulator)
      return await happens(emulator, 'labeled', { runId: 2 })
    },
    steps: {
      're-runs that run': rerunOf(2, 'labeled'),
      're-runs the first run': rerunOf(1, 'opened'),
      ...skipOnCode,
    },
  },
  'A push of other changes, while no job is known': {
    world: codeWorld,
    thread: CODE,
    hasStatus: true,
    comes: async (emulator) => {
      await opensInDoubt(emulator)
      emulator.github.push(CODE, SECOND_PUSH)
      return await happens(emulator, 'synchronize', { runId: 2 })
    },
    steps: {
      're-runs that run': { ...rerunOf(2, 'synchronize'), decidesAlone: true },
      ...onCode,
    },
  },
  'An event whose run is lost with its runner, after a sweep': {
    world: codeWorld,
    thread: CODE,
    hasStatus: true,
    comes: async (emulator) => {
      const run = emulator.given(pulled(emulator, 'opened'), { runId: 1, post: false, inputs: INPUTS })
      await emulator.interrupted(run, CREATE)
      await emulator.pass(HOUR)
      return await emulator.collect()
    },
    steps: { 're-runs that run': rerunOf(1, 'opened'), ...skipOnCode },
  },
  'The push of a merge, whose answer is lost, as its `closed` tells it': {
    world: codeWorld,
    thread: CODE,
    comes: async (emulator) => {
      merge(emulator)
      emulator.faults.add({ match: CREATE, fault: LOST })
      await pushOfMerge(emulator)
      return await happens(emulator, 'closed', { runId: 6 })
    },
    steps: {
      're-runs that run': rerunOf(6, 'closed'),
      're-runs the run of the push': { named: RERUN, does: (emulator) => pushOfMerge(emulator, 2) },
    },
  },
  'The `closed` of a merge, whose answer is lost, as its push tells it': {
    world: codeWorld,
    thread: CODE,
    comes: async (emulator) => {
      merge(emulator)
      emulator.faults.add({ match: CREATE, fault: LOST })
      await happens(emulator, 'closed', { runId: 6 })
      return await pushOfMerge(emulator)
    },
    steps: {
      're-runs that run': { named: RERUN, does: (emulator) => pushOfMerge(emulator, 2) },
      're-runs the run of `closed`': rerunOf(6, 'closed'),
    },
  },
  'An event whose job went on with another request before its end was read': {
    world: codeWorld,
    thread: CODE,
    hasStatus: true,
    comes: (emulator) =>
      endsUncertain(emulator, (one) => happens(one, 'opened', { runId: 1, inputs: { wait: 'false' } })),
    steps: onCode,
  },
  'A pull request whose thread another `memory-key` signed': {
    world: codeWorld,
    thread: CODE,
    hasStatus: true,
    comes: async (emulator) => {
      await happens(emulator, 'opened', { runId: 1, inputs: OTHER_KEY })
      emulator.github.push(CODE, { files: [...FIRST, file('src/more.ts', 'more')] })
      return await happens(emulator, 'synchronize', { runId: 2 })
    },
    steps: onCode,
  },
  'A command, whose run was lost as it asked, once it was re-run': {
    world,
    comes: async (emulator) => {
      await dies(emulator, { post: false })
      await emulator.pass(HOUR)
      return await rerunOfComment(1)(emulator)
    },
    steps: { 're-runs the workflow again': { named: RERUN, does: rerunOfComment(1, 3) } },
  },
  'A push to a job that is known, whose answer is lost': {
    world: codeWorld,
    thread: CODE,
    hasStatus: true,
    comes: async (emulator) => {
      await happens(emulator, 'opened', { runId: 1 })
      emulator.github.push(CODE, SECOND_PUSH)
      emulator.faults.add({ match: MESSAGE, fault: LOST })
      return await happens(emulator, 'synchronize', { runId: 2 })
    },
    steps: { 're-runs that run': rerunOf(2, 'synchronize'), ...skipOnCode },
  },
  'A scheduled refresh, whose answer is lost': {
    world: ownWorld,
    thread: REFRESHED,
    comes: async (emulator) => {
      emulator.faults.add({ match: CREATE, fault: LOST })
      return await emulator.refresh(1, REFRESH)
    },
    steps: {
      're-runs the workflow': {
        named: RERUN,
        does: (emulator) => emulator.refresh(1, REFRESH, { attempt: 2 }),
      },
    },
  },
  'A refresh of an issue that another `memory-key` signed': {
    world: ownWorld,
    thread: REFRESHED,
    comes: async (emulator) => {
      await emulator.refresh(1, { ...REFRESH, ...OTHER_KEY })
      return await emulator.refresh(2, REFRESH)
    },
    steps: {
      'comments `/docs go on`': { named: ASKS, does: command(REFRESHED, '/docs go on') },
      'closes the issue': {
        named: /close the issue/,
        does: (emulator) => {
          emulator.github.editIssue(REFRESHED, { state: 'closed' })
          return emulator.refresh(3, REFRESH)
        },
        decidesAlone: true,
      },
    },
  },
}
