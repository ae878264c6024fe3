import type { Core, Deps, MaskedDeps } from '../base/deps.ts'
import { asId, asObject, parseJson } from '../base/json.ts'
import { pullRequestOf } from '../base/link.ts'
import { maskSecrets } from '../base/redact.ts'
import type { Inputs } from '../inputs/inputs.ts'
import { isFollowed } from '../record/check-results.ts'
import { type Job, namedLink } from '../record/job.ts'
import { appearanceOf, type Ending, type JobAction } from '../record/outcome.ts'
import { isRequestRecord, parseRecord, type RequestRecord } from '../record/record.ts'
import { EMPTY_REPORT, type Report } from '../record/report.ts'
import type { RunView } from '../thread/run.ts'
import { runSummary } from '../words/comments.ts'
import { describe, plainSentence } from '../words/describe.ts'
import { WARNINGS } from '../words/notes.ts'
import type { MessageOptions } from '../words/phrases.ts'

/** The outputs of the root action, in the order of action.yml. `result` holds all others as JSON. */
export const OUTPUTS = [
  'outcome',
  'reason',
  'job-id',
  'status',
  'pr-link',
  'pr-number',
  'model',
  'repository',
  'ref',
  'created-at',
  'archived-at',
  'job-action',
  'duration-seconds',
  'comment-url',
  'issue-number',
  'checks',
  'fixes',
] as const
type OutputName = (typeof OUTPUTS)[number]
type UsedInputs = Pick<Inputs, 'command' | 'timeoutMs' | 'minPermission' | 'onTimeout'>
type Values = Partial<Record<OutputName, string>>

/** What a step of the root action leaves outside the thread: outputs, log, annotation, summary, and its state. */
export class StepOutputs implements RunView {
  readonly deps: MaskedDeps
  /** In ms on the monotonic clock. */
  readonly startedAt: number
  /** The defaults, until the inputs are read. */
  inputs: UsedInputs = { command: '/docs', timeoutMs: 0, minPermission: 'write', onTimeout: 'fail' }
  #hasSaid = false
  /** The job of the last `showJob`. */
  #job: Job | undefined
  #jobAction: JobAction = 'none'
  readonly #outputs: Values = {}
  #summary = ''
  /** The pull request that the log names. */
  #link = ''

  constructor(given: Deps) {
    this.deps = maskSecrets(given)
    this.startedAt = given.monotonic()
  }

  /** Each output is written as soon as it is known, so that it outlives a kill, and only when it changed. */
  #write(values: Values): void {
    for (const [name, value] of Object.entries(values) as [OutputName, string][]) {
      if (this.#outputs[name] === value) continue
      this.#outputs[name] = value
      this.deps.core.setOutput(name, value)
    }
  }

  showThread(number: number | undefined): void {
    this.#write({ 'issue-number': String(number ?? '') })
  }

  showJob(job: Job, action: JobAction): void {
    this.#job = job
    this.#jobAction = action
    this.#write({ ...jobOutputs(job), 'job-action': action })
  }

  /** Keeps what the post step needs if this one is killed. */
  saveForPostStep(record: RequestRecord, thread: number | undefined): void {
    this.deps.core.saveState(STATE_NAME, JSON.stringify({ ...record, thread }))
  }

  /** Leaves nothing to the post step. */
  clearPostState(): void {
    this.deps.core.saveState(STATE_NAME, '')
  }

  /** Writes the log once, and replaces outputs and summary each time. */
  async show(reported: Report, messages: MessageOptions, commentUrl: string): Promise<void> {
    const { deps, startedAt } = this
    // The output is the time of this step: the request can take days.
    const report = { ...reported, durationMs: deps.monotonic() - startedAt }
    this.#writeOutputs(report, commentUrl)
    this.#showLink(report)
    // A summary stays when the run is killed, and must not say then that checks run.
    const isOver = report.checks === undefined || !isFollowed(report.checks)
    if (isOver && !this.#hasSaid) this.#say(report, messages)
    this.#summary = runSummary(isOver ? report : { ...report, checks: undefined }, messages)
    await deps.core.setSummary(this.#summary)
  }

  /** @param warning in Markdown, '' for none */
  async addWarning(warning: string): Promise<void> {
    if (warning === '') return
    await this.deps.core.setSummary(`${this.#summary}\n> [!WARNING]\n> ${warning}\n`)
  }

  #writeOutputs(report: Report, commentUrl: string): void {
    const written = this.#outputs
    this.#write({
      outcome: report.outcome,
      reason: report.reason,
      'job-action': report.jobAction,
      'duration-seconds': String(Math.floor(report.durationMs / 1000)),
      'comment-url': commentUrl,
      'issue-number': written['issue-number'] ?? '',
      checks: report.checks?.status ?? '',
      fixes: String(report.checks?.fixes ?? ''),
      ...jobOutputs(report.job),
    } satisfies Record<OutputName, string>)
    const all = OUTPUTS.map((name) => [name, written[name] ?? ''])
    this.deps.core.setOutput('result', JSON.stringify(Object.fromEntries(all)))
  }

  #showLink({ job }: Report): void {
    const link = namedLink(job)
    if (link !== '' && link !== this.#link) this.deps.core.info(`Pull request: ${link}`)
    this.#link = link
  }

  #say(report: Report, messages: MessageOptions): void {
    const { core } = this.deps
    const { outcome, reason } = report
    this.#hasSaid = true
    const sentence = plainSentence(describe(report, messages))
    const { level } = appearanceOf(outcome, reason, this.inputs.onTimeout)
    if (level === 'error') core.setFailed(sentence)
    else core[level](sentence)
    if (report.job?.unusableLink === true) core.warning(WARNINGS.unusableLink)
  }

  /** The ending of a run that serves no request, or that a defect of the action cut short. */
  async showEnding(ending: Ending): Promise<void> {
    // The summary keeps what the run has said of the request.
    if (this.#hasSaid) return this.deps.core.error(ending.message)
    const { command, timeoutMs, minPermission } = this.inputs
    const report = { ...EMPTY_REPORT, ...ending, job: this.#job, jobAction: this.#jobAction }
    const replies = { thread: undefined, onPullRequest: false }
    const messages = { command, timeoutMs, minPermission, runUrl: '', replies }
    await this.show(report, messages, this.#outputs['comment-url'] ?? '')
  }
}

const jobOutputs = (job: Job | undefined) => ({
  'job-id': job?.id ?? '',
  status: job?.status ?? '',
  'pr-link': namedLink(job),
  // The link may be of any server with the paths of GitHub.
  'pr-number': String(pullRequestOf(namedLink(job), namedLink(job))?.number ?? ''),
  model: job?.model ?? '',
  repository: job?.repository ?? '',
  ref: job?.ref ?? '',
  'created-at': job?.createdAt ?? '',
  'archived-at': job?.archivedAt ?? '',
})

/** The runner hands it to the post step as `STATE_request`. */
const STATE_NAME = 'request'

/** What the main step leaves for the post step, which cannot look up the thread of a push again. */
export interface SavedState {
  readonly record: RequestRecord
  /** Undefined for a run without a thread, or with one that refuses comments. */
  readonly thread: number | undefined
}

export function readSavedState({ getState }: Pick<Core, 'getState'>): SavedState | undefined {
  const json = getState(STATE_NAME)
  const record = parseRecord(json)
  if (record === undefined || !isRequestRecord(record)) return undefined
  return { record, thread: asId(asObject(parseJson(json)).thread) }
}
