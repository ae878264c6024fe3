import type { Emulator } from '../../../emulator/emulator.ts'
import { emulateInProcess } from '../../../test/helpers/step-in-process.ts'
import { comment } from '../../demo/actions.ts'
import { Bill, MINUTE_MS } from './bill.ts'
import { type Ci, checksOf } from './ci.ts'
import { Events, type PlayedEvents } from './events.ts'

const ISSUE = 12
const REQUEST_MS = 300
/** How often the play looks for events: GitHub sends them no sooner. */
const STEP_MS = 3000
const AGENT_MS = 8 * MINUTE_MS
const PUSHES_BEFORE_END_MS = 20_000
/** A Monday, seven minutes before a sweep of the schedule: a request is still with the agent then. */
const ASKED_AT = Date.UTC(2026, 9, 12, 9, 10)
const FIRST_SWEEP_AT = ASKED_AT + 7 * MINUTE_MS
const LONGEST_MS = 360 * MINUTE_MS
/** What starts so long after the verdict is billed, too. */
const AFTER_MS = 10 * MINUTE_MS

export interface Plan extends Omit<PlayedEvents, 'firstSweepAt'> {
  /** What the input `wait` says. */
  readonly wait: boolean
  readonly ci: readonly Ci[]
  /** The docs are in another repository. */
  readonly isApart?: boolean
  /** How long before the end of its turn the agent pushes. */
  readonly pushesBeforeEndMs?: number
}

export interface Played {
  /** Billed minutes. */
  readonly minutes: number
  /** Minutes from the comment until its thread says that checks pass; not a number where it never does. */
  readonly verdict: number
}

/** One request whose checks fail so often before they pass. */
export async function play(plan: Plan, rounds: number): Promise<Played> {
  const { emulator, launch, setWallClock } = emulateInProcess({
    docsRepository: plan.isApart === true ? 'octo/docs' : 'octo/app',
    tokenCoversDocs: true,
    permissions: { actions: 'read', statuses: 'write' },
  })
  const { settings, github, service } = emulator
  setWallClock(ASKED_AT - settings.now())
  prepare(emulator, plan, rounds)
  const [bill, events] = [
    new Bill(emulator, launch),
    new Events(emulator, { ...plan, firstSweepAt: FIRST_SWEEP_AT }),
  ]
  const command = comment(emulator, { issue: ISSUE, login: 'alice', body: '/docs explain it' })
  void bill.ask(command, { wait: String(plan.wait), 'fix-attempts': '2' })
  let [said, saidAt] = ['', ASKED_AT]
  const isOver = () => isVerdict(said) && !bill.isRunning && settings.now() > saidAt + AFTER_MS
  while (!isOver() && settings.now() < ASKED_AT + LONGEST_MS) {
    await settings.sleep(STEP_MS)
    service.tick()
    for (const event of events.due()) void bill.sweep(event)
    const last = github.comments(ISSUE).at(-1)?.body ?? ''
    if (last !== said) [said, saidAt] = [last, settings.now()]
  }
  return {
    minutes: bill.minutes,
    verdict: isVerdict(said) ? (saidAt - ASKED_AT) / MINUTE_MS : Number.NaN,
  }
}

const isVerdict = (said: string): boolean => /\bchecks? pass/.test(said)

function prepare({ github, service, faults }: Emulator, plan: Plan, rounds: number): void {
  const { ci, pushesBeforeEndMs = PUSHES_BEFORE_END_MS } = plan
  github.setPermission('alice', 'write')
  github.addIssue({ number: ISSUE, title: 'Retries', user: 'carol', body: 'How do retries work?' })
  faults.source = () => ({ kind: 'delay', ms: REQUEST_MS })
  service.everyTurn = { durationMs: AGENT_MS, opensAfterMs: AGENT_MS - pushesBeforeEndMs }
  // Each round turns what failed before it: after one that turned nothing, none follows.
  for (let round = 0; round < rounds; round++) github.checks.script.push(checksOf(ci, round % 2))
  github.checks.everyHead = checksOf(ci)
}
