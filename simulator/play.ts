import { undisturbed } from './choices.ts'
import { type History, livesOf, type Request } from './history.ts'
import { interfere } from './interfere.ts'
import type { Life } from './life.ts'
import { type Breach, breachesAfter, breachesAfterSweep, breachesAtEnd } from './rules.ts'
import type { Sabotage } from './sabotages.ts'
import { type Counts, softAfterSweep, softNow } from './soft.ts'
import { askAll, attemptAt, HOUR, type Stage, stageOf, sweep, wake } from './stage.ts'
import type { Act, Ask, Story } from './story.ts'
import { openWorld, TRACKING_TITLE } from './world.ts'

/** A story that has been played to its end, or to the first rule that broke. */
export interface Played {
  readonly history: History
  readonly breaches: readonly Breach[]
  readonly soft: Counts
}

/** Stops the story: what comes after a breach says nothing more. */
class Broken extends Error {
  readonly breaches: readonly Breach[]

  constructor(breaches: readonly Breach[]) {
    super('a rule is broken')
    this.breaches = breaches
  }
}

export async function play(story: Story, sabotage?: Sabotage): Promise<Played> {
  const world = await openWorld(story)
  const judge = (breaches: readonly Breach[]) => {
    if (breaches.length > 0) throw new Broken(breaches)
  }
  const stage = stageOf(world, (life: Life) => judge(breachesAfter(stage.history, life)), sabotage)
  const woken = wakeEach(stage)
  let soft: Counts = {}
  try {
    for (const act of story.acts) await playAct(stage, act)
    await woken.settled()
    const before = softNow(stage.history)
    await allEnd(stage)
    await woken.settled()
    // What a process has just written, a sweep leaves alone.
    await world.clock.sleep(5 * 60_000)
    await lastSweeps(stage)
    soft = softAfterSweep(stage.history, before)
    judge(breachesAfterSweep(stage.history))
    await onceMore(stage)
    await woken.settled()
    await allEnd(stage)
    await lastSweeps(stage)
    judge(breachesAtEnd(stage.history))
    return { history: stage.history, breaches: [], soft }
  } catch (error) {
    if (error instanceof Broken) return { history: stage.history, breaches: error.breaches, soft }
    throw error
  } finally {
    for (const life of world.lives) {
      life.kill('the story is over')
      life.forget()
    }
    world.close()
  }
}

async function playAct(stage: Stage, act: Act): Promise<void> {
  const { clock, emulator } = stage.world
  if (act.kind === 'interfere') interfere(stage.world, act.interference)
  else if (act.kind === 'sweep') await sweep(stage, act.sweep)
  else if (act.kind === 'ask') {
    const { beside } = act
    const sweeps = beside && clock.sleep(beside.afterMs).then(() => sweep(stage, beside.sweep))
    await Promise.all([askAll(stage, act.asks), sweeps])
  } else if (act.kind === 'pass') {
    await clock.sleep(act.ms)
    // Turns end whether or not anybody asks.
    emulator.service.tick()
  } else {
    // GitHub runs nothing again that is still under way.
    const over = stage.history.requests.filter((request) => livesOf(request).every(({ fate }) => fate))
    const request = over[act.nth % over.length]
    if (request !== undefined) await attemptAt(stage, request, act.attempt)
  }
}

/** All turns end, soon. */
async function allEnd({ world: { clock, emulator } }: Stage): Promise<void> {
  await clock.sleep(9 * HOUR)
  emulator.service.tick()
}

/** When everything is over, sweeps find what is still to be reported; nothing that goes wrong meets them. */
async function lastSweeps(stage: Stage): Promise<void> {
  for (const gapMs of [0, HOUR]) {
    await stage.world.clock.sleep(gapMs)
    await sweep(stage, { blows: [], inputs: { 'since-hours': '744' } })
  }
}

/** People run each request once more, and a schedule comes: that doubles nothing. */
async function onceMore(stage: Stage): Promise<void> {
  const { history, world } = stage
  world.note('everything is run again')
  for (const request of [...history.requests]) await attemptAt(stage, request, undisturbed(60_000))
  const like = history.requests.findLast(isRefresh)?.ask
  if (like === undefined) return
  const inputs = { 'issue-title': TRACKING_TITLE, 'changes-since': 'last-run', 'timeout-minutes': '400' }
  const last: Ask = {
    ...like,
    id: 'ask-999',
    event: 'schedule',
    words: 'refresh (ask-999;)',
    inputs,
    turn: {},
  }
  await askAll(stage, [{ ...last, attempts: [undisturbed(0)] }])
}

const isRefresh = ({ inputs }: Request): boolean => inputs['changes-since'] !== undefined

/** No story needs more of them. */
const MOST_WOKEN = 4

/** Each pull request of the agent wakes a sweep of its own, or a run that asks for docs, whatever else goes on. */
function wakeEach(stage: Stage): { settled(): Promise<void> } {
  const { followsPulls, agentLogin, wake: sweeps } = stage.world.story
  const woken: Promise<unknown>[] = []
  stage.world.onAgentPull = (number) => {
    if (woken.length >= MOST_WOKEN) return
    const id = `ask-${900 + woken.length}`
    const ask: Ask = {
      ...{ id, event: 'agent-pull', author: agentLogin, sender: agentLogin, on: 'agent' },
      ...{ words: `document this change (${id};)`, inputs: {}, workflow: 'Docs', merges: [], turn: {} },
      attempts: [undisturbed(0)],
    }
    // Their failures are looked at when the story gets there.
    if (sweeps !== undefined) woken.push(wake(stage, sweeps, number).catch((error: unknown) => error))
    if (followsPulls) woken.push(askAll(stage, [ask]).catch((error: unknown) => error))
  }
  return {
    async settled() {
      const failure = (await Promise.all(woken)).find((result) => result !== undefined)
      if (failure !== undefined) throw failure
    },
  }
}
