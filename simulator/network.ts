import type { Emulator } from '../emulator/emulator.ts'
import { type Call, forever, type Life } from './life.ts'
import type { World } from './world.ts'

/** A host that belongs to neither the service nor GitHub. */
export const ELSEWHERE = 'https://elsewhere.example'

/** Where a redirect within the service's own origin leads. */
export const STRAY_PATH = '/stray'

/** Names a request, so that the emulator's log can be laid beside what the process has seen of it. */
export const CALL_HEADER = 'x-call'

/** Asks the emulator, and keeps on record what the process sees of it. */
export async function fetchFor(
  life: Life,
  { emulator, whoseTurn }: Pick<World, 'emulator' | 'whoseTurn'>,
  input: string,
  init: RequestInit,
): Promise<Response> {
  if (!life.step('request')) return await forever()
  // Of two requests at once, each meets its own.
  const meets = life.takeFault()
  await whoseTurn(`${life.name} ${init.method ?? 'GET'} ${input}`)
  if (life.dead) return await forever()
  const call = begun(emulator, life, input, init, meets)
  const sent = await send(emulator, life, call, input, init).catch((error: unknown) => ({ error }))
  if (!life.step('answer')) return await forever()
  if ('error' in sent) throw sent.error
  return watched(life, sent, call)
}

async function send(
  emulator: Emulator,
  life: Life,
  call: Call,
  input: string,
  init: RequestInit,
): Promise<Response> {
  // The key goes to no other address, and a write that a read replaces has not happened.
  if (init.redirect !== 'manual' && (call.host !== 'github' || call.method !== 'GET'))
    throw new TypeError(`fetch would follow redirects of ${input}`)
  life.say(`→ ${call.method} ${call.path}`)
  const answered = (what: string | number) =>
    life.say(`← ${what} ${call.method} ${call.path}${call.fault === undefined ? '' : ` [${call.fault}]`}`)
  try {
    const headers = { ...call.headers, [CALL_HEADER]: call.id }
    const response = await emulator.fetch(input, { ...init, headers })
    call.status = response.status
    call.retryAfter = response.headers.get('retry-after') ?? undefined
    answered(response.status)
    return response
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
    answered((cause as NodeJS.ErrnoException | undefined)?.code ?? message)
    throw error
  }
}

/** More than any run has a reason for; such a run never ends. */
const MOST_CALLS = 10_000

/** To which GitHub leads for the log of a job: a host that gets no secret. */
const LOGS_PATH = '/logs/'

/** Puts a request that the process is about to send on record. */
function begun(
  { githubUrl, settings }: Emulator,
  life: Life,
  input: string,
  init: RequestInit,
  meets: Call['meets'],
): Call {
  const url = new URL(input)
  const isElsewhere = url.origin === ELSEWHERE || url.hostname === 'localhost'
  const elsewhere = url.pathname.startsWith(LOGS_PATH) ? 'storage' : 'elsewhere'
  const host = isElsewhere ? elsewhere : input.startsWith(githubUrl) ? 'github' : 'service'
  const prefix = host === 'github' ? new URL(githubUrl).pathname.length : 0
  const call: Call = {
    id: `${life.name}#${life.calls.length + 1}`,
    host,
    method: init.method ?? 'GET',
    path: url.pathname.slice(prefix) + url.search,
    body: typeof init.body === 'string' ? init.body : '',
    headers: Object.fromEntries(new Headers(init.headers)),
    at: settings.now(),
    meets,
  }
  life.calls.push(call)
  if (life.calls.length > MOST_CALLS) life.kill('it asked without end')
  return call
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
      if (!life.step('other')) return await forever()
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
