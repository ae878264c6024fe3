import type { Emulator } from '../emulator/emulator.ts'
import type { Deps } from '../src/runner/deps.ts'
import { type Runner, runnerOf } from '../src/runner/runner.ts'
import { Dice } from './dice.ts'
import type { Life } from './life.ts'
import { type Call, send } from './network.ts'
import { captured, printed } from './output.ts'
import type { Place } from './story.ts'

/** What the dead wait for. */
export const forever = <T>(): Promise<T> => new Promise(() => {})

/** All that the process takes from the world outside: each use of it is a place where it can be struck. */
export function depsOf(
  life: Life,
  { seed, emulator }: { readonly seed: number; readonly emulator: Emulator },
): Deps {
  const dice = new Dice(seed, life.name, 'random')
  const runner = runnerFor(life)
  return {
    runner,
    log: runner.log,
    fetch: (input, init) => fetchFor(life, emulator, String(input), init ?? {}),
    cancellation: life.canceller,
    now: () => life.now(),
    sleep: async (ms, signal) => {
      if (!life.step('sleep')) return await forever()
      await life.sleep(ms, signal)
    },
    random: () => (life.step('random') ? dice.unit() : 0.5),
  }
}

/** The real runner, for as long as the process lives. */
function runnerFor(life: Life): Runner {
  const real = runnerOf(life.env)
  /** What it writes to its standard output goes to the log of this process. */
  const print = (place: Place, act: () => void): void => {
    if (!life.step(place)) return
    for (const line of printed(captured(act))) {
      life.log.line(line)
      life.tell(`| ${line}`)
    }
  }
  const command = (name: string, data: string, act: () => void): void =>
    print('annotation', () => {
      life.meant.push({ name, data })
      act()
    })
  return {
    debugging: false,
    log: (line) => print('log', () => real.log(line)),
    mask: (secret) => command('add-mask', secret, () => real.mask(secret)),
    annotate: (level, message) => command(level, message, () => real.annotate(level, message)),
    output: (key, value) => void (life.step('output') && real.output(key, value)),
    saveState: (key, value) => void (life.step('state') && real.saveState(key, value)),
    summary: (markdown) => void (life.step('summary') && real.summary(markdown)),
  }
}

async function fetchFor(life: Life, emulator: Emulator, input: string, init: RequestInit): Promise<Response> {
  if (!life.step('request')) return await forever()
  const sent = await send(emulator, life, input, init).catch((error: unknown) => ({ error }))
  if (!life.step('answer')) return await forever()
  if ('error' in sent) throw sent.error
  return watched(life, sent.response, sent.call)
}

/** The answer with a body that stops coming when the process is gone. */
function watched(life: Life, response: Response, call: Call): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) {
    call.text = ''
    return response
  }
  const decoder = new TextDecoder()
  let text = ''
  const body = new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (!life.step('body')) return await forever()
      if (!done) {
        text += decoder.decode(value, { stream: true })
        return controller.enqueue(value)
      }
      call.text = text
      controller.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}
