import { collect, type Deps, mainStep, postStep, type RunContext } from './action.ts'
import { depsOf } from './deps.ts'
import { type Event, eventOf } from './events.ts'
import { strikeRequests } from './faults.ts'
import { type History, isWordsOf, locatedThread, type Request, type Run, requestOf } from './history.ts'
import { interfere } from './interfere.ts'
import { type Fate, Life, type LifeOptions } from './life.ts'
import type { Sabotage } from './sabotages.ts'
import { type Ask, type Attempt, RUNNER_START_MS, type Sweep } from './story.ts'
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
  const history = { world, requests: [], sweeps: [] }
  strikeRequests(world)
  world.turnOf = (life, prompt) => {
    const request = life && requestOf(history, life)
    return request && isWordsOf(request, prompt) ? request.ask.turn : undefined
  }
  return { world, history, judge, sabotage }
}

const FIRST_RUN_ID = 9_000_001

/** Those of one act ask at the same time. */
export async function askAll(stage: Stage, asks: readonly Ask[]): Promise<void> {
  const events = new Map<string, Event>()
  const queues = new Map<string, Promise<void>>()
  await Promise.all(
    asks.map(async (ask) => {
      // What happens later finds the world as it is then.
      if (ask.delayMs !== undefined && ask.delayMs > 0) await stage.world.clock.sleep(ask.delayMs)
      // Two workflows meet the same event.
      const event = events.get(ask.id) ?? eventOf(stage.world, ask)
      events.set(ask.id, event)
      const request = requestFor(stage, ask, event)
      const before = ask.isQueued ? queues.get(ask.workflow) : undefined
      const own = Promise.resolve(before).then(async () => {
        for (const attempt of ask.attempts) await attemptAt(stage, request, attempt)
      })
      // GitHub keeps the runs of such a workflow apart, in order.
      if (ask.isQueued) queues.set(ask.workflow, own)
      await own
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
    runId: FIRST_RUN_ID + history.requests.length,
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
  const { world } = stage
  const number = request.runs.length + 1
  if (number > 1) await world.clock.sleep(attempt.gapMs)
  await world.clock.sleep(RUNNER_START_MS)
  const { event, ask, inputs } = request
  const context = contextOf(world, {
    eventName: event.name,
    payload: event.payload,
    runId: request.runId,
    runAttempt: number,
    workflow: ask.workflow,
    actor: ask.sender,
  })
  const name = `${request.name}.${number}`
  const main = lifeIn(stage, { name: `${name} main`, role: 'main', blows: attempt.blows, inputs })
  request.runs.push({ attempt: number, main, context })
  await live(stage, main, (deps) => mainStep(deps, async () => context), limitOf(request))
  if (main.fate === 'killed' && attempt.post === 'lost') return
  const run = request.runs.at(-1)
  if (run !== undefined) await postAt(stage, request, run, attempt)
}

/** The post step of a run, which goes by what the main step saved. */
export async function postAt(stage: Stage, request: Request, run: Run, attempt: Attempt): Promise<void> {
  const { inputs, footprint } = run.main
  const name = `${request.name}.${run.attempt} post`
  const own = { name, role: 'post', inputs, savedState: footprint.state } as const
  run.post = lifeIn(stage, { ...own, blows: attempt.postBlows })
  await live(stage, run.post, (deps) => postStep(deps, async () => run.context), HOUR)
}

/** No run takes longer: its own time, and what GitHub's retries may take. */
const limitOf = ({ inputs }: Request): number =>
  (Number(inputs['timeout-minutes'] ?? 50) || 0) * 60_000 + 3 * HOUR

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
  { inputs: more, blows }: Sweep,
  event: { readonly eventName: string; readonly payload: unknown } = SCHEDULED,
): Promise<void> {
  const { world, history } = stage
  await world.clock.sleep(RUNNER_START_MS)
  const inputs = { ...accessOf(world), ...more }
  const name = `sweep ${history.sweeps.length + 1}`
  const life = lifeIn(stage, { blows, name, role: 'sweep', inputs, isWoken: event !== SCHEDULED })
  history.sweeps.push(life)
  const run = { runId: 8_000_001, runAttempt: 1, workflow: 'Collect', actor: '' }
  const context = contextOf(world, { ...event, ...run })
  await live(stage, life, (deps) => collect(deps, async () => context), 3 * HOUR)
}

/** A process of the action that is about to begin. */
function lifeIn({ world }: Stage, own: Omit<LifeOptions, 'clock' | 'note' | 'onBlow'>): Life {
  const { clock, note } = world
  const life = new Life({
    ...own,
    clock,
    note,
    onBlow(effect) {
      if (effect.kind === 'interfere') interfere(world, effect.interference)
      if (effect.kind !== 'away') return
      const { host, ms, fault } = effect
      const from = clock.now()
      note(`${host} is away for ${ms / 1000} s`)
      world.outages.push({ host, fault, from, until: from + ms })
    },
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
