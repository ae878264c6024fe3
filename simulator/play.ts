import { collect } from '../src/collect/collect.ts'
import { mainStep } from '../src/run/main-step.ts'
import { postStep } from '../src/run/post-step.ts'
import { undisturbed } from './choices.ts'
import { type Event, eventOf } from './events.ts'
import { type History, locatedThread, type Request, reasonOf } from './history.ts'
import { interfere } from './interfere.ts'
import { type Breach, breachesAtEnd } from './invariants.ts'
import { pullJson } from './payloads.ts'
import type { Sabotage } from './sabotages.ts'
import { Broken, contextOf, HOUR, lifeIn, limitOf, live, type Stage } from './stage.ts'
import { type Ask, type Attempt, LAST_ID, NO_FAULTS, type Story, type Sweep } from './story.ts'
import { agentPulls, inputsOf, openWorld, REPOSITORY, TRACKING_TITLE } from './world.ts'

/** A story that has been played to its end, or to the first invariant that broke. */
export interface Played {
  readonly history: History
  readonly breaches: readonly Breach[]
}

export async function play(story: Story, sabotage?: Sabotage): Promise<Played> {
  const world = await openWorld(story, sabotage)
  const stage: Stage = { world, history: { world, requests: [], sweeps: [] } }
  const turns = new Map<string, Ask['turn']>()
  world.emulator.service.everyTurn = (prompt) => turns.get(/ask-\d+;/.exec(prompt)?.[0] ?? '') ?? {}
  const woken = wakeEach(stage)
  try {
    for (const act of story.acts) {
      if (act.kind === 'pass') {
        await world.clock.sleep(act.ms)
        // Turns end whether or not anybody asks.
        world.emulator.service.tick()
      } else if (act.kind === 'wake') await wake(stage, act.sweep, agentPulls(world).at(-1))
      else if (act.kind === 'interfere') interfere(world, act.interference)
      else if (act.kind === 'sweep') await sweep(stage, act.sweep)
      else {
        for (const ask of act.asks) turns.set(`${ask.id};`, ask.turn)
        await askAll(stage, act.asks)
      }
    }
    await woken.settled()
    await finale(stage, turns)
    await woken.settled()
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

/** Those of one act ask at the same time. */
async function askAll(stage: Stage, asks: readonly Ask[]): Promise<void> {
  const events = new Map<string, Event>()
  const requests = asks.map((ask) => {
    const event = events.get(ask.id) ?? eventOf(stage.world, ask)
    events.set(ask.id, event)
    return requestFor(stage, ask, event)
  })
  await Promise.all(
    requests.map(async (request) => {
      for (const attempt of request.ask.attempts) await attemptAt(stage, request, attempt)
    }),
  )
}

function requestFor({ world, history }: Stage, ask: Ask, event: Event): Request {
  const jobs = world.emulator.service.jobs()
  const inputs = inputsOf(world, ask, jobs.length > 1 ? (jobs.at(-1)?.id ?? '') : '')
  const named =
    event.thread ?? (inputs['issue-number'] === undefined ? undefined : Number(inputs['issue-number']))
  const runs: Request['runs'] = []
  const request: Request = {
    name: `r${history.requests.length + 1}`,
    ask,
    event,
    inputs: event.byInput ? { ...inputs, prompt: ask.words } : inputs,
    get thread() {
      return named ?? locatedThread(runs)
    },
    runs,
  }
  history.requests.push(request)
  world.note(`${request.name}: ${ask.event} by ${ask.author} (sender ${ask.sender}) in #${named ?? '-'}`)
  return request
}

/** When the faults are over, people run each request again until it is reported, and a sweep collects the rest. */
async function finale(stage: Stage, turns: Map<string, Ask['turn']>): Promise<void> {
  const { world, history } = stage
  world.note('the faults end')
  for (const request of history.requests) {
    for (let tries = 0; tries < 3; tries++) {
      await attemptAt(stage, request, undisturbed(tries === 0 ? 3_600_000 : 60_000))
      if (reasonOf(request.runs.at(-1)?.main) !== 'creation-uncertain') break
    }
  }
  await refreshOnceMore(stage, turns)
  await world.clock.sleep(9 * 3_600_000)
  const last = { skewMs: 0, faultRates: NO_FAULTS, blows: [], inputs: { 'since-hours': '744' } }
  await sweep(stage, last)
  // A turn can end with the read of that sweep, after its answer.
  await sweep(stage, last)
}

/** A last refresh, where the story has some: it asks for whatever is still missing. */
async function refreshOnceMore(stage: Stage, turns: Map<string, Ask['turn']>): Promise<void> {
  const { history } = stage
  const like = history.requests.findLast(({ inputs }) => inputs['changes-since'] !== undefined)?.ask
  if (like === undefined) return
  const inputs = {
    'issue-title': TRACKING_TITLE,
    'changes-since': like.inputs['changes-since'] ?? '',
    'timeout-minutes': '400',
  }
  const ask: Ask = {
    ...like,
    id: LAST_ID,
    event: 'schedule',
    words: `refresh (${LAST_ID};)`,
    inputs,
    turn: {},
  }
  turns.set(`${LAST_ID};`, ask.turn)
  await askAll(stage, [{ ...ask, attempts: [undisturbed(0)] }])
}

async function attemptAt(stage: Stage, request: Request, attempt: Attempt): Promise<void> {
  const { world } = stage
  const number = request.runs.length + 1
  if (number > 1) await world.clock.sleep(attempt.gapMs)
  const { event, ask, inputs } = request
  const context = contextOf(world, {
    eventName: event.name,
    payload: event.payload,
    runId: 9_000_000 + Number(request.name.slice(1)),
    runAttempt: number,
    workflow: ask.workflow,
    actor: ask.sender,
  })
  const { skewMs, faultRates, blows, postBlows } = attempt
  const name = `${request.name}.${number}`
  const main = lifeIn(stage, { name: `${name} main`, role: 'main', skewMs, blows, inputs }, faultRates)
  const run: Request['runs'][number] = { attempt: number, main }
  request.runs.push(run)
  await live(stage, main, () => mainStep(main.deps, async () => context), limitOf(request))
  if (main.fate === 'killed' && attempt.post === 'lost') return
  const savedState = main.footprint.state
  const own = { name: `${name} post`, role: 'post', skewMs, blows: postBlows, inputs, savedState } as const
  const post = lifeIn(stage, own, faultRates)
  run.post = post
  await live(stage, post, () => postStep(post.deps, async () => context), HOUR)
}

/** No story needs more of them. */
const MOST_WOKEN = 4

/** Each pull request of the agent wakes a sweep of its own, whatever else goes on. */
function wakeEach(stage: Stage): { settled(): Promise<void> } {
  const { world } = stage
  const { wake: woken } = world.story
  const sweeps: Promise<unknown>[] = []
  world.onAgentPull = (number) => {
    if (woken === undefined || sweeps.length >= MOST_WOKEN) return
    // Its failure is looked at when the story gets there.
    sweeps.push(wake(stage, woken, number).catch((error: unknown) => error))
  }
  return {
    async settled() {
      const failure = (await Promise.all(sweeps)).find((result) => result !== undefined)
      if (failure !== undefined) throw failure
    },
  }
}

/** A runner needs some seconds to start. */
const START_MS = 5000

async function wake(stage: Stage, woken: Sweep, number: number | undefined): Promise<void> {
  const { world } = stage
  if (number === undefined || world.story.docsRepository !== REPOSITORY) return
  await world.clock.sleep(START_MS)
  const pull = pullJson(world, number)
  const payload = { action: 'opened', pull_request: pull, sender: pull.user }
  await sweep(stage, woken, { eventName: 'pull_request', payload })
}

const SCHEDULED = { eventName: 'schedule', payload: { schedule: '0 * * * *' } }

async function sweep(
  stage: Stage,
  { skewMs, faultRates, blows, inputs: more }: Sweep,
  event: { readonly eventName: string; readonly payload: unknown } = SCHEDULED,
): Promise<void> {
  const { world, history } = stage
  const access = { 'project-id': 'docs', 'api-key': 'test-key', 'github-token': 'test-token' }
  const inputs = { ...access, 'base-url': world.emulator.serviceUrl, ...more }
  const name = `sweep ${history.sweeps.length + 1}`
  const isWoken = event !== SCHEDULED
  const life = lifeIn(stage, { name, role: 'sweep', skewMs, blows, inputs, isWoken }, faultRates)
  history.sweeps.push(life)
  const context = contextOf(world, {
    ...event,
    runId: 8_000_001,
    runAttempt: 1,
    workflow: 'Collect',
    actor: '',
  })
  await live(stage, life, () => collect(life.deps, async () => context), 3 * HOUR)
}
