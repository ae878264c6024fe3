import { isDeepStrictEqual } from 'node:util'
import { outcomeOf, reasonOf, sentBy } from '../../../simulator/history.ts'
import type { Call, Life } from '../../../simulator/life.ts'
import { type Breach, breachesAfter, breachesAfterSweeps } from '../../../simulator/rules.ts'
import { attemptAt, HOUR, type Stage, stageOf } from '../../../simulator/stage.ts'
import type { Attempt } from '../../../simulator/story.ts'
import { openWorld, PULL } from '../../../simulator/world.ts'
import { attempt, plainStory } from '../../helpers/story.ts'
import { sweeps, type Tale } from './tales.ts'

/** The rules of the simulator know words of this form: GitHub shows one of them. */
const BODY = 'Retries wait word-000000001. <!-- word-000000002 -->'

/** What happens to the tale's first process, and who comes after it. */
interface Telling {
  readonly first?: Attempt
  readonly after?: (stage: Stage) => Promise<void>
}

/** What a tale comes to. */
export interface Plain {
  readonly outcome: string
  readonly reason: string
  /** What the head of the code's pull request says at last. */
  readonly state: string | undefined
  readonly jobs: number
  /** How often checks that fail went back. */
  readonly fixes: number
}

interface Told {
  /** Of the tale's first process. */
  readonly calls: readonly Call[]
  /** How its own story ended, before anyone came after it. */
  readonly plain: Plain
  /** The promises that it breaks, as the rules of the simulator see them, and what it has more of than without trouble. */
  readonly broken: readonly string[]
}

/** Plays a tale in a world of its own. @param plain the tale without trouble, to compare it with */
export async function tell(
  tale: Tale,
  { first = attempt(), after }: Telling = {},
  plain?: Plain,
): Promise<Told> {
  const story = { ...plainStory(), body: BODY, ...tale.story }
  const world = await openWorld({ ...story, permissions: { ...story.permissions, statuses: 'write' } })
  const own: Life[] = []
  const broken: string[] = []
  const note = (breaches: readonly Breach[]) =>
    broken.push(...breaches.map(({ promise, rule, complaint }) => `${promise} ${rule}: ${complaint}`))
  let isOwn = false
  const stage: Stage = stageOf(world, (life) => {
    if (!isOwn) return
    own.push(life)
    note(breachesAfter(stage.history, life))
  })
  try {
    await tale.before?.(stage)
    isOwn = true
    await tale.run(stage, [first])
    const told = plainOf(stage)
    await after?.(stage)
    if (plain !== undefined) {
      note(breachesAfterSweeps(stage.history))
      broken.push(...differences(stage, plain))
    }
    return { calls: own[0]?.calls ?? [], plain: told, broken: [...new Set(broken)] }
  } finally {
    for (const life of world.lives) life.forget()
    world.close()
  }
}

function plainOf({ world }: Stage): Plain {
  const { service, github } = world.emulator
  const last = world.lives.findLast(({ role }) => role === 'main')
  const jobs = service.jobs().filter(({ id }) => id !== world.foreignJob)
  const isFix = (prompt: string) => !/ask-\d+;/.test(prompt)
  return {
    ...{ outcome: last ? outcomeOf(last) : '', reason: last ? reasonOf(last) : '' },
    state: github.statuses(github.pull(PULL).head.sha).findLast(({ context }) => context === 'docs')?.state,
    jobs: jobs.length,
    fixes: jobs.flatMap(({ prompts }) => prompts.filter(isFix)).length,
  }
}

/** What trouble may not change, once others have come after it. */
function differences(stage: Stage, plain: Plain): string[] {
  const now = plainOf(stage)
  const again = stage.history.requests.flatMap((one) => sentBy(stage.history, [one]).slice(1)).length
  const ends = [plain.outcome, ...(now.reason === 'no-changes' ? ['skipped'] : [])]
  return [
    ...(now.jobs > plain.jobs + again ? [`H1 there are ${now.jobs} jobs instead of ${plain.jobs}`] : []),
    ...(now.fixes > plain.fixes ? [`H1 failures go back ${now.fixes} times instead of ${plain.fixes}`] : []),
    ...(isDeepStrictEqual(now.state, plain.state)
      ? []
      : [`H5 the head says ${now.state} instead of ${plain.state}`]),
    ...(ends.includes(now.outcome)
      ? []
      : [`H7 the last run ends as ${now.outcome}, not as ${plain.outcome}`]),
  ]
}

/** A person runs it again. */
export async function reRun(stage: Stage): Promise<void> {
  const request = stage.history.requests.at(-1)
  if (request !== undefined) await attemptAt(stage, request, attempt({ gapMs: 5 * 60_000 }))
}

/** A sweep of an hour later, when all jobs have ended. */
export async function sweepLater(stage: Stage): Promise<void> {
  await stage.world.clock.sleep(HOUR)
  stage.world.emulator.service.tick()
  await sweeps(stage)
}

/**
 * Indices of the requests worth a trouble: everything that a process writes, and of a reading that it repeats the first
 * and the last, because the others find the same.
 */
export function pointsOf(calls: readonly Call[]): number[] {
  const nths = Map.groupBy(calls.keys(), (nth) => `${calls[nth]?.method} ${calls[nth]?.path}`)
  return [...calls.keys()].filter((nth) => {
    const call = calls[nth]
    const same = nths.get(`${call?.method} ${call?.path}`) ?? []
    return isWrite(call) || nth === same[0] || nth === same.at(-1)
  })
}

export const isWrite = (call: Call | undefined): boolean => call !== undefined && call.method !== 'GET'

export const isSweep = ({ run }: Tale): boolean => run === sweeps
