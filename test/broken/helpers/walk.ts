import type { Fault } from '../../../emulator/faults.ts'
import type { Life } from '../../../simulator/life.ts'
import { CALL_HEADER } from '../../../simulator/network.ts'
import { type Stage, stageOf } from '../../../simulator/stage.ts'
import { openWorld } from '../../../simulator/world.ts'
import { plainStory } from '../../helpers/story.ts'
import { differences, type Seen, seenIn } from './observe.ts'
import type { Tale } from './tales.ts'

/** Which of the run's requests to GitHub break, and how. `nth` counts from 0, `at` is in ms since the epoch. */
export type Break = (request: {
  readonly nth: number
  readonly at: number
  readonly stage: Stage
}) => Fault | undefined

export interface Told {
  readonly stage: Stage
  readonly seen: Seen
  /** The run's requests to GitHub, in order. */
  readonly requests: readonly string[]
}

interface Telling {
  readonly breaks?: Break
  readonly after?: (stage: Stage) => Promise<void>
  /** Looks at each process of the tale when it has ended. */
  readonly judge?: (stage: Stage, life: Life) => void
}

/** Plays a tale in a world of its own. */
export async function tell(
  tale: Tale,
  { breaks = () => undefined, after = async () => {}, judge = () => {} }: Telling = {},
): Promise<Told> {
  const story = plainStory()
  const world = await openWorld({ ...story, permissions: { ...story.permissions, statuses: 'write' } })
  const stage: Stage = stageOf(world, (life) => judge(stage, life))
  const requests: string[] = []
  const { faults } = world.emulator
  try {
    faults.source = () => undefined
    await tale.before?.(stage)
    faults.source = ({ host, method, path, headers }) => {
      if (host !== 'github' || headers[CALL_HEADER] === undefined) return undefined
      requests.push(`${method} ${path}`)
      return breaks({ nth: requests.length - 1, at: world.clock.now(), stage })
    }
    await tale.run(stage)
    faults.source = () => undefined
    await after(stage)
    return { stage, seen: seenIn(stage), requests }
  } finally {
    for (const life of world.lives) life.forget()
    world.close()
  }
}

/** Lines that are shown of one request that changed something. */
const MOST_LINES = 6

/** Breaks each request of the tale in turn, once. @returns what differs from the tale without it, readably */
export async function walk(tale: Tale, fault: Fault): Promise<{ broken: number; found: string[] }> {
  const whole = await tell(tale)
  const found: string[] = []
  for (const [nth, request] of whole.requests.entries()) {
    const { seen } = await tell(tale, { breaks: (one) => (one.nth === nth ? fault : undefined) })
    const lines = differences(whole.seen, seen)
    if (lines.length === 0) continue
    const more = lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : []
    const shown = [...lines.slice(0, MOST_LINES), ...more]
    found.push([`${tale.name}, request ${nth + 1} (${request})`, ...shown].join('\n    '))
  }
  return { broken: whole.requests.length, found }
}
