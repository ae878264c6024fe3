import { expect } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import { type RunningAction, type RunResult, startAction } from '../../emulator/runner.ts'
import { OUTPUTS } from '../../src/finish/outputs.ts'
import { bodies, given, type More, say } from '../scenarios/conversation-helpers.ts'

/** An event without a thread. */
export const DISPATCH = { name: 'workflow_dispatch', payload: { sender: { login: 'alice', type: 'User' } } }

/** A run of the bundle that polls quickly. The runner knows no secret but the token: the action masks its own. */
export function start(emulator: Emulator, { event = DISPATCH, ...more }: More = {}): RunningAction {
  return startAction(
    given(emulator, event, { ...more, inputs: { prompt: 'Explain retries', ...more.inputs } }),
  )
}

export async function act(emulator: Emulator, more: More = {}): Promise<RunResult> {
  return sound(await start(emulator, more).done, emulator)
}

/** A run that a comment of Alice's sets off. */
export const answer = (emulator: Emulator, body: string, more: More = {}): Promise<RunResult> =>
  act(emulator, { ...more, event: say(emulator, body), inputs: { prompt: '', ...more.inputs } })

/** What holds however a run ends: 2.4, 6.3, and the names and forms of the outputs (2). */
export function sound(result: RunResult, emulator: Emulator): RunResult {
  for (const step of [result, ...(result.post === undefined ? [] : [result.post])]) {
    const { log, outputs, summary, state, annotations, commands, fileErrors } = step
    const shown = JSON.stringify([log, outputs, summary, state, annotations])
    expect(shown).not.toMatch(/test-key|test-token/)
    expect(log, 'no stack').not.toMatch(/^\s+at .*\d+:\d+\)?$/m)
    expect(fileErrors).toEqual([])
    for (const { name } of commands) expect(name).toMatch(/^(add-mask|error|warning|debug)$/)
    for (const name of Object.keys(outputs)) expect([...OUTPUTS, 'result']).toContain(name)
    for (const value of Object.values(outputs)) expect(value).not.toMatch(/[\r\n]/)
  }
  const { result: all, ...rest } = result.outputs
  if (all !== undefined) expect(JSON.parse(all)).toEqual(rest)
  expect(bodies(emulator).join('\n')).not.toMatch(/test-key|test-token/)
  return result
}

export const errorsOf = ({ annotations }: RunResult): string[] =>
  annotations.filter(({ level }) => level === 'error').map(({ message }) => message)
