import { join } from 'node:path'
import { rawInputs } from '../src/inputs/read.ts'
import type { Environment } from '../src/runner/environment.ts'
import type { History, Request } from './history.ts'
import { type Breach, breachesAfter } from './invariants.ts'
import { type Fate, Life, type LifeOptions } from './life.ts'
import { meddle } from './meddle.ts'
import type { Attempt } from './story.ts'
import { eventFile, REPOSITORY, type World } from './world.ts'

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
  own: Pick<LifeOptions, 'name' | 'role' | 'skewMs' | 'blows'>,
  weather: Attempt['weather'],
): Life {
  const { clock, emulator, folder, note, story } = world
  world.weather.set(own.name, weather)
  const life = new Life({
    ...own,
    seed: story.seed,
    clock,
    emulator,
    folder,
    note,
    meddle: ({ meddling }) => meddle(world, meddling),
  })
  world.lives.push(life)
  return life
}

/** Lets the process live until it ends, is killed, or has hung for longer than anything may take. */
export async function live(
  stage: Stage,
  life: Life,
  act: () => Promise<boolean>,
  limitMs: number,
): Promise<void> {
  const { clock, note } = stage.world
  const over = new AbortController()
  const ended = act().then(
    (red) => ({ fate: 'ended' as Fate, red }),
    (error: unknown) => {
      note(`${life.name}: threw ${error instanceof Error ? error.stack : String(error)}`)
      return { fate: 'threw' as Fate, red: true }
    },
  )
  const killed = life.gone.then(() => ({ fate: 'killed' as Fate, red: true }))
  const hung = clock.sleep(limitMs, over.signal).then(
    () => ({ fate: 'hung' as Fate, red: true }),
    () => ({ fate: 'ended' as Fate, red: false }),
  )
  const { fate, red } = await Promise.race([ended, killed, hung])
  life.end(fate, red)
  over.abort()
  note(`${life.name}: ${fate}${fate === 'ended' ? `, ${red ? 'red' : 'green'}` : ''}${outcomeNote(life)}`)
  const breaches = breachesAfter(stage.history, life)
  if (breaches.length > 0) throw new Broken(breaches)
}

function outcomeNote({ footprint: { outputs } }: Life): string {
  const outcome = outputs.get('outcome')
  return outcome === undefined ? '' : ` (${[outcome, outputs.get('reason')].filter(Boolean).join(', ')})`
}

export const rawOf = (inputs: Readonly<Record<string, string>>) =>
  rawInputs(
    Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
  )

/** What all runs of the repository share. */
export const HOUSE = {
  repository: REPOSITORY,
  job: 'docs',
  step: 'docs',
  serverUrl: 'https://github.com',
} as const

export function environmentOf(world: World, request: Request, runAttempt: number): Environment {
  const { event, ask, name } = request
  return {
    ...HOUSE,
    apiUrl: world.emulator.githubUrl,
    eventName: event.name,
    eventPath: eventFile(world, name, event.payload),
    runId: String(9_000_000 + Number(name.slice(1))),
    runAttempt,
    workflow: ask.workflow,
    actor: ask.sender,
    workspace: join(world.folder, 'workspace'),
  }
}
