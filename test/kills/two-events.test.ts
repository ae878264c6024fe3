import { expect, test } from 'vitest'
import { runAction, startAction } from '../../emulator/runner.ts'
import { CODE, codeWorld, INPUTS, pulled, saidOf } from '../helpers/code-world.ts'

// H1 and 3.13: two events of the same changes, or an event and a command, come at once, and one of the runs is killed.

const MINUTE = 60_000
const FIRSTS = ['first', 'second'] as const
const POSTS = [
  ['and its post step runs', true],
  ['with its runner', false],
] as const

for (const second of ['labeled', 'command'] as const)
  for (const apartMs of [0, 50, 300, 3000])
    for (const which of FIRSTS)
      for (const [how, post] of POSTS)
        test(`opened, and ${second} ${apartMs} ms later: the ${which} one is killed at each request in turn, ${how}`, async () => {
          for (let at = 0; ; at += 1) {
            const emulator = codeWorld()
            const inputs = { ...INPUTS, ...(second === 'command' && { prompt: '' }) }
            const event = emulator.given(pulled(emulator, 'opened'), { runId: 1, post, inputs: INPUTS })
            const isFirst = which === 'first'
            const running = isFirst ? startAction(event) : undefined
            const alive = isFirst ? undefined : runAction(event)
            let seen = 0
            const strike = (one: ReturnType<typeof startAction>) => {
              emulator.faults.source = () => {
                seen += 1
                if (seen === at + 1) void one.kill('SIGKILL')
                return undefined
              }
            }
            if (running !== undefined) strike(running)
            if (apartMs > 0) await emulator.pass(apartMs)
            const later =
              second === 'labeled'
                ? pulled(emulator, 'labeled')
                : emulator.say('/docs explain (command)', { on: CODE, by: 'bob' })
            const other = emulator.given(later, { runId: 2, post, inputs })
            if (running === undefined) {
              const struck = startAction(other)
              strike(struck)
              await Promise.all([alive, struck.done])
            } else await Promise.all([running.done, runAction(other)])
            emulator.faults.source = () => undefined
            await emulator.pass(60 * MINUTE)
            for (const runId of [9_100_001, 9_100_002, 9_100_003]) {
              await emulator.collect({}, { runId })
              await emulator.pass(5 * MINUTE)
            }
            const where = `killed at request ${at}`
            const prompts = emulator.service.jobs().flatMap((job) => job.prompts)
            const isCommand = (prompt: string) => prompt.includes('(command)')
            expect(prompts.filter((prompt) => !isCommand(prompt)).length, where).toBeLessThanOrEqual(1)
            expect(prompts.filter(isCommand).length, where).toBeLessThanOrEqual(1)
            const words = emulator.bodies(CODE).join('\n')
            const saysDoubt = /not answered|not known whether/.test(words)
            expect(emulator.promptCounts().length <= 1 || saysDoubt, where).toBe(true)
            expect(words, where).not.toContain('is working')
            // Green only where the agent has delivered.
            const last = saidOf(emulator).at(-1) ?? ''
            if (last.startsWith('success')) expect(words, where).toContain('✅')
            if (seen <= at) break
          }
        })
