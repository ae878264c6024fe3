import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type ForgeApi, ForgeError } from '../../../scripts/forge/api.ts'
import { HANGS_AFTER_MS } from '../../helpers/hangs.ts'

interface RunAnswer {
  readonly id: number
  readonly event: string
  readonly status: string
  readonly conclusion?: string
}

/** A run that has started, and what made it start. */
export interface Started<T> {
  readonly id: number
  readonly cause: T
}

/** A run that is over. */
export interface Run {
  readonly id: number
  /** `success`, `failure`, `cancelled` or `skipped`. */
  readonly conclusion: string
  readonly log: string
  /** Of each step of the action, in order. */
  readonly outputs: readonly Readonly<Record<string, string>>[]
}

const EVERY_MS = 250

/** The runs of one repository's workflows. */
export class Runs {
  readonly #api: ForgeApi
  readonly #path: string

  /** @param repository `owner/name` */
  constructor(api: ForgeApi, repository: string) {
    this.#api = api
    this.#path = `/repos/${repository}/actions`
  }

  /** The run that something makes start. */
  async startedBy<T>(act: () => Promise<T>, event = 'issue_comment'): Promise<Started<T>> {
    const before = new Set((await this.#list()).map(({ id }) => id))
    const cause = await act()
    const id = await this.#until(async () => {
      const fresh = (await this.#list()).filter((run) => !before.has(run.id) && run.event === event)
      return fresh.at(0)?.id
    }, `a run on ${event}`)
    return { id, cause }
  }

  /** What a run does while it goes on; one that ends before is shown with its log. */
  async meanwhile<T>(
    id: number,
    look: () => Promise<T | false | undefined> | T | false | undefined,
  ): Promise<T> {
    return await this.#until(async () => {
      const { status } = await this.#get(id)
      const found = await look()
      if (found !== undefined && found !== false) return found
      if (status === 'completed') throw new Error(`The run ended before:\n${(await this.#logOf(id)).log}`)
      return undefined
    }, `what run ${id} was to do`)
  }

  async ended(id: number): Promise<Run> {
    const run = await this.#until(async () => {
      const answer = await this.#get(id)
      return answer.status === 'completed' ? answer : undefined
    }, `the end of run ${id}`)
    return { id, conclusion: run.conclusion ?? '', ...(await this.#logOf(id)) }
  }

  /** Starts it again, and waits for the end of the new attempt. */
  async again(id: number): Promise<Run> {
    await this.#api.post(`${this.#path}/runs/${id}/rerun`)
    return this.ended(id)
  }

  #list = async (): Promise<readonly RunAnswer[]> =>
    (await this.#api.get<{ workflow_runs: RunAnswer[] }>(`${this.#path}/runs?limit=50`)).workflow_runs

  #get = (id: number) => this.#api.get<RunAnswer>(`${this.#path}/runs/${id}`)

  async #logOf(id: number): Promise<Pick<Run, 'log' | 'outputs'>> {
    const { jobs } = await this.#api.get<{ jobs: { id: number; conclusion?: string }[] }>(
      `${this.#path}/runs/${id}/jobs`,
    )
    const ran = jobs.filter(({ conclusion }) => conclusion !== 'skipped')
    const texts = await Promise.all(
      ran.map((job) => this.#api.get<string>(`${this.#path}/jobs/${job.id}/logs`).catch(notStarted)),
    )
    const log = texts.join('\n').replace(/^\S+Z /gm, '')
    expect(log, 'the log holds no key').not.toContain('test-key')
    const outputs = [...log.matchAll(/^outputs: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json))
    return { log, outputs }
  }

  async #until<T>(look: () => Promise<T | undefined>, what: string): Promise<T> {
    for (const deadline = Date.now() + HANGS_AFTER_MS; Date.now() < deadline; await pause(EVERY_MS)) {
      const found = await look()
      if (found !== undefined) return found
    }
    throw new Error(`There was not ${what} within ${HANGS_AFTER_MS / 1000} s`)
  }
}

/** A job that was cancelled while it waited has no log. */
function notStarted(error: unknown): string {
  if (error instanceof ForgeError && error.status === 404) return ''
  throw error
}
