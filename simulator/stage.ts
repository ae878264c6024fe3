import { collect, type Deps, mainStep, postStep, type RunContext } from './action.ts'
import { depsOf } from './deps.ts'
import { type Event, eventOf } from './events.ts'
import { type History, isWordsOf, locatedThread, type Request, type Run, requestOf } from './history.ts'
import { interfere } from './interfere.ts'
import { type Fate, Life, type LifeOptions } from './life.ts'
import { RE_RUNS } from './people.ts'
import type { Ask, Attempt, Sweep, Trouble } from './story.ts'
import type { GitHubEvent } from './sweep-events.ts'
import { strikeRequests } from './trouble.ts'
import { accessOf, inputsOf, repositoryId, type World } from './world.ts'

/** Where a story is played, and what has been recorded of it. */
export interface Stage {
  readonly world: World
  readonly history: History & {
    readonly requests: Request[]
    readonly sweeps: Life[]
    readonly namedBySweeps: Map<Life, readonly number[]>
  }
  /** Looks at each process when it has ended; what it throws ends the story. */
  readonly judge: (life: Life) => void
  /** What waits for the next process. */
  trouble?: Trouble | undefined
  /** Only one thing goes wrong in a story. */
  isTroubled: boolean
  /** Requests that have a number. */
  asked: number
  /** What has happened, as people would tell it. */
  readonly happened: string[]
}

export const HOUR = 3_600_000
/** A runner needs that long before its first request, in ms. */
const RUNNER_START_MS = 5000
const FIRST_RUN_ID = 9_000_001

export function stageOf(world: World, judge: Stage['judge'] = () => {}): Stage {
  const history = { world, requests: [], sweeps: [], namedBySweeps: new Map() }
  strikeRequests(world)
  world.turnOf = (life, prompt) => {
    const request = life && requestOf(history, life)
    return request && isWordsOf(request, prompt) ? request.ask.turn : undefined
  }
  return { world, history, judge, isTroubled: false, asked: 0, happened: [] }
}

/** Those of one act ask at the same time. */
export async function askAll(stage: Stage, asks: readonly Ask[]): Promise<void> {
  const events = new Map<string, Event>()
  const queues = new Map<string, Promise<void>>()
  // One wait for all, so that their requests meet.
  const start = stage.world.clock.sleep(RUNNER_START_MS)
  await Promise.all(
    asks.map(async (ask) => {
      // What happens later finds the world as it is then.
      const { delayMs = 0, isQueued } = ask
      if (delayMs > 0) await stage.world.clock.sleep(delayMs)
      // Two workflows meet the same event.
      const event = events.get(ask.id) ?? eventOf(stage.world, ask)
      events.set(ask.id, event)
      const request = requestFor(stage, ask, event)
      const own = Promise.resolve(isQueued && queues.get(ask.workflow)).then(async () => {
        const [first, ...again] = ask.attempts
        const starts = delayMs > 0 || isQueued ? undefined : start
        if (first !== undefined) await attemptAt(stage, request, first, starts)
        for (const attempt of again) await attemptAt(stage, request, attempt)
      })
      // GitHub keeps the runs of such a workflow apart, in order.
      if (isQueued) queues.set(ask.workflow, own)
      await own
    }),
  )
}

