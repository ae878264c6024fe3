import { readFileSync } from 'node:fs'
import { Agent, fetch } from 'undici'

export interface Access {
  /** Origin of the instance. */
  readonly url: string
  /** Path of its certificate, in PEM. */
  readonly certificate: string
}

export class ForgeError extends Error {
  readonly status: number

  constructor(request: string, status: number, text: string) {
    super(`${request} answered ${status}: ${text}`)
    this.status = status
  }
}

/** Requests to the instance's API, as one of its users. */
export class ForgeApi {
  readonly #access: Access
  readonly #authorization: string
  readonly #dispatcher: Agent

  /** @param authorization value of the header, such as `token …` */
  constructor(access: Access, authorization: string) {
    this.#access = access
    this.#authorization = authorization
    this.#dispatcher = new Agent({ connect: { ca: readFileSync(access.certificate) } })
  }

  readonly get = <T = unknown>(path: string) => this.#request<T>('GET', path)
  readonly post = <T = unknown>(path: string, body: unknown = {}) => this.#request<T>('POST', path, body)
  readonly put = <T = unknown>(path: string, body: unknown = {}) => this.#request<T>('PUT', path, body)
  readonly patch = <T = unknown>(path: string, body: unknown) => this.#request<T>('PATCH', path, body)

  /** @returns the answer's JSON, or its text where it is none */
  async #request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#access.url}/api/v1${path}`, {
      method,
      headers: { authorization: this.#authorization, 'content-type': 'application/json' },
      dispatcher: this.#dispatcher,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new ForgeError(`${method} ${path}`, response.status, text)
    return (response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text) as T
  }
}
