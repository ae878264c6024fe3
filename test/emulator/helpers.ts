import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { asArray, asObject, parseJson } from '../../src/base/json.ts'

/** A request with the emulator's own credentials. Paths that begin with a version are the service's. */
export async function ask(emulator: Emulator, request: string, body?: unknown, more = {}) {
  const [method = '', path = ''] = request.split(' ')
  const { apiKey, token } = emulator.settings
  const isService = /^\/v\d/.test(path)
  const response = await emulator.fetch((isService ? emulator.serviceUrl : emulator.githubUrl) + path, {
    method,
    headers: { authorization: `Bearer ${isService ? apiKey : token}`, ...more },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
  })
  const { status, headers } = response
  const answer = parseJson(await response.text())
  return { status, headers, body: asObject(answer), list: asArray(answer).map(asObject) }
}

/** On a clock that stands still until it is set. */
export function emulate(options: EmulatorOptions = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const emulator = createEmulator({ now: () => clock.now, ...options })
  const app = (request: string, body?: unknown, more = {}) =>
    ask(emulator, request.replace(' ', ' /repos/octo/app'), body, more)
  /** A field of each entry of a list. */
  const listed = async (path: string, field = 'number') =>
    (await app(`GET ${path}`)).list.map((entry) => entry[field])
  return { clock, emulator, github: emulator.github, app, listed }
}
