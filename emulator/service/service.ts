import { type EmulatedRequest, type EmulatedResponse, isRecord, json } from '../http.ts'
import { Limits } from '../limits.ts'
import type { Settings } from '../options.ts'
import { dispatch, type Handler, type Params, type Route, route } from '../router.ts'
import type { Readers } from './analytics/readers.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { Jobs } from './jobs.ts'
import type { EmulatedJob, PullRequests } from './turn.ts'
import type { Site } from './visitors.ts'

const refuse = (status: number, error: string) => json(status, { error })

/** The emulated service: agent jobs (v2), analytics (v1), with their limits. */
export class Service extends Jobs {
  /** The one that opens it; replace it as people replace one that expires. */
  apiKey: string
  /** The site behind the analytics; replace it to change its size or habits. */
  site: Site = { rows: 37 }
  /** What readers of the site wrote and looked for; replace it to change how much, or how it is paged. */
  readers: Readers = {}
  readonly #limits: Limits
  readonly #settings: Settings
  readonly #routes: readonly Route[]

  constructor(settings: Settings, pullRequests: PullRequests) {
    super(settings, pullRequests)
    this.#settings = settings
    this.apiKey = settings.apiKey
    this.#limits = new Limits(settings.now)
    const analytics = {
      seed: settings.seed,
      now: settings.now,
      site: () => this.site,
      readers: () => this.readers,
    }
    this.#routes = [
      route('POST', '/v2/agent/:project/job', this.#in(this.#create)),
      route('GET', '/v2/agent/:project/job/:id', this.#in(this.#read)),
      route('POST', '/v2/agent/:project/job/:id/message', this.#in(this.#message)),
      ...analyticsRoutes(analytics, (handler) =>
        this.#in((request, params) =>
          this.#limits.take('analytics')
            ? handler(request, params)
            : refuse(429, 'Rate limit exceeded: 100 requests per hour'),
        ),
      ),
    ]
  }

  respond(request: EmulatedRequest): EmulatedResponse {
    if (request.headers.authorization !== `Bearer ${this.apiKey}`) return refuse(401, 'Invalid API key')
    return dispatch(this.#routes, request) ?? refuse(404, 'Not found')
  }

  #in(handler: Handler): Handler {
    const { projectId, otherProjects } = this.#settings
    const projects = [projectId, ...otherProjects]
    return (request, params) =>
      projects.includes(params('project')) ? handler(request, params) : refuse(404, 'Project not found')
  }

  #create: Handler = (request, params) => {
    const prompt = promptOf(request.body)
    if (prompt === undefined) return refuse(400, 'prompt is required')
    if (!this.#limits.take('create')) return refuse(429, 'Rate limit exceeded: 100 jobs per hour')
    return json(201, this.create(params('project'), prompt))
  }

  #read: Handler = (_, params) => {
    const job = this.#jobOf(params)
    return job && !this.isMissed(job) ? json(200, this.read(job)) : refuse(404, 'Job not found')
  }

  #message: Handler = (request, params) => {
    const prompt = promptOf(request.body)
    if (prompt === undefined) return refuse(400, 'prompt is required')
    const job = this.#jobOf(params)
    if (!job) return refuse(404, 'Job not found')
    if (job.status === 'archived') return refuse(400, 'Job is archived')
    if (!this.#limits.take('message')) return refuse(429, 'Rate limit exceeded: 100 messages per hour')
    return json(200, this.message(job, prompt))
  }

  /** A project knows the jobs of no other. */
  #jobOf(params: Params): EmulatedJob | undefined {
    const job = this.job(params('id'))
    return job?.project === params('project') ? job : undefined
  }
}

function promptOf(body: unknown): string | undefined {
  return isRecord(body) && typeof body.prompt === 'string' && body.prompt.length > 0 ? body.prompt : undefined
}
