import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { cancellation } from '../../src/core/cancellation.ts'
import { run } from '../../src/run/run.ts'
import { environmentOf } from '../../src/runner/environment.ts'
import type { Runner } from '../../src/runner/runner.ts'

/** A run into which a bug is put: the first input that is asked for throws. */
async function runWithBug(debugging: boolean) {
  const said: string[] = []
  const outputs: Record<string, string> = {}
  const clock = simulatedClock()
  const runner: Runner = {
    mask: () => {},
    log: (line) => void said.push(line),
    annotate: (level, message) => void said.push(`${level}: ${message}`),
    output: (name, value) => void Object.assign(outputs, { [name]: value }),
    saveState: () => {},
    summary: () => {},
    debugging,
  }
  const bug = (name: string) => {
    if (name === 'project-id') throw new TypeError('x is not\na function')
    return name === 'api-key' ? 'test-key' : undefined
  }
  const deps = { ...clock, runner, log: runner.log, fetch, random: Math.random }
  const red = await run({ ...deps, cancellation: cancellation(clock.sleep) }, bug, environmentOf({}))
  return { red, outputs, said }
}

test('6.3 whatever is thrown: one sentence for people, no stack', async () => {
  const { red, outputs, said } = await runWithBug(false)
  expect(red).toBe(true)
  expect(outputs).toMatchObject({ outcome: 'error', reason: 'internal' })
  expect(said).toEqual([expect.stringMatching(/^error: .*\(x is not a function\)\..*Please report it/)])
  expect(said.join()).not.toContain('.test.ts')
})

test('6.3 the stack comes with debug logging', async () => {
  const { said } = await runWithBug(true)
  expect(said).toEqual([
    expect.stringMatching(/^debug: TypeError[\s\S]*\.test\.ts/),
    expect.stringMatching(/^error: /),
  ])
})
