import type { RunContext } from '../src/event/run-context.ts'
import { asObject } from '../src/json.ts'
import type { History, Request } from './history.ts'
import { interfere } from './interfere.ts'
import { type Breach, breachesAfter } from './invariants.ts'
import { type Fate, Life, type LifeOptions } from './life.ts'
import type { Attempt } from './story.ts'
import { repositoryId, type World } from './world.ts'

/** Stops the story: what comes after a breach says nothing more. */
export class Broken extends Error {
  readonly breaches: readonly Breach[]

  constructor(breaches: readonly Breach[]) {
    super('an invariant is broken')
    this.breaches = breaches
  }
}

/** Where a story is played, and what has been recorded of it. */
export interface Stage {
  readonly world: World
  readonly history: History & { readonly requests: Request[]; readonly sweeps: Life[] }
}

export const HOUR = 3_600_000

/** No run takes longer: its own time, and what GitHub's retries may take. */
export function limitOf({ inputs }: Request): number {
  return (Number(inputs['timeout-minutes'] ?? 30) || 0) * 60_000 + 3 * HOUR
}

/** A process of the action that is about to begin. */
export function lifeIn(
  { world }: Stage,
  own: Pick<LifeOptions, 'name' | 'role' | 'skewMs' | 'blows' | 'inputs' | 'savedState' | 'isWoken'>,
  faultRates: Attempt['faultRates'],
): Life {
  const { clock, emulator, note, story, sabotage } = world
  world.faultRates.set(own.name, faultRates)
  const life = new Life({
    ...own,
    seed: story.seed,
    clock,
    emulator,
    note,
    sabotage: sabotage && ((deps, life) => sabotage.act(deps, life, world)),
    interfere: ({ interference }) => interfere(world, interference),
  })
  world.lives.push(life)
  return life
}

/** Lets the process live until it ends, is killed, or has hung for longer than anything may take. */
export async function live(
  stage: Stage,
  life: Life,
  act: () => Promise<void>,
  limitMs: number,
): Promise<void> {
  const { clock, note } = stage.world
  const over = new AbortController()
  const ended = act().then(
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
  const color = life.red ? ', red' : ', green'
  note(`${life.name}: ${fate}${fate === 'ended' ? color : ''}${outcomeNote(life)}`)
  const breaches = breachesAfter(stage.history, life)
  if (breaches.length > 0) throw new Broken(breaches)
}

function outcomeNote({ footprint: { outputs } }: Life): string {
  const outcome = outputs.get('outcome')
  return outcome === undefined ? '' : ` (${[outcome, outputs.get('reason')].filter(Boolean).join(', ')})`
}

/** What GitHub tells every run of the repository. */
export function contextOf(
  world: World,
  run: Pick<RunContext, 'eventName' | 'runId' | 'runAttempt' | 'workflow' | 'actor'> & {
    readonly payload: unknown
  },
): RunContext {
  return {
    ...run,
    // As it comes out of the event file.
    payload: asObject(JSON.parse(JSON.stringify(run.payload))),
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
