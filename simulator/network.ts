import type { Emulator } from '../emulator/emulator.ts'
import type { Call, Life } from './life.ts'

/** A host that belongs to neither the service nor GitHub. */
export const ELSEWHERE = 'https://elsewhere.example'

/** Where a redirect within the service's own origin leads. */
export const STRAY_PATH = '/stray'

/** Names a request, so that the emulator's log can be laid beside what the process has seen of it. */
export const CALL_HEADER = 'x-call'

/** Asks the emulator, and keeps on record what the process sees of it. */
export async function send(
  emulator: Emulator,
  life: Life,
  input: string,
  init: RequestInit,
): Promise<{ response: Response; call: Call }> {
  const call = begun(emulator, life, input, init)
  // The key goes to no other address, and a write that a read replaces has not happened.
  if (init.redirect !== 'manual' && (call.host !== 'github' || call.method !== 'GET'))
    throw new TypeError(`fetch would follow redirects of ${input}`)
  life.say(`→ ${call.method} ${call.path}`)
  try {
    const headers = { ...call.headers, [CALL_HEADER]: call.id }
    const response = await emulator.fetch(input, { ...init, headers })
    call.status = response.status
    call.retryAfter = response.headers.get('retry-after') ?? undefined
    life.say(`← ${response.status} ${call.method} ${call.path}${struck(call)}`)
    return { response, call }
  } catch (error) {
    call.failed = failureOf(error)
    life.say(`← ${call.failed} ${call.method} ${call.path}${struck(call)}`)
    throw error
  }
}

const struck = ({ fault }: Call): string => (fault === undefined ? '' : ` [${fault}]`)

function failureOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined }
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return code ?? (error instanceof Error ? error.message : String(error))
}

/** More than any run has a reason for; such a run never ends. */
const MOST_CALLS = 10_000

/** Puts a request that the process is about to send on record. */
function begun({ githubUrl, settings }: Emulator, life: Life, input: string, init: RequestInit): Call {
  const url = new URL(input)
  const host = url.origin === ELSEWHERE ? 'elsewhere' : input.startsWith(githubUrl) ? 'github' : 'service'
  const prefix = host === 'github' ? new URL(githubUrl).pathname.length : 0
  const call: Call = {
    id: `${life.name}#${life.calls.length + 1}`,
    host,
    method: init.method ?? 'GET',
    path: url.pathname.slice(prefix) + url.search,
    body: typeof init.body === 'string' ? init.body : '',
    headers: Object.fromEntries(new Headers(init.headers)),
    at: settings.now(),
  }
  life.calls.push(call)
  if (life.calls.length > MOST_CALLS) life.kill('it asked without end')
  return call
}
