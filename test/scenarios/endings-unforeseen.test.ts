import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { cancellation } from '../../src/cancellation.ts'
import type { Core } from '../../src/deps.ts'
import { mainStep } from '../../src/start/main-step.ts'

/** A run with a bug: reading one of the inputs throws. */
async function runWithBug(isDebug: boolean) {
  const lines: string[] = []
  const outputs: Record<string, string> = {}
  const clock = simulatedClock()
  const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`)
  const core: Core = {
    getInput(name) {
      if (name === 'project-id') throw new TypeError('x is not\na function')
      return name === 'api-key' ? 'test-key' : ''
    },
    getState: () => '',
    setSecret: () => {},
    info: (line) => void lines.push(line),
    debug: note('debug'),
    warning: note('warning'),
    error: note('error'),
    setFailed: note('failed'),
    isDebug: () => isDebug,
    setOutput: (name, value) => void Object.assign(outputs, { [name]: value }),
    saveState: () => {},
    setSummary: async () => {},
  }
  const deps = { ...clock, monotonic: clock.now, core, fetch, random: Math.random }
  await mainStep({ ...deps, cancellation: cancellation(clock.sleep) }, () =>
    Promise.reject(new Error('unused')),
  )
  return { outputs, lines }
}

test('6.3 an unexpected error: one sentence for people, no stack', async () => {
  const { outputs, lines } = await runWithBug(false)
  expect(outputs).toMatchObject({ outcome: 'error', reason: 'internal' })
  expect(lines).toEqual([expect.stringMatching(/^failed: .*\(x is not a function\)\..*Please report it/)])
  expect(lines.join()).not.toContain('.test.ts')
})

test('6.3 the stack comes with debug logging', async () => {
  const { lines } = await runWithBug(true)
  expect(lines).toEqual([
    expect.stringMatching(/^debug: TypeError[\s\S]*\.test\.ts/),
    expect.stringMatching(/^failed: /),
  ])
})
