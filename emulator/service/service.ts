import { type EmulatedRequest, type EmulatedResponse, isRecord, json } from '../http.ts'
import { Limits } from '../limits.ts'
import type { Settings } from '../options.ts'
import { dispatch, type Params, type Route, route } from '../router.ts'
import type { Readers } from './analytics/readers.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { Jobs, type PullRequests } from './jobs.ts'
import { Previews } from './previews.ts'
import type { EmulatedJob, Turn } from './turn.ts'
import type { Site } from './visitors.ts'

const refuse = (status: number, error: string) => json(status, { error })

/** The emulated service: agent jobs (v2), analytics and previews (v1), with their limits. */
export class Service {
  /** The site behind the analytics; replace it to change its size or habits. */
  site: Site = { rows: 37 }
  /** What readers of the site wrote and looked for; replace it to change how much, or how it is paged. */
  readers: Readers = {}
  readonly previews: Previews
  readonly #jobs: Jobs
  readonly #limits: Limits
  readonly #settings: Settings
  readonly #routes: readonly Route[]

  constructor(settings: Settings, pullRequests: PullRequests) {
    this.#settings = settings
    this.#jobs = new Jobs(settings, pullRequests)
    this.#limits = new Limits(settings.now)
    this.previews = new Previews(settings, this.#limits)
    const analytics = {
      seed: settings.seed,
      now: settings.now,
      site: () => this.site,
      readers: () => this.readers,
    }
    this.#routes = [
      route(
        'POST',
        '/v2/agent/:project/job',
        this.#in((request, params) => this.#create(request, params('project'))),
      ),
      route(
        'GET',
        '/v2/agent/:project/job/:id',
        this.#in((_, params) => this.#read(params)),
      ),
      route(
        'POST',
        '/v2/agent/:project/job/:id/message',
        this.#in((request, params) => this.#message(request, params)),
      ),
      route(
        'POST',
        '/v1/project/preview/:project',
        this.#in((request, params) => this.previews.create(request, params('project'))),
      ),
      route('GET', '/v1/project/update-status/:id', (_, params) => this.previews.read(params('id'))),
      ...analyticsRoutes(analytics, (handler) =>
        this.#in((request, params) =>
          this.#limits.take('analytics')
            ? handler(request, params)
            : refuse(429, 'Rate limit exceeded: 100 requests per hour'),
        ),
      ),
    ]
  }

  /** Turns to come; each creation or message takes the first. Without any, a job completes after one read. */
  get script(): Turn[] {
    return this.#jobs.script
  }

  /** The turn that stands in when the script is empty. */
  set everyTurn(turn: Turn | ((prompt: string) => Turn)) {
    this.#jobs.everyTurn = turn
  }

  jobs(): readonly EmulatedJob[] {
    return this.#jobs.all()
  }

  job(id: string): EmulatedJob | undefined {
    return this.#jobs.get(id)
  }

  /** The job answers 404 from now on. */
  forget(id: string): void {
    this.#jobs.forget(id)
  }

  archive(id: string): void {
    this.#jobs.archive(id)
  }

  tick(): void {
    this.#jobs.tick()
  }

  respond(request: EmulatedRequest): EmulatedResponse {
    if (request.headers.authorization !== `Bearer ${this.#settings.apiKey}`)
      return refuse(401, 'Invalid API key')
    return dispatch(this.#routes, request) ?? refuse(404, 'Not found')
  }

  #in(handler: (request: EmulatedRequest, params: Params) => EmulatedResponse): Route['handler'] {
    const { projectId, otherProjects } = this.#settings
    const projects = [projectId, ...otherProjects]
    return (request, params) =>
      projects.includes(params('project')) ? handler(request, params) : refuse(404, 'Project not found')
  }

  #create(request: EmulatedRequest, project: string): EmulatedResponse {
    const prompt = promptOf(request.body)
    if (prompt === undefined) return refuse(400, 'prompt is required')
    if (!this.#limits.take('create')) return refuse(429, 'Rate limit exceeded: 100 jobs per hour')
    return json(201, this.#jobs.create(project, prompt))
  }

  #read(params: Params): EmulatedResponse {
    const job = this.#jobOf(params)
    return job ? json(200, this.#jobs.read(job)) : refuse(404, 'Job not found')
  }

  #message(request: EmulatedRequest, params: Params): EmulatedResponse {
    const prompt = promptOf(request.body)
    if (prompt === undefined) return refuse(400, 'prompt is required')
    const job = this.#jobOf(params)
    if (!job) return refuse(404, 'Job not found')
    if (job.status === 'archived') return refuse(400, 'Job is archived')
    if (!this.#limits.take('message')) return refuse(429, 'Rate limit exceeded: 100 messages per hour')
    return json(200, this.#jobs.message(job, prompt))
  }

  /** A project knows the jobs of no other. */
  #jobOf(params: Params): EmulatedJob | undefined {
    const job = this.#jobs.get(params('id'))
    return job?.project === params('project') ? job : undefined
  }
}

function promptOf(body: unknown): string | undefined {
  return isRecord(body) && typeof body.prompt === 'string' && body.prompt.length > 0 ? body.prompt : undefined
}
