import type { Settings } from '../options.ts'
import { hex } from '../random.ts'
import {
  type EmulatedJob,
  isTerminal,
  type JobAnswer,
  linkAfter,
  type PullRequests,
  type RunningTurn,
  type Turn,
} from './turn.ts'

/** No answer is older than this. */
const STALE_MS = 60_000

/** Between two turns, where the message of the second came while the first went on. */
const PAUSE_MS = 5000

/**
 * The jobs of the service and how they live: one scripted turn for each creation and each message. That of a message to a
 * job that works begins once the one before has ended.
 */
export class Jobs {
  /** Turns to come; each creation or message takes the first. Without any, a job completes after one read. */
  readonly script: Turn[] = []
  /** What a turn is like when the script is empty, for all prompts alike or by the prompt. */
  everyTurn: Turn | ((prompt: string) => Turn) = {}
  readonly #jobs = new Map<string, EmulatedJob>()
  readonly #turns = new Map<string, RunningTurn>()
  /** Turns that wait for the end of others, by job. */
  readonly #queues = new Map<string, Turn[]>()
  /** Jobs so far, forgotten ones included: no id comes twice. */
  #created = 0
  readonly #settings: Settings
  readonly #pullRequests: PullRequests

  constructor(settings: Settings, pullRequests: PullRequests) {
    this.#settings = settings
    this.#pullRequests = pullRequests
  }