function requestFor({ world, history }: Stage, ask: Ask, event: Event): Request {
  const inputs = inputsOf(world, ask)
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

/**
 * One attempt of a request: the main step, and the post step where the runner is still there.
 * @param start by default, after the gap and what a runner needs
 */
export async function attemptAt(
  stage: Stage,
  request: Request,
  attempt: Attempt,
  start?: Promise<void>,
): Promise<void> {
  const { world } = stage
  const { event, ask, runs, runId } = request
  // Each run gets the secrets of its time.
  const hasKey = request.inputs['api-key'] !== ''
  const inputs: Request['inputs'] = {
    ...request.inputs,
    ...(hasKey && { 'api-key': world.emulator.service.apiKey, 'memory-key': world.memoryKey }),
  }
  const number = runs.length + 1
  await (start ?? world.clock.sleep((number > 1 ? attempt.gapMs : 0) + RUNNER_START_MS))
  const ofEvent = { eventName: event.name, payload: event.payload }
  const ofRun = { runId, runAttempt: number, workflow: ask.workflow, actor: ask.sender }
  const context = contextOf(world, { ...ofEvent, ...ofRun })
  const name = `${request.name}.${number}`
  const main = lifeIn(stage, { name: `${name} main`, role: 'main', blows: attempt.blows, inputs })
  const run: Run = { attempt: number, main }
  runs.push(run)
  // No run takes longer: its own time, and what GitHub's retries may take.
  const limitMs = (Number(inputs['timeout-minutes'] ?? 50) || 0) * 60_000 + 3 * HOUR
  await live(stage, main, (deps) => mainStep(deps, async () => context), limitMs)
  if (main.fate === 'killed' && attempt.post === 'lost') return
  const saved = { inputs, savedState: main.footprint.state }
  run.post = lifeIn(stage, { name: `${name} post`, role: 'post', blows: attempt.postBlows, ...saved })
  await live(stage, run.post, (deps) => postStep(deps, async () => context), HOUR)
}

const SCHEDULE: GitHubEvent = {
  name: 'schedule',
  payload: { schedule: '0 * * * *' },
  names: undefined,
  hasSecrets: true,
}

/** @param wokenBy what wakes it */
export async function sweep(
  stage: Stage,
  { inputs: more, blows }: Sweep,
  wokenBy: () => GitHubEvent = () => SCHEDULE,
): Promise<void> {
  const { world, history } = stage
  const { name: eventName, payload, names, hasSecrets } = wokenBy()
  await world.clock.sleep(RUNNER_START_MS)
  const nth = history.sweeps.length + 1
  const secrets = hasSecrets ? {} : { 'api-key': '', 'memory-key': '' }
  const inputs = { ...accessOf(world), ...world.story.collects, ...more, ...secrets }
  const life = lifeIn(stage, { blows, name: `sweep ${nth}`, role: 'sweep', inputs })
  history.sweeps.push(life)
  if (names !== undefined) history.namedBySweeps.set(life, names)
  world.note(`${life.name}: woken by ${eventName}${names === undefined ? '' : ` of #${names.join(', #')}`}`)
  const run = { runId: 8_000_000 + nth, runAttempt: 1, workflow: 'Collect', actor: '' }
  const context = contextOf(world, { eventName, payload, ...run })
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
      note(`${host} is away for ${ms / 1000} s`)
      world.outages.push({ host, fault, from: clock.now(), until: clock.now() + ms })
    },
  })
  world.lives.push(life)
  return life
}

/** Lets the process live until it ends, is killed, or has hung for longer than anything may take. */
async function live(
  { world, judge }: Stage,
  life: Life,
  act: (deps: Deps) => Promise<void>,
  limitMs: number,
): Promise<void> {
  const { clock, note } = world
  const deps = depsOf(life, world)
  const over = new AbortController()
  const ended = act(deps).then(
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
  note(`${life.name}: ${fate}, ${life.red ? 'red' : 'green'}${said && ` (${said})`}`)
  judge(life)
}

/** What GitHub tells every run of the repository. */
const contextOf = (
  world: World,
  run: Pick<RunContext, 'eventName' | 'runId' | 'runAttempt' | 'workflow' | 'actor'> & {
    readonly payload: unknown
  },
): RunContext => ({
  ...run,
  // As it comes out of the event file.
  payload: JSON.parse(JSON.stringify(run.payload)),
  repository: { owner: 'octo', repo: 'app' },
  repositoryId: repositoryId(world),
  triggeringActor: RE_RUNS,
  ...{ workflowJob: 'docs', stepId: 'docs', workspace: world.workspace, branch: 'main' },
  ...{ serverUrl: 'https://github.com', apiUrl: world.emulator.githubUrl },
})
