import type { Emulator } from '../emulator/emulator.ts'
import type { Deps } from './action.ts'
import { recordingCore } from './core.ts'
import { Dice } from './dice.ts'
import { type Call, forever, type Life } from './life.ts'
import { send } from './network.ts'
import type { World } from './world.ts'

/** All that the process takes from the world outside: each use of it is a place where it can be struck. */
export function depsOf(life: Life, { story: { seed }, emulator }: World): Deps {
  const dice = new Dice(seed, life.name, 'random')
  return {
    core: recordingCore(life),
    fetch: (url, { direct: _, ...init }) => fetchFor(life, emulator, url, init),
    cancellation: life.canceller,
    now: () => life.now(),
    monotonic: () => life.monotonic(),
    sleep: async (ms, signal) => {
      if (!life.step('sleep')) return await forever()
      await life.sleep(ms, signal)
    },
    random: () => (life.step('random') ? dice.unit() : 0.5),
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
  const { status, headers, url } = response
  return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url })
}
