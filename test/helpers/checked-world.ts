import type { FaultMatch } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { ownWorld, type World } from './world.ts'

/** The agent's pull request has checks (contract 4.12). */

export const FIX = { 'fix-attempts': '2' }
export const MESSAGE: FaultMatch = { host: 'service', method: 'POST', path: /\/message$/ }

/** @param heads the checks of each head of the agent's pull request, in order */
export function checkedWorld(heads: readonly (readonly Check[])[], options: EmulatorOptions = {}) {
  const permissions = { actions: 'read' as const, ...options.permissions }
  const emulator = ownWorld({ ...options, permissions })
  emulator.github.checks.script.push(...heads)
  emulator.service.everyTurn = { reads: 0 }
  return emulator
}

export const fixes = ({ requests }: World): string[] =>
  requests
    .filter(({ path }) => path.endsWith('/message'))
    .map(({ body }) => String((body as { prompt?: unknown }).prompt))

export const asksToFix = (emulator: World, inputs = {}) =>
  emulator.ask('/docs explain', { inputs: { ...FIX, ...inputs } })
