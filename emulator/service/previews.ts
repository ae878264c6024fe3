import { type EmulatedRequest, type EmulatedResponse, isRecord, json } from '../http.ts'
import type { Limits } from '../limits.ts'
import type { Settings } from '../options.ts'
import { hex } from '../random.ts'

/** How the deployment of a preview goes. Every field has a default. */
export interface Deployment {
  /** Reads that find it unfinished: the first one `queued`, the others `in_progress`; default 2. */
  readonly reads?: number
  /** Instead of `reads`: milliseconds on the emulator's clock until it ends, the first quarter of them queued. */
  readonly durationMs?: number
  /** Default `success`. */
  readonly ending?: 'success' | 'failure' | 'never'
  readonly logs?: readonly string[]
  readonly summary?: string
  /** By default an address that stays the same for a branch. */
  readonly previewUrl?: string
  /** Put over the fields of every status of this deployment; `undefined` takes a field away. */
  readonly fields?: Readonly<Record<string, unknown>>
}

interface Running {
  readonly deployment: Deployment
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  reads: number
}

const PER_MINUTE = { most: 5, perMs: 60_000 }

const LOGS = {
  success: ['Cloning the repository', 'Building 37 pages', 'Deployed'],
  failure: [
    'Cloning the repository',
    'Building 37 pages',
    '\u001b[31mError\u001b[39m: docs/retries.mdx:12:3: unexpected closing tag </Note>',
    '::error::docs/retries.mdx could not be parsed',
    '```<b>Build failed</b>',
  ],
  never: ['Cloning the repository'],
} as const

/** Previews of branches, and how their deployments stand. */
export class Previews {
  /** Deployments to come; each request for one takes the first. */
  readonly script: Deployment[] = []
  /** What a deployment is like when the script is empty. */
  everyDeployment: Deployment = {}
  /** `false`: the plan has no previews, and requests answer 403. */
  isInPlan = true
  readonly #settings: Settings
  readonly #limits: Limits
  readonly #running = new Map<string, Running>()

  constructor(settings: Settings, limits: Limits) {
    this.#settings = settings
    this.#limits = limits
  }

  create({ body }: EmulatedRequest, project: string): EmulatedResponse {
    const branch = isRecord(body) ? body.branch : undefined
    if (typeof branch !== 'string' || branch === '') return json(400, { error: 'branch is required' })
    if (!this.isInPlan) return json(403, { error: 'Preview deployments are not available on your plan' })
    if (!this.#limits.take('preview', PER_MINUTE))
      return json(429, { error: 'Rate limit exceeded: 5 requests per minute' })
    const deployment = this.script.shift() ?? this.everyDeployment
    const { seed, now } = this.#settings
    const id = hex(24, seed, 'deployment', this.#running.size)
    const slug = branch.replace(/[^a-z0-9]+/gi, '-').toLowerCase()
    const previewUrl = deployment.previewUrl ?? `https://${project}-${slug}.preview.example.com`
    this.#running.set(id, { deployment, startedAt: now(), reads: 0 })
    return json(202, { statusId: id, previewUrl })
  }

  read(id: string): EmulatedResponse {
    const running = this.#running.get(id)
    if (!running) return json(404, { error: 'Status not found' })
    const { deployment } = running
    const status = this.#statusOf(running)
    const { ending = 'success' } = deployment
    const isOver = status === 'success' || status === 'failure'
    const logs = deployment.logs ?? LOGS[ending]
    return json(200, {
      _id: id,
      status,
      summary: deployment.summary ?? (isOver ? `Build ended: ${status}` : 'Build is running'),
      logs: isOver ? logs : logs.slice(0, status === 'queued' ? 0 : 1),
      ...deployment.fields,
    })
  }

  #statusOf(running: Running): 'queued' | 'in_progress' | 'success' | 'failure' {
    const { reads = 2, durationMs, ending = 'success' } = running.deployment
    running.reads += 1
    const passed = this.#settings.now() - running.startedAt
    const isQueued = durationMs === undefined ? running.reads === 1 : passed < durationMs / 4
    const isOver = durationMs === undefined ? running.reads > reads : passed >= durationMs
    if (isOver && ending !== 'never') return ending
    return isQueued ? 'queued' : 'in_progress'
  }
}
