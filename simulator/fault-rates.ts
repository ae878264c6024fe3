import { faultOf, nameOf } from './chaos.ts'
import { Dice } from './dice.ts'
import { CALL_HEADER } from './network.ts'
import type { World } from './world.ts'

/** Draws for each request whether it meets a fault, and counts the faults. */
export function drawFaults(world: World): void {
  const { emulator, story, clock } = world
  const bursts = new Map<string, { left: number; again: Dice }>()
  emulator.faults.source = (request) => {
    const id = request.headers[CALL_HEADER] ?? ''
    const name = id.slice(0, id.lastIndexOf('#'))
    const rate = world.faultRates.get(name)?.[request.host] ?? 0
    const dice = new Dice(story.seed, 'fault', id)
    const burst = bursts.get(`${name} ${request.host}`)
    const goesOn = burst !== undefined && burst.left > 0
    if (rate === 0 || !(goesOn || dice.chance(rate))) return undefined
    if (goesOn) burst.left -= 1
    // Outages last: the next requests are likely to meet the same.
    const again = goesOn ? burst.again : dice
    if (!goesOn) {
      const left = dice.pick([0, 0, 0, 1, 3, 12])
      bursts.set(`${name} ${request.host}`, { left, again: new Dice(story.seed, 'burst', id) })
    }
    const fault = faultOf(request.host, again.of('kind'), clock.now())
    const known = nameOf(fault)
    const shown = `${request.host}: ${known}`
    world.faults.set(shown, (world.faults.get(shown) ?? 0) + 1)
    const call = world.lives.find((life) => life.name === name)?.calls.find((one) => one.id === id)
    if (call !== undefined) call.fault = known
    return fault
  }
}
