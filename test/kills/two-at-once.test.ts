import { expect, test } from 'vitest'
import { type ActionRun, runAction, startAction } from '../../emulator/runner.ts'
import { CODE, codeWorld, INPUTS, pulled, saidOf } from '../helpers/code-world.ts'
import { askedTimes, type World } from '../helpers/world.ts'

// H1, H2, 3.2 and 3.13: two people write at once, two events of the same changes come at once, or one of each, without
// `concurrency`, and one of the two runs is killed.

const MINUTE = 60_000

type Comes = (emulator: World, more: Partial<ActionRun>) => ActionRun

const event =
  (action: string): Comes =>
  (emulator, more) =>
    emulator.given(pulled(emulator, action), { ...more, inputs: INPUTS })
const command =
  (words: string, by: string): Comes =>
  (emulator, more) =>
    emulator.given(emulator.say(words, { on: CODE, by }), { ...more, inputs: { ...INPUTS, prompt: '' } })

const [FIRST, SECOND] = [command('/docs explain (first)', 'alice'), command('/docs shorten (second)', 'bob')]
const PAIRS: Readonly<Record<string, readonly [Comes, Comes]>> = {
  'two commands': [FIRST, SECOND],
  'opened, and labeled': [event('opened'), event('labeled')],
  'opened, and a command': [event('opened'), SECOND],
  'a command, and opened': [FIRST, event('opened')],
}

/** What is asked for by these words; of an event, the words of its workflow. */
const WORDS = ['(first)', '(second)', INPUTS.prompt]

const DOUBT = /not answered|not known whether/

for (const [name, pair] of Object.entries(PAIRS))
  for (const apartMs of [0, 50, 300, 3000])
    for (const which of ['first', 'second'])
      for (const [how, post] of [
        ['and its post step runs', true],
        ['with its runner', false],
      ] as const)
        test(`${name}, ${apartMs} ms apart: the ${which} one is killed at each request in turn, ${how}`, async () => {
          for (let at = 0; ; at += 1) {
            const emulator = codeWorld()
            let seen = 0
            const both: Promise<unknown>[] = []
            for (const [n, comes] of pair.entries()) {
              if (n > 0 && apartMs > 0) await emulator.pass(apartMs)
              const run = comes(emulator, { runId: n + 1, post })
              if ((which === 'first') !== (n === 0)) {
                both.push(runAction(run))
                continue
              }
              const killed = startAction(run)
              both.push(killed.done)
              emulator.faults.source = () => {
                seen += 1
                if (seen === at + 1) void killed.kill('SIGKILL')
                return undefined
              }
            }
            await Promise.all(both)
            emulator.faults.source = () => undefined
            await emulator.pass(60 * MINUTE)
            for (const runId of [9_100_001, 9_100_002, 9_100_003]) {
              await emulator.collect({}, { runId })
              await emulator.pass(5 * MINUTE)
            }
            const where = `killed at request ${at}`
            const times = askedTimes(emulator, ...WORDS)
            expect(Math.max(...times), where).toBeLessThanOrEqual(1)
            const words = emulator.bodies(CODE).join('\n')
            // One job has both, unless the thread says that it is not known whether an earlier request got one.
            expect(emulator.promptCounts().length <= 1 || DOUBT.test(words), where).toBe(true)
            expect(words, where).not.toContain('is working')
            // What the agent got has an end in the thread, or is in doubt there.
            const asked = times.reduce((sum, count) => sum + count)
            const ends = emulator.records(CODE).filter((record) => 'ending' in record && record.ending)
            expect(ends.length, where).toBeGreaterThanOrEqual(asked)
            // Green only where the agent has delivered.
            const last = saidOf(emulator).at(-1) ?? ''
            if (last.startsWith('success')) expect(words, where).toContain('✅')
            if (seen <= at) break
          }
        })
