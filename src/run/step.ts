import type { Deps, MaskedDeps } from '../deps.ts'
import type { Inputs } from '../inputs/inputs.ts'
import { maskSecrets } from '../inputs/readers.ts'
import { describe, plainSentence } from '../messages/describe.ts'
import { WARNINGS } from '../messages/notes.ts'
import type { MessageContext, Report } from '../messages/report.ts'
import { runSummary } from '../messages/summary.ts'
import { appearanceOf, type Ending } from '../request/outcome.ts'
import { type Outputs, outputWriter } from './outputs.ts'

/** What a step of the root action shows outside the thread: outputs, log, annotation and summary. */
export class Step {
  readonly deps: MaskedDeps
  readonly outputs: Outputs
  /** In ms on the monotonic clock. */
  readonly startedAt: number
  /** Undefined until they are read. */
  inputs: Inputs | undefined
  /** The ending that the log says, once it does. */
  said: Ending | undefined
  #summary = ''
  /** The pull request that the log names. */
  #link = ''

  constructor(given: Deps) {
    this.deps = maskSecrets(given)
    this.startedAt = given.monotonic()
    this.outputs = outputWriter(this.deps.core)
  }

  /** The log says it once, outputs and summary are replaced. */
  async show(reported: Report, messages: MessageContext, commentUrl: string): Promise<void> {
    const { deps, outputs, startedAt } = this
    // That of the request can be days.
    const report = { ...reported, durationMs: deps.monotonic() - startedAt }
    outputs.end(report, commentUrl)
    this.#showLink(report)
    // A summary stays when the run is killed, and must not say then that checks run.
    const isOver = report.checks?.phase === undefined
    if (isOver && this.said === undefined) this.#say(report, messages)
    this.#summary = runSummary(isOver ? report : { ...report, checks: undefined }, messages)
    await deps.core.setSummary(this.#summary)
  }

  /** @param warning in Markdown, '' for none */
  async addWarning(warning: string): Promise<void> {
    if (warning === '') return
    await this.deps.core.setSummary(`${this.#summary}\n> [!WARNING]\n> ${warning}\n`)
  }

  #showLink({ job }: Report): void {
    const link = job?.prLink ?? ''
    if (link !== '' && link !== this.#link) this.deps.core.info(`Pull request: ${link}`)
    this.#link = link
  }

  #say(report: Report, messages: MessageContext): void {
    const { core } = this.deps
    const { outcome, reason, message } = report
    this.said = { outcome, reason, message }
    const sentence = plainSentence(describe(report, messages))
    const { level } = appearanceOf(outcome, reason, this.inputs?.onTimeout)
    if (level === 'error') core.setFailed(sentence)
    else core[level](sentence)
    if (report.job?.unusableLink === true) core.warning(WARNINGS.unusableLink)
  }

  /** The ending of a run that serves no request. */
  async showEnding(ending: Ending): Promise<void> {
    const { inputs } = this
    const report: Report = {
      ...ending,
      job: undefined,
      jobAction: 'none',
      followUp: false,
      note: {},
      requestedBy: '',
      request: '',
      prompt: '',
      durationMs: 0,
    }
    const messages: MessageContext = {
      command: inputs?.command ?? '/docs',
      timeoutMs: inputs?.timeoutMs ?? 0,
      minPermission: inputs?.minPermission ?? 'write',
      runUrl: '',
      replies: { thread: undefined, onPullRequest: false },
    }
    await this.show(report, messages, '')
  }
}
