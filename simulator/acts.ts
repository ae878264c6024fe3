import type { AsyncCommand } from 'fast-check'
import { livesOf } from './history.ts'
import { interfere, OF_FIXES } from './interfere.ts'
import { askAll, attemptAt, type Stage, sweep } from './stage.ts'
import { type Act, type Ask, type Trouble, undisturbed } from './story.ts'
import { gitHubEventOf, type SweepEvent, waitForEvent } from './sweep-events.ts'
import { told } from './tell.ts'
import { agentPulls, PULL } from './world.ts'

/** What happens in a story, for fast-check: whether it can happen now, what it does, and how people would tell it. */
export const command = (act: Act): AsyncCommand<Stage, Stage> => ({
  check: (stage) => canHappen(stage, act),
  async run(stage) {
    stage.happened.push(told(act))
    stage.world.note(`━━ ${told(act)}`)
    await happen(stage, act)
  },
  toString: () => told(act),
})

function canHappen(stage: Stage, act: Act): boolean {
  if (act.kind === 'again') return !stage.isTroubled && overOf(stage).length > 0
  if (act.kind === 'trouble') return !stage.isTroubled
  // No event wakes a sweep, and nobody meddles with fixes, before there is anything to fix.
  if (act.kind === 'sweep-events') return stage.history.requests.length > 0
  if (act.kind === 'interfere' && OF_FIXES.includes(act.interference))
    return agentPulls(stage.world).length > 0 && stage.world.leftAt === Number.POSITIVE_INFINITY
  const { github } = stage.world.emulator
  const events = act.kind === 'ask' ? act.asks.map(({ event }) => event) : []
  const isOpen = github.issue(PULL).state === 'open'
  return events.every(
    (event) =>
      !event.startsWith('code-') ||
      (isOpen && (event !== 'code-reverted' || github.pull(PULL).files.length > 1)),
  )
}

async function happen(stage: Stage, act: Act): Promise<void> {
  const { clock, emulator } = stage.world
  if (act.kind === 'interfere') interfere(stage.world, act.interference)
  else if (act.kind === 'pass') {
    await clock.sleep(act.ms)
    // Turns end whether or not anybody asks.
    emulator.service.tick()
  } else if (act.kind === 'trouble') {
    stage.isTroubled = true
    stage.trouble = act.trouble
  } else if (act.kind === 'again') {
    stage.isTroubled = true
    const over = overOf(stage)
    const request = over[act.nth % over.length]
    if (request !== undefined) await attemptAt(stage, request, undisturbed(0))
  } else {
    const { trouble } = stage
    stage.trouble = undefined
    if (act.kind === 'sweep') {
      const blows = trouble?.kind === 'struck' ? (trouble.attempts[0]?.blows ?? []) : []
      return await sweep(stage, { ...act.sweep, blows })
    }
    if (act.kind === 'sweep-events') return await sweepAtEvents(stage, act.events, trouble)
    const asks = numbered(stage, act).map(
      (ask, n, { length }): Ask =>
        trouble?.kind === 'struck' && n === trouble.whose % length
          ? { ...ask, attempts: trouble.attempts }
          : ask,
    )
    const swept =
      trouble?.kind === 'beside' && clock.sleep(trouble.afterMs).then(() => sweep(stage, trouble.sweep))
    await Promise.all([askAll(stage, asks), swept])
  }
}

/** Events come, each for a sweep of its own. One of them meets what goes wrong. */
async function sweepAtEvents(
  stage: Stage,
  events: readonly SweepEvent[],
  trouble: Trouble | undefined,
): Promise<void> {
  const { world } = stage
  const { whose, attempts } = trouble?.kind === 'struck' ? trouble : { whose: 0, attempts: [] }
  const sweeps = events.map(async (event, n) => {
    await waitForEvent(world, event)
    if (event.delayMs > 0) await world.clock.sleep(event.delayMs)
    world.emulator.service.tick()
    const blows = n === whose % events.length ? (attempts[0]?.blows ?? []) : []
    await sweep(stage, { blows, inputs: {} }, () => gitHubEventOf(world, event))
  })
  const swept =
    trouble?.kind === 'beside' && world.clock.sleep(trouble.afterMs).then(() => sweep(stage, trouble.sweep))
  await Promise.all([...sweeps, swept])
}

/** GitHub runs nothing again that is still under way. */
const overOf = ({ history }: Stage) =>
  history.requests.filter((one) => livesOf(one).every(({ fate }) => fate))

/** Words name the request by its number, so that it can be found again. */
function numbered(stage: Stage, { asks, isTwice }: Extract<Act, { kind: 'ask' }>): Ask[] {
  return asks.map((drawn, n) => {
    if (n === 0 || !isTwice) stage.asked += 1
    const id = `ask-${stage.asked}`
    return { ...drawn, id, words: drawn.words.replace('(ask;)', `(${id};)`) }
  })
}
