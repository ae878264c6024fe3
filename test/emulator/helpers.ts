import { onTestFinished } from 'vitest'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'

export const APP = '/repos/octo/app'

/** An emulator on a free port that ends with the test. */
export async function emulate(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options)
  onTestFinished(() => emulator.close())
  return emulator
}

/** Of a list of issues or pull requests. */
export const numbers = (body: unknown) => (body as { number: number }[]).map(({ number }) => number)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // Tests look into answers of any shape; what they find is asserted on, never used.
  readonly body: Record<string, unknown>
}

type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

export function clients(emulator: Emulator): { service: Call; github: Call } {
  const call =
    (base: string, secret: string): Call =>
    async (method, path, body, more = {}) => {
      const response = await emulator.fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...more },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'manual',
      })
      const text = await response.text()
      const { status, headers } = response
      const isJson = headers.get('content-type')?.includes('json') === true
      return { status, headers, body: isJson ? JSON.parse(text) : {} }
    }
  const { apiKey, token } = emulator.settings
  return { service: call(emulator.serviceUrl, apiKey), github: call(emulator.githubUrl, token) }
}
