import fc from 'fast-check'
import { hash } from '../emulator/random.ts'
import type { History } from './history.ts'
import type { Plot } from './plots.ts'
import { type Breach, breachesAfter, breachesAfterSweeps } from './rules.ts'
import { askAll, attemptAt, HOUR, type Stage, stageOf, sweep } from './stage.ts'
import { type Ask, undisturbed } from './story.ts'
import { openWorld, TRACKING_TITLE } from './world.ts'

/** A story that has been played to its end, or to the first rule that broke. */
export interface Played {
  readonly history: History
  readonly breaches: readonly Breach[]
  /** What happened, as people would tell it. */
  readonly happened: readonly string[]
}

/** Stops the story: what comes after a breach says nothing more. */
class Broken extends Error {
  readonly breaches: readonly Breach[]

  constructor(breaches: readonly Breach[]) {
    super('a rule is broken')
    this.breaches = breaches
  }
}

/** No request takes less. */
const LEAST_TAKEN_MS = 20

/** @param scheduler decides which of the requests goes first that are about to be sent at the same time */
export async function play({ story, acts }: Plot, scheduler: fc.Scheduler): Promise<Played> {
  let sent = 0
  const world = await openWorld(story, async (request) => {
    sent += 1
    // Sweeps that events wake at once meet in the middle of their requests.
    if (story.collects !== undefined)
      await world.clock.sleep(LEAST_TAKEN_MS + (hash(story.seed, 'takes', sent) % 400))
    return await scheduler.schedule(Promise.resolve(), request)
  })
  const judge = (breaches: readonly Breach[]) => {
    if (breaches.length > 0) throw new Broken(breaches)
  }
  const stage: Stage = stageOf(world, (life) => judge(breachesAfter(stage.history, life)))
  const { history } = stage
  const followed = followPulls(stage)
  const whole = async () => {
    await fc.asyncModelRun(() => ({ model: stage, real: stage }), acts)
    await end(stage, followed)
    judge(breachesAfterSweeps(history))
    await onceMore(stage)
    await end(stage, followed)
    judge(breachesAfterSweeps(history))
  }
  try {
    await scheduler.waitFor(whole())
    return { history, breaches: [], happened: stage.happened }
  } catch (error) {
    if (error instanceof Broken) return { history, breaches: error.breaches, happened: stage.happened }
    throw error
  } finally {
    for (const life of world.lives) {
      life.kill('the story is over')
      life.forget()
    }
    world.close()
  }
}
/** All turns end, and sweeps find what is still to be reported; nothing that goes wrong meets them. */
async function end(stage: Stage, followed: () => Promise<void>): Promise<void> {
  const { clock, emulator } = stage.world
  await followed()
  await clock.sleep(9 * HOUR)
  emulator.service.tick()
  await followed()
  // What a process has just written, a sweep leaves alone.
  for (const gapMs of [5 * 60_000, HOUR]) {
    await clock.sleep(gapMs)
    await sweep(stage, { blows: [], inputs: { 'since-hours': '744' } })
  }
  if (stage.world.story.collects === undefined) return
  // More sweeps than rounds of fixes, and one after the day for which sweeps follow what never ends.
  for (const gapMs of [...Array<number>(MOST_ROUNDS).fill(HOUR), 25 * HOUR, HOUR]) {
    await clock.sleep(gapMs)
    emulator.service.tick()
    await sweep(stage, { blows: [], inputs: { 'since-hours': '744' } })
  }
}

/** No workflow of a story lets failures go back more often, with those of a second request. */
const MOST_ROUNDS = 6

/** People run each request once more, and a schedule comes: that doubles nothing. */
async function onceMore(stage: Stage): Promise<void> {
  const { history, world } = stage
  world.note('everything is run again')
  // Any run may be the first one that people run again about a doubt.
  const drawn = ({ runId }: { readonly runId: number }) => hash(world.story.seed, 'again', runId)
  const anyOrder = history.requests.toSorted((a, b) => drawn(a) - drawn(b))
  for (const request of anyOrder) await attemptAt(stage, request, undisturbed(60_000))
  const like = history.requests.findLast(({ inputs }) => inputs['changes-since'] !== undefined)?.ask
  if (like === undefined) return
  const inputs = { 'issue-title': TRACKING_TITLE, 'changes-since': 'last-run', 'timeout-minutes': '400' }
  const last: Ask = {
    ...{ ...like, id: 'ask-999', event: 'schedule', words: 'refresh (ask-999;)', inputs, turn: {} },
    attempts: [undisturbed(0)],
  }
  await askAll(stage, [last])
}

/** No story needs more of them. */
const MOST_FOLLOWED = 4

/** Each pull request of the agent may start a workflow that asks for docs. @returns waits for those runs */
function followPulls(stage: Stage): () => Promise<void> {
  const { followsPulls, agentLogin } = stage.world.story
  const runs: Promise<unknown>[] = []
  stage.world.onAgentPull = () => {
    if (runs.length >= MOST_FOLLOWED || !followsPulls) return
    const id = `ask-${900 + runs.length}`
    const ask: Ask = {
      ...{ id, event: 'agent-pull', author: agentLogin, sender: agentLogin, on: 'agent' },
      ...{ words: `document this change (${id};)`, inputs: {}, workflow: 'Docs', merges: [], turn: {} },
      attempts: [undisturbed(0)],
    }
    // Their failures are looked at when the story gets there.
    runs.push(askAll(stage, [ask]).catch((error: unknown) => error))
  }
  return async () => {
    const failure = (await Promise.all(runs)).find((result) => result !== undefined)
    if (failure !== undefined) throw failure
  }
}
