import { collect } from '../src/collect/run.ts'
import { close } from '../src/run/close.ts'
import { findState } from '../src/run/post-state.ts'
import { run } from '../src/run/run.ts'
import { undisturbed } from './choices.ts'
import { type Event, eventOf } from './events.ts'
import { type History, type Request, reasonOf } from './history.ts'
import { type Breach, breachesAtEnd } from './invariants.ts'
import { meddle } from './meddle.ts'
import { Broken, environmentOf, HOUR, HOUSE, lifeIn, limitOf, live, rawOf, type Stage } from './stage.ts'
import { type Ask, type Attempt, CALM, type Story, type Sweep } from './story.ts'
import { eventFile, inputsOf, openWorld } from './world.ts'

/** A story that has been played to its end, or to the first invariant that broke. */
export interface Played {
  readonly history: History
  readonly breaches: readonly Breach[]
}

export async function play(story: Story): Promise<Played> {
  const world = await openWorld(story)
  const stage: Stage = { world, history: { world, requests: [], sweeps: [] } }
  const turns = new Map<string, Ask['turn']>()
  world.emulator.service.everyTurn = (prompt) => turns.get(/ask-\d+;/.exec(prompt)?.[0] ?? '') ?? {}
  try {
    for (const act of story.acts) {
      if (act.kind === 'pass') await world.clock.sleep(act.ms)
      else if (act.kind === 'meddle') meddle(world, act.meddling)
      else if (act.kind === 'sweep') await sweep(stage, act.sweep)
      else {
        for (const ask of act.asks) turns.set(`${ask.id};`, ask.turn)
        await askAll(stage, act.asks)
      }
    }
    await finale(stage)
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
  const thread =
    event.thread ?? (inputs['issue-number'] === undefined ? undefined : Number(inputs['issue-number']))
  const request: Request = {
    name: `r${history.requests.length + 1}`,
    ask,
    event,
    inputs: event.byInput ? { ...inputs, prompt: ask.words } : inputs,
    thread,
    runs: [],
  }
  history.requests.push(request)
  world.note(`${request.name}: ${ask.event} by ${ask.author} (sender ${ask.sender}) in #${thread ?? '-'}`)
  return request
}

/** When everything has calmed down, people run each request again until it is told, and a sweep collects the rest. */
async function finale(stage: Stage): Promise<void> {
  const { world, history } = stage
  world.note('the weather clears')
  for (const request of history.requests) {
    for (let tries = 0; tries < 3; tries++) {
      await attemptAt(stage, request, undisturbed(tries === 0 ? 3_600_000 : 60_000))
      if (reasonOf(request.runs.at(-1)?.main) !== 'creation-uncertain') break
    }
  }
  await world.clock.sleep(9 * 3_600_000)
  await sweep(stage, { skewMs: 0, weather: CALM, blows: [], inputs: { 'since-hours': '744' } })
}

async function attemptAt(stage: Stage, request: Request, attempt: Attempt): Promise<void> {
  const { world } = stage
  const number = request.runs.length + 1
  if (number > 1) await world.clock.sleep(attempt.gapMs)
  const environment = environmentOf(world, request, number)
  const raw = rawOf(request.inputs)
  const { skewMs, weather } = attempt
  const name = `${request.name}.${number}`
  const main = lifeIn(stage, { name: `${name} main`, role: 'main', skewMs, blows: attempt.blows }, weather)
  const turn: Request['runs'][number] = { attempt: number, main }
  request.runs.push(turn)
  await live(stage, main, () => run(main.deps, raw, environment), limitOf(request))
  if (main.fate === 'killed' && attempt.post === 'lost') return
  const post = lifeIn(
    stage,
    { name: `${name} post`, role: 'post', skewMs, blows: attempt.postBlows },
    weather,
  )
  const state = findState({ STATE_story: main.footprint.state.get('story') })
  turn.post = post
  await live(stage, post, () => close(post.deps, raw, environment, state).then(() => false), HOUR)
}

async function sweep(stage: Stage, { skewMs, weather, blows, inputs }: Sweep): Promise<void> {
  const { world, history } = stage
  const life = lifeIn(
    stage,
    { name: `sweep ${history.sweeps.length + 1}`, role: 'sweep', skewMs, blows },
    weather,
  )
  history.sweeps.push(life)
  const access = { 'project-id': 'docs', 'api-key': 'test-key', 'github-token': 'test-token' }
  const raw = rawOf({ ...access, 'base-url': world.emulator.serviceUrl, ...inputs })
  const eventPath = eventFile(world, 'schedule', { schedule: '0 * * * *' })
  const environment = {
    ...HOUSE,
    apiUrl: world.emulator.githubUrl,
    eventName: 'schedule',
    eventPath,
    runId: '8000001',
    runAttempt: 1,
    workflow: 'Collect',
    workspace: world.folder,
    actor: '',
  }
  await live(stage, life, () => collect(life.deps, raw, environment), 3 * HOUR)
}
