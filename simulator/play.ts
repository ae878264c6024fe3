import { undisturbed } from './choices.ts'
import { type History, livesOf, type Request } from './history.ts'
import { interfere } from './interfere.ts'
import type { Life } from './life.ts'
import { type Breach, breachesAfter, breachesAfterSweep, breachesAtEnd } from './rules.ts'
import type { Sabotage } from './sabotages.ts'
import { askAll, attemptAt, HOUR, type Stage, stageOf, sweep, wake } from './stage.ts'
import { type Ask, CLEAR, LAST_ID, type Story } from './story.ts'
import { metLimit } from './truth.ts'
import { agentPulls, openWorld, REPOSITORY, TRACKING_TITLE } from './world.ts'

/** A story that has been played to its end, or to the first rule that broke. */
export interface Played {
  readonly history: History
  readonly breaches: readonly Breach[]
}

/** Stops the story: what comes after a breach says nothing more. */
class Broken extends Error {
  readonly breaches: readonly Breach[]

  constructor(breaches: readonly Breach[]) {
    super('a rule is broken')
    this.breaches = breaches
  }
}

function stopAt(breaches: readonly Breach[]): void {
  if (breaches.length > 0) throw new Broken(breaches)
}

export async function play(story: Story, sabotage?: Sabotage): Promise<Played> {
  const world = await openWorld(story)
  const judge = (life: Life) => stopAt(breachesAfter(stage.history, life))
  const stage = stageOf(world, judge, sabotage)
  const woken = wakeEach(stage)
  try {
    for (const act of story.acts) {
      if (act.kind === 'interfere') {
        if (act.interference === 'new-key') await woken.settled()
        interfere(world, act.interference)
      } else if (act.kind === 'sweep') await sweep(stage, act.sweep)
      else if (act.kind === 'ask') await askAll(stage, act.asks)
      else if (act.kind === 'pass') {
        await world.clock.sleep(act.ms)
        // Turns end whether or not anybody asks.
        world.emulator.service.tick()
      } else if (act.kind === 'again') {
        // GitHub runs nothing again that is still under way.
        const over = stage.history.requests.filter(
          ({ ask, runs }) =>
            runs.length >= ask.attempts.length && livesOf({ runs }).every(({ fate }) => fate),
        )
        const request = over[act.nth % over.length]
        if (request !== undefined) await attemptAt(stage, request, act.attempt)
      } else {
        const number = agentPulls(world).at(-1)
        if (number !== undefined && story.docsRepository === REPOSITORY) await wake(stage, act.sweep, number)
      }
    }
    await woken.settled()
    woken.calm()
    await allEnd(stage)
    await woken.settled()
    // What a sweep has just written it leaves alone: the run may still be at work.
    await world.clock.sleep(2 * 60_000)
    await oneSweep(stage)
    stopAt(breachesAfterSweep(stage.history))
    await onceMore(stage)
    await woken.settled()
    await allEnd(stage)
    await oneSweep(stage)
    return { history: stage.history, breaches: breachesAtEnd(stage.history) }
  } catch (error) {
    if (error instanceof Broken) return { history: stage.history, breaches: error.breaches }
    throw error
  } finally {
    for (const life of world.lives) {
      life.kill('the story is over')
      life.forget()
    }
    world.close()
  }
}

/** The faults are over, and so are all turns, soon. */
async function allEnd({ world: { clock, emulator, note } }: Stage): Promise<void> {
  note('the faults end')
  await clock.sleep(9 * HOUR)
  emulator.service.tick()
}

/**
 * When everything is over, one sweep finds what is still to be reported; a job that it finds at rest for the first time
 * it may leave to the next one (4.8). Nothing heals it before.
 */
async function oneSweep(stage: Stage): Promise<void> {
  for (let more = MOST_SWEEPS; more > 0; more -= 1) {
    if (more < MOST_SWEEPS) await stage.world.clock.sleep(HOUR)
    await sweep(stage, { skewMs: 0, weather: CLEAR, blows: [], inputs: { 'since-hours': '744' } })
    const last = stage.history.sweeps.at(-1)
    // What GitHub's limits keep from one sweep is for the next one.
    if (more < MOST_SWEEPS && (last === undefined || !metLimit(last))) return
  }
}

const MOST_SWEEPS = 6

/** People run each request once more, and ask for whatever a refresh has left out: that heals nothing, and may double nothing. */
async function onceMore(stage: Stage): Promise<void> {
  const { history, world } = stage
  world.note('everything is run again')
  // A run that a pull request wakes meanwhile is still under way.
  for (const request of [...history.requests]) await attemptAt(stage, request, undisturbed(60_000))
  const like = history.requests.findLast(isRefresh)?.ask
  if (like === undefined) return
  const inputs = {
    'issue-title': TRACKING_TITLE,
    'changes-since': like.inputs['changes-since'] ?? '',
    'timeout-minutes': '400',
  }
  const words = `refresh (${LAST_ID};)`
  const last: Ask = { ...like, id: LAST_ID, event: 'schedule', words, inputs, turn: {} }
  await askAll(stage, [{ ...last, attempts: [undisturbed(0)] }])
}

const isRefresh = ({ inputs }: Request): boolean => inputs['changes-since'] !== undefined

/** No story needs more of them. */
const MOST_WOKEN = 4

/** Each pull request of the agent wakes a sweep of its own, or a run that asks for docs, whatever else goes on. */
function wakeEach(stage: Stage): { settled(): Promise<void>; calm(): void } {
  const { followsPulls, agentLogin } = stage.world.story
  let { wake: sweeps } = stage.world.story
  const woken: Promise<unknown>[] = []
  stage.world.onAgentPull = (number) => {
    if (woken.length >= MOST_WOKEN) return
    const id = `ask-${900 + woken.length}`
    const own = { id, event: 'agent-pull', author: agentLogin, sender: agentLogin } as const
    const words = `document this change (${id};)`
    const ask: Ask = {
      ...own,
      words,
      on: 'agent',
      inputs: {},
      workflow: 'Docs',
      merges: [],
      turn: {},
      attempts: [undisturbed(0)],
    }
    // Their failures are looked at when the story gets there.
    if (sweeps !== undefined) woken.push(wake(stage, sweeps, number).catch((error: unknown) => error))
    if (followsPulls) woken.push(askAll(stage, [ask]).catch((error: unknown) => error))
  }
  return {
    /** What wakes from now on meets no faults. */
    calm() {
      sweeps &&= { ...sweeps, weather: CLEAR, blows: [] }
    },
    async settled() {
      const failure = (await Promise.all(woken)).find((result) => result !== undefined)
      if (failure !== undefined) throw failure
    },
  }
}
