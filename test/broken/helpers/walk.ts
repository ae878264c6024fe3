import type { Fault } from '../../../emulator/faults.ts'
import type { Call, Life } from '../../../simulator/life.ts'
import { CALL_HEADER } from '../../../simulator/network.ts'
import { attemptAt, HOUR, type Stage, stageOf } from '../../../simulator/stage.ts'
import type { Attempt } from '../../../simulator/story.ts'
import { openWorld } from '../../../simulator/world.ts'
import { attempt, plainStory } from '../../helpers/story.ts'
import { brokenBy, brokenIn, HIDDEN, type Plain, plainOf } from './promises.ts'
import { sweeps, type Tale } from './tales.ts'

/** Which of the run's requests break, and how. `nth` counts from 0, `at` is in ms since the epoch. */
export type Break = (request: {
  readonly nth: number
  readonly at: number
  readonly host: Call['host']
}) => Fault | undefined

/** What happens to the tale's first process, and who comes after it. */
interface Telling {
  readonly first?: Attempt
  readonly breaks?: Break
  readonly after?: (stage: Stage) => Promise<void>
}

export interface Told {
  readonly stage: Stage
  /** Of the tale's first process. */
  readonly calls: readonly Call[]
  /** How its own story ended, before anyone came after it. */
  readonly plain: Plain
  readonly broken: readonly string[]
}

/** Plays a tale in a world of its own. @param plain the tale without trouble, to compare it with */
export async function tell(tale: Tale, telling: Telling = {}, plain?: Plain): Promise<Told> {
  const { first = attempt(), breaks = () => undefined, after = async () => {} } = telling
  const story = { ...plainStory(), body: `Retries wait. <!-- ${HIDDEN} -->`, ...tale.story }
  const world = await openWorld({ ...story, permissions: { ...story.permissions, statuses: 'write' } })
  const own: Life[] = []
  const broken: string[] = []
  let isOwn = false
  const stage: Stage = stageOf(world, (life) => {
    if (!isOwn) return
    own.push(life)
    broken.push(...brokenBy(stage, life, plain))
  })
  const { faults } = world.emulator
  let count = 0
  try {
    faults.source = () => undefined
    await tale.before?.(stage)
    isOwn = true
    faults.source = ({ host, headers }) => {
      if (headers[CALL_HEADER] === undefined) return undefined
      const fault = breaks({ nth: count, at: world.clock.now(), host })
      count += 1
      return fault
    }
    await tale.run(stage, [first])
    faults.source = () => undefined
    const told = plainOf(stage)
    await after(stage)
    if (plain !== undefined) broken.push(...brokenIn(stage, plain))
    return { stage, calls: own[0]?.calls ?? [], plain: told, broken: [...new Set(broken)] }
  } finally {
    for (const life of world.lives) life.forget()
    world.close()
  }
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
