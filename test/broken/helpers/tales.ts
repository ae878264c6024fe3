import { interfere } from '../../../simulator/interfere.ts'
import { askAll, type Stage, sweep } from '../../../simulator/stage.ts'
import type { Ask, Attempt, Interference, Story } from '../../../simulator/story.ts'
import { TRACKING_TITLE } from '../../../simulator/world.ts'
import { ask, attempt } from '../../helpers/story.ts'

/** What went before, and the one request whose runs are looked at. */
export interface Tale {
  readonly name: string
  /** Where it differs from a story in which nothing is odd. */
  readonly story?: Partial<Story>
  readonly before?: (stage: Stage) => Promise<void>
  /** @param attempts one that nothing disturbs, unless it says otherwise */
  readonly run: (stage: Stage, attempts?: readonly Attempt[]) => Promise<void>
}

const CODE = { on: 'pull', inputs: { 'commit-status': 'docs' } } as const
const FINISH = { reviewers: 'requester, bob', labels: 'docs' }
const REFRESH = { 'issue-title': TRACKING_TITLE, 'changes-since': 'last-run' }

export const asks =
  (n: number, more: Partial<Ask> = {}) =>
  (stage: Stage, attempts: readonly Attempt[] = [attempt()]): Promise<void> =>
    askAll(stage, [
      ask(attempts, { id: `ask-${n}`, words: `explain retries, part ${n} (ask-${n};)`, ...more }),
    ])

const happens =
  (interference: Interference) =>
  async ({ world }: Stage): Promise<void> =>
    interfere(world, interference)

const passes =
  (ms: number) =>
  async ({ world }: Stage): Promise<void> => {
    await world.clock.sleep(ms)
    world.emulator.service.tick()
  }

const inOrder =
  (...steps: readonly ((stage: Stage) => Promise<void>)[]) =>
  async (stage: Stage): Promise<void> => {
    for (const step of steps) await step(stage)
  }

export async function sweeps(stage: Stage, attempts: readonly Attempt[] = [attempt()]): Promise<void> {
  for (const { blows } of attempts) {
    await sweep(stage, { blows, inputs: {} })
    // What one has just reported is its own to settle.
    await passes(60_000)(stage)
  }
}

/** One job is over, and its run was not there to see it; the other one goes on. */
const leftAlone = inOrder(
  asks(1, { inputs: { ...FINISH, wait: 'false' } }),
  asks(2, { event: 'review-comment', inputs: { wait: 'false' } }),
  passes(3_600_000),
)

export const FIRST_COMMAND: Tale = { name: 'first command', run: asks(1, { inputs: FINISH }) }
const PUSH: Tale = {
  name: 'push that merged two pull requests',
  run: asks(1, { event: 'push', merges: ['person', 'person'] }),
}
export const SCHEDULE: Tale = {
  name: 'schedule with its issue',
  before: inOrder(happens('merge-change'), passes(60_000), happens('merge-change'), passes(60_000)),
  run: asks(1, { event: 'schedule', inputs: REFRESH }),
}

const RED: Partial<Story> = {
  checks: [[{ name: 'lint', conclusion: 'failure', takesMs: 20_000 }]],
  fixTurns: [{ durationMs: 30_000 }],
}

export const TALES: readonly Tale[] = [
  FIRST_COMMAND,
  { name: 'follow-up', before: asks(1), run: asks(2) },
  {
    name: 'follow-up after the merge',
    before: inOrder(asks(1), happens('merge'), passes(60_000)),
    run: asks(2),
  },
  { name: 'new job in a thread that has one', before: asks(1), run: asks(2, { event: 'new' }) },
  SCHEDULE,
  {
    name: 'second schedule',
    before: inOrder(
      happens('merge-change'),
      asks(1, { event: 'schedule', inputs: REFRESH }),
      happens('merge-change'),
      passes(60_000),
    ),
    run: asks(2, { event: 'schedule', inputs: REFRESH }),
  },
  PUSH,
  { name: 'sweep', before: leftAlone, run: sweeps },
  { name: 'comment on a line', run: asks(1, { event: 'review-comment' }) },
  {
    name: 'push to a pull request',
    before: asks(1, { ...CODE, event: 'code-labeled' }),
    run: asks(2, { ...CODE, event: 'code-pushed' }),
  },
  {
    name: 'rebase while the job works',
    before: asks(1, { on: 'pull', event: 'code-labeled', inputs: { ...CODE.inputs, wait: 'false' } }),
    run: asks(2, { ...CODE, event: 'code-rebased' }),
  },
  {
    name: 'end of a pull request',
    before: asks(1, { ...CODE, event: 'code-labeled' }),
    run: asks(2, { ...CODE, event: 'code-closed' }),
  },
  {
    name: 'checks that fail for good',
    story: RED,
    run: asks(1, { on: 'pull', inputs: { ...CODE.inputs, 'fix-attempts': '1' } }),
  },
  { name: 'job that fails', run: asks(1, { ...CODE, turn: { durationMs: 60_000, ending: 'failed' } }) },
  {
    name: 'skip after a job that failed',
    before: asks(1, { ...CODE, turn: { durationMs: 60_000, ending: 'failed' } }),
    run: asks(2, { ...CODE, event: 'skip' }),
  },
  { name: 'command in a thread with a lost run', before: leftAlone, run: asks(3) },
  { name: 'status in a thread with a lost run', before: leftAlone, run: asks(3, { event: 'status' }) },
  { name: 'status', before: asks(1), run: asks(2, { event: 'status' }) },
  { name: 'help', before: asks(1), run: asks(2, { event: 'help' }) },
  { name: 'command of a stranger', run: asks(1, { author: 'mallory', sender: 'mallory' }) },
  {
    name: 'skip of a stranger',
    before: asks(1, { ...CODE, turn: { durationMs: 60_000, ending: 'failed' } }),
    run: asks(2, { ...CODE, event: 'skip', author: 'mallory', sender: 'mallory' }),
  },
]
