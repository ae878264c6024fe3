import { unit } from '../emulator/random.ts'
import { collect, type Deps, mainStep, postStep, type RunContext } from './action.ts'
import { depsOf } from './deps.ts'
import { type Event, eventOf } from './events.ts'
import { allRecorded, type History, locatedThread, ownRecords, type Request, type Run } from './history.ts'
import { interfere } from './interfere.ts'
import { type Fate, Life, type LifeOptions } from './life.ts'
import type { Sabotage } from './sabotages.ts'
import { type Ask, type Attempt, RUNNER_START_MS, type Sweep } from './story.ts'
import { drawFaults } from './weather.ts'
import { accessOf, inputsOf, repositoryId, type World } from './world.ts'

/** Where a story is played, and what has been recorded of it. */
export interface Stage {
  readonly world: World
  readonly history: History & { readonly requests: Request[]; readonly sweeps: Life[] }
  /** Looks at each process when it has ended; what it throws ends the story. */
  readonly judge: (life: Life) => void
  /** Undefined in all stories but those that show a rule at work. */
  readonly sabotage: Sabotage | undefined
}

export const HOUR = 3_600_000

export function stageOf(world: World, judge: Stage['judge'] = () => {}, sabotage?: Sabotage): Stage {
  drawFaults(world)
  return { world, history: { world, requests: [], sweeps: [] }, judge, sabotage }
}

const FIRST_RUN_ID = 9_000_001

/** Those of one act ask at the same time. */
export async function askAll(stage: Stage, asks: readonly Ask[]): Promise<void> {
  const events = new Map<string, Event>()
  const runIds = new Map<string, number>()
  await Promise.all(
    asks.map(async (ask) => {
      // What happens later finds the world as it is then.
      if (ask.delayMs !== undefined && ask.delayMs > 0) await stage.world.clock.sleep(ask.delayMs)
      const request = begun(ask)
      for (const attempt of ask.attempts) await attemptAt(stage, request, attempt)
    }),
  )

  function begun(ask: Ask): Request {
    // In a queue, turns follow each other sooner than a reader with these pauses, or one that looks once in a while, may
    // take one's end for the other's (4.8).
    const settlingMs = Math.min(30_000, 2000 * Number(ask.inputs['poll-interval-seconds'] ?? 15))
    const pauseMs = 0.8 * settlingMs * unit(stage.world.story.seed, ask.id)
    stage.world.turns.set(`${ask.id};`, { pauseMs, ...ask.turn })
    const { callOf = ask.id, workflow } = ask
    const event = events.get(callOf) ?? eventOf(stage.world, ask)
    events.set(callOf, event)
    const run = `${callOf} ${workflow}`
    const runId = runIds.get(run) ?? FIRST_RUN_ID + stage.history.requests.length
    runIds.set(run, runId)
    return requestFor(stage, ask, callOf === ask.id ? event : { ...event, text: ask.words }, runId)
  }
}