  jobs(): readonly EmulatedJob[] {
    return [...this.#jobs.values()]
  }

  job(id: string): EmulatedJob | undefined {
    return this.#jobs.get(id)
  }

  /** Its turns that go on or wait, in order. */
  openTurns(id: string): readonly Turn[] {
    const running = this.#turns.get(id)
    const over = running?.turn.durationMs ?? Number.POSITIVE_INFINITY
    const isOpen = running?.endedAt === undefined && this.#settings.now() < (running?.startedAt ?? 0) + over
    return [...(running && isOpen ? [running.turn] : []), ...(this.#queues.get(id) ?? [])]
  }

  /** The job answers 404 from now on. */
  forget(id: string): void {
    this.#jobs.delete(id)
    this.#turns.delete(id)
    this.#queues.delete(id)
  }

  archive(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#turns.delete(id)
    this.#become(job, 'archived')
  }

  create(project: string, prompt: string): JobAnswer {
    const id = `j_${hex(16, this.#settings.seed, 'job', this.#created)}`
    this.#created += 1
    const job = {
      id,
      project,
      branch: `docs-agent/${id}`,
      prompts: [prompt],
      createdAt: this.#time(),
      status: 'active',
      prLink: null,
      pullRequest: null,
      lateCommits: [],
      archivedAt: null,
    }
    this.#jobs.set(id, job)
    return this.#begin(job, undefined, this.#nextTurn(prompt))
  }

  message(job: EmulatedJob, prompt: string): JobAnswer {
    const before = this.#answer(job)
    job.prompts.push(prompt)
    const turn = this.#nextTurn(prompt)
    const running = this.#turns.get(job.id)
    const queue = this.#queues.get(job.id) ?? []
    if (running === undefined || (running.endedAt !== undefined && queue.length === 0)) {
      return this.#begin(job, before, turn)
    }
    this.#queues.set(job.id, [...queue, turn])
    return { ...before, status: turn.answerStatus ?? before.status, ...turn.fields }
  }

  #nextTurn(prompt: string): Turn {
    const { everyTurn } = this
    return this.script.shift() ?? (typeof everyTurn === 'function' ? everyTurn(prompt) : everyTurn)
  }

  /** Whether a read of the job finds nothing, as its turn says. To be asked once for each read. */
  isMissed(job: EmulatedJob): boolean {
    const running = this.#turns.get(job.id)
    const { notFound } = running?.turn ?? {}
    if (!running || !notFound) return false
    const { afterReads = 0, afterMs = 0, ms = Number.POSITIVE_INFINITY } = notFound
    const { reads = notFound.ms === undefined ? 1 : Number.POSITIVE_INFINITY } = notFound
    const passed = this.#settings.now() - running.startedAt - afterMs
    if (passed < 0 || passed >= ms) return false
    running.looks += 1
    return running.looks > afterReads && running.looks <= afterReads + reads
  }

  /** The reads of one that is missed do not count for its turn. */
  read(job: EmulatedJob): JobAnswer {
    const running = this.#turns.get(job.id)
    if (running?.before && running.staleLeft > 0 && this.#settings.now() < running.startedAt + STALE_MS) {
      running.staleLeft -= 1
      return running.before
    }
    if (running?.endedAt === undefined && running && this.#isOver(running)) this.#end(job, running)
    return this.#answer(job)
  }

  /** Opens pull requests, ends turns and adds commits whose time has come, whether or not anybody reads them. */
  tick(): void {
    const now = this.#settings.now()
    for (const job of this.#jobs.values()) this.#goOn(job)
    for (const job of this.#jobs.values()) {
      const due = job.lateCommits.filter(({ at }) => at <= now)
      job.lateCommits = job.lateCommits.filter(({ at }) => at > now)
      for (const { change } of due) this.#pullRequests.push(job, change)
    }
  }

  /** Lets time do its work on a job: more than one turn may have begun and ended meanwhile. */
  #goOn(job: EmulatedJob): void {
    const now = this.#settings.now()
    for (let running = this.#turns.get(job.id); running; running = this.#takeFromQueue(job, running)) {
      if (running.endedAt !== undefined) continue
      const { opensAfterMs, durationMs } = running.turn
      if (opensAfterMs !== undefined && now >= running.startedAt + opensAfterMs) this.#open(job, running.turn)
      if (durationMs !== undefined && this.#isOver(running)) this.#end(job, running)
    }
  }

  /** @returns the turn that begins after one that ended, if its time has come */
  #takeFromQueue(job: EmulatedJob, { endedAt }: RunningTurn): RunningTurn | undefined {
    const [turn, ...later] = this.#queues.get(job.id) ?? []
    if (turn === undefined || endedAt === undefined) return undefined
    const startedAt = endedAt + (turn.pauseMs ?? PAUSE_MS)
    if (this.#settings.now() < startedAt) return undefined
    this.#queues.set(job.id, later)
    job.status = 'active'
    return this.#run(job, turn, undefined, startedAt)
  }

  #open(job: EmulatedJob, turn: Turn): string {
    job.pullRequest ??= this.#pullRequests.open(job, turn.change)
    return job.pullRequest
  }

  #run(job: EmulatedJob, turn: Turn, before: JobAnswer | undefined, startedAt: number): RunningTurn {
    const running: RunningTurn = {
      turn,
      startedAt,
      readsLeft: turn.reads ?? 1,
      staleLeft: before ? (turn.staleReads ?? 0) : 0,
      looks: 0,
      before,
      endedAt: undefined,
    }
    this.#turns.set(job.id, running)
    return running
  }

  #begin(job: EmulatedJob, before: JobAnswer | undefined, turn: Turn): JobAnswer {
    job.status = 'active'
    const running = this.#run(job, turn, before, this.#settings.now())
    if (turn.answerStatus === undefined) return this.#answer(job)
    if (isTerminal(turn.answerStatus) && running.staleLeft === 0) {
      running.turn = { ...turn, ending: turn.answerStatus }
      this.#end(job, running)
    }
    return { ...this.#answer(job), status: turn.answerStatus, ...turn.fields }
  }

  #isOver(running: RunningTurn): boolean {
    const { turn, startedAt } = running
    if (turn.ending === 'active-forever') return false
    if (turn.durationMs !== undefined) return this.#settings.now() >= startedAt + turn.durationMs
    running.readsLeft -= 1
    return running.readsLeft < 0
  }

  #end(job: EmulatedJob, running: RunningTurn): void {
    const { turn, startedAt } = running
    const endedAt = Math.min(this.#settings.now(), startedAt + (turn.durationMs ?? Number.POSITIVE_INFINITY))
    running.endedAt = endedAt
    const had = job.prLink
    job.prLink = linkAfter(turn, had, () => this.#open(job, turn))
    if (had !== null && had === job.prLink && turn.pr !== 'none') this.#pullRequests.push(job, turn.change)
    if (turn.lateCommitAfterMs !== undefined && job.pullRequest !== null) {
      const change = turn.pr === 'none' ? turn.change : undefined
      job.lateCommits = [...job.lateCommits, { at: endedAt + turn.lateCommitAfterMs, change }]
    }
    const ending = turn.ending ?? 'completed'
    this.#become(job, ending === 'active-forever' ? 'active' : ending)
  }

  #become(job: EmulatedJob, status: string): void {
    job.status = status
    if (status !== 'archived') return
    job.archivedAt = this.#time()
    this.#queues.delete(job.id)
  }

  #time(): string {
    return new Date(this.#settings.now()).toISOString()
  }

  #answer(job: EmulatedJob): JobAnswer {
    const { serverUrl, docsRepository } = this.#settings
    const ref = job.pullRequest === null ? 'main' : job.branch
    const running = this.#turns.get(job.id)
    const turn = running?.turn ?? {}
    return {
      id: job.id,
      status: job.status === 'active' ? (turn.activeStatus ?? 'active') : job.status,
      source: { repository: `${serverUrl}/${docsRepository}`, ref },
      model: 'sonnet',
      prLink: job.prLink,
      createdAt: job.createdAt,
      archivedAt: job.archivedAt,
      ...turn.fields,
    }
  }
}
