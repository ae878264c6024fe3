import type { Emulator } from '../emulator/emulator.ts'
import type { Life } from './life.ts'

/** A host that belongs to neither the service nor GitHub. */
export const ELSEWHERE = 'https://elsewhere.example'

/** Where a redirect within the service's own origin leads. */
export const STRAY_PATH = '/stray'

/** Names a request, so that the emulator's log can be laid beside what the process has seen of it. */
export const CALL_HEADER = 'x-call'

/** One request as a process has sent it, and what it has got back. */
export interface Call {
  readonly id: string
  readonly host: 'service' | 'github' | 'elsewhere'
  readonly method: string
  /** Without origin and prefix. */
  readonly path: string
  readonly body: string
  /** As they left, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** On the true clock. */
  readonly at: number
  /** The host that redirected here. */
  readonly from?: Call['host']
  /** Tries of one and the same thing share it. */
  readonly operation: unknown
  fault?: string
  /** The answer's status, once its head has come. */
  status?: number
  retryAfter?: string | undefined
  /** The whole body, once the living process has it. */
  text?: string
  /** What the connection failed with. */
  failed?: string
}

const MOST_REDIRECTS = 20

/**
 * `fetch` as Node has it, in front of the emulator: it follows redirects where the caller wants that, and leaves the
 * authorization behind where they lead to another host.
 */
export async function send(
  emulator: Emulator,
  life: Life,
  input: string,
  init: RequestInit,
  redirects = MOST_REDIRECTS,
  from?: Call['host'],
): Promise<{ response: Response; call: Call }> {
  const call = life.call(emulator, input, init, from)
  life.say(`→ ${call.method} ${call.path}`)
  try {
    const headers = { ...call.headers, [CALL_HEADER]: call.id }
    const response = await emulator.fetch(input, { ...init, headers, redirect: 'manual' })
    call.status = response.status
    life.say(`← ${response.status} ${call.method} ${call.path}${struck(call)}`)
    call.retryAfter = response.headers.get('retry-after') ?? undefined
    const location = response.headers.get('location')
    const follows = init.redirect !== 'manual' && response.status >= 300 && response.status < 400
    if (!follows || location === null) return { response, call }
    if (redirects === 0) throw new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })
    const next = new URL(location, input)
    const { authorization: _, ...others } = call.headers
    const same = next.origin === new URL(input).origin
    const left = same ? call.headers : others
    return await send(emulator, life, next.href, { ...init, headers: left }, redirects - 1, call.host)
  } catch (error) {
    if (call.status === undefined) {
      call.failed = failureOf(error)
      life.say(`← ${call.failed} ${call.method} ${call.path}${struck(call)}`)
    }
    throw error
  }
}

const struck = ({ fault }: Call): string => (fault === undefined ? '' : ` [${fault}]`)

function failureOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined }
  const { code } = (cause ?? {}) as NodeJS.ErrnoException
  return code ?? (error instanceof Error ? error.message : String(error))
}