function requestFor({ world, history }: Stage, ask: Ask, event: Event, runId: number): Request {
  const jobs = world.emulator.service.jobs()
  const inputs = inputsOf(world, ask, jobs.length > 1 ? (jobs.at(-1)?.id ?? '') : '')
  const named =
    event.thread ?? (inputs['issue-number'] === undefined ? undefined : Number(inputs['issue-number']))
  const runs: Request['runs'] = []
  const request: Request = {
    name: `r${history.requests.length + 1}`,
    runId,
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

/** One attempt of a request: the main step, and the post step where the runner is still there. */
export async function attemptAt(stage: Stage, request: Request, attempt: Attempt): Promise<void> {
  const { world, history } = stage
  const number = request.runs.length + 1
  // A call of a workflow that left no comment would take the other call's for its own (5.2).
  const isTwin = history.requests.some((other) => other !== request && other.runId === request.runId)
  if (number > 1 && isTwin && ownRecords(history, request).length === 0) return
  if (number > 1) await world.clock.sleep(attempt.gapMs)
  // No list hides what stood before the runner started.
  const found = allRecorded(world)
  await world.clock.sleep(RUNNER_START_MS)
  const { event, ask } = request
  const inputs = {
    ...request.inputs,
    // A re-run gets the secrets of now.
    ...(request.inputs['api-key'] !== '' && accessOf(world)),
    ...(ask.isComputed && event.byInput && number > 1 && { prompt: `${ask.words} and what came since` }),
  }
  const context = contextOf(world, {
    eventName: event.name,
    payload: event.payload,
    runId: request.runId,
    runAttempt: number,
    workflow: ask.workflow,
    actor: ask.sender,
  })
  const { skewMs, weather, blows } = attempt
  const name = `${request.name}.${number}`
  const main = lifeIn(stage, { name: `${name} main`, role: 'main', skewMs, weather, blows, inputs })
  request.runs.push({ attempt: number, main, found, context })
  await live(stage, main, (deps) => mainStep(deps, async () => context), limitOf(request))
  if (main.fate === 'killed' && attempt.post === 'lost') return
  const run = request.runs.at(-1)
  if (run !== undefined) await postAt(stage, request, run, attempt)
}

/** The post step of a run, which goes by what the main step saved. */
export async function postAt(stage: Stage, request: Request, run: Run, attempt: Attempt): Promise<void> {
  const { skewMs, weather, postBlows } = attempt
  const { inputs, footprint } = run.main
  const name = `${request.name}.${run.attempt} post`
  const own = { name, role: 'post', skewMs, weather, inputs, savedState: footprint.state } as const
  run.post = lifeIn(stage, { ...own, blows: postBlows })
  await live(stage, run.post, (deps) => postStep(deps, async () => run.context), HOUR)
}

/** No run takes longer: its own time, and what GitHub's retries may take. */
const limitOf = ({ inputs }: Request): number =>
  (Number(inputs['timeout-minutes'] ?? 30) || 0) * 60_000 + 3 * HOUR

/** A sweep that this pull request of the agent wakes. */
export async function wake(stage: Stage, woken: Sweep, number: number): Promise<void> {
  const { world } = stage
  const pull = world.emulator.shown.pull(number)
  const payload = { action: 'opened', pull_request: pull, sender: pull.user }
  await sweep(stage, woken, { eventName: 'pull_request', payload })
}

const SCHEDULED = { eventName: 'schedule', payload: { schedule: '0 * * * *' } }

export async function sweep(
  stage: Stage,
  { inputs: more, ...own }: Sweep,
  event: { readonly eventName: string; readonly payload: unknown } = SCHEDULED,
): Promise<void> {
  const { world, history } = stage
  await world.clock.sleep(RUNNER_START_MS)
  const inputs = { ...accessOf(world), ...more }
  const name = `sweep ${history.sweeps.length + 1}`
  const life = lifeIn(stage, { ...own, name, role: 'sweep', inputs, isWoken: event !== SCHEDULED })
  history.sweeps.push(life)
  const run = { runId: 8_000_001, runAttempt: 1, workflow: 'Collect', actor: '' }
  const context = contextOf(world, { ...event, ...run })
  await live(stage, life, (deps) => collect(deps, async () => context), 3 * HOUR)
}

/** A process of the action that is about to begin. */
function lifeIn({ world }: Stage, own: Omit<LifeOptions, 'clock' | 'note' | 'interfere'>): Life {
  const { clock, note } = world
  const life = new Life({
    ...own,
    clock,
    note,
    interfere: ({ interference }) => interfere(world, interference),
  })
  world.lives.push(life)
  return life
}

/** Lets the process live until it ends, is killed, or has hung for longer than anything may take. */
async function live(
  stage: Stage,
  life: Life,
  act: (deps: Deps) => Promise<void>,
  limitMs: number,
): Promise<void> {
  const { world, sabotage } = stage
  const { clock, note } = world
  const deps = depsOf(life, world)
  const over = new AbortController()
  const ended = act(sabotage?.act(deps, life, world) ?? deps).then(
    (): Fate => 'ended',
    (error: unknown): Fate => {
      note(`${life.name}: threw ${error instanceof Error ? error.stack : String(error)}`)
      return 'threw'
    },
  )
  const killed = life.gone.then((): Fate => 'killed')
  const hung = clock.sleep(limitMs, over.signal).then(
    (): Fate => 'hung',
    (): Fate => 'ended',
  )
  const fate = await Promise.race([ended, killed, hung])
  life.end(fate)
  over.abort()
  const { outputs } = life.footprint
  const said = [outputs.get('outcome'), outputs.get('reason')].filter(Boolean).join(', ')
  const color = life.red ? ', red' : ', green'
  note(`${life.name}: ${fate}${fate === 'ended' ? color : ''}${said && ` (${said})`}`)
  stage.judge(life)
}

/** What GitHub tells every run of the repository. */
function contextOf(
  world: World,
  run: Pick<RunContext, 'eventName' | 'runId' | 'runAttempt' | 'workflow' | 'actor'> & {
    readonly payload: unknown
  },
): RunContext {
  return {
    ...run,
    // As it comes out of the event file.
    payload: JSON.parse(JSON.stringify(run.payload)),
    repository: { owner: 'octo', repo: 'app' },
    repositoryId: repositoryId(world),
    job: 'docs',
    step: 'docs',
    workspace: world.workspace,
    branch: 'main',
    serverUrl: 'https://github.com',
    apiUrl: world.emulator.githubUrl,
  }
}
