import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { type ActionRun, type RunResult, runAction } from '../../emulator/runner.ts'
import { ACTIONS, access } from './actions.ts'
import { logLine } from './screen.ts'

export interface ThreadName {
  /** `owner/name`. */
  readonly repository: string
  readonly number: number
}

/** A run of an action, from its first line to its result. Times in milliseconds since the epoch. */
export interface Run {
  readonly id: number
  readonly title: string
  readonly event: string
  /** Where it reports to, if anywhere. */
  readonly thread: ThreadName | undefined
  readonly startedAt: number
  readonly log: string[]
  endedAt?: number
  result?: RunResult
}

/** What a run is to do, and how it must end. */
export interface Asked {
  readonly title: string
  readonly action: keyof typeof ACTIONS
  /** Default: a schedule. */
  readonly event?: ActionRun['event']
  /** Beside those that every action needs. */
  readonly inputs?: Readonly<Record<string, string>>
  readonly thread?: ThreadName
  readonly expected?: Readonly<Record<string, string>>
  /** Default 0. */
  readonly exitCode?: number
}

/** A run did not end as it must. */
export class Unexpected extends Error {}

export const FIRST_RUN = 9_000_001

/** What plays in one emulated GitHub. */
export class Story {
  readonly title: string
  readonly emulator: Emulator
  readonly runs: Run[] = []
  readonly workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  readonly #changed: () => void

  constructor(title: string, emulator: Emulator, changed: () => void) {
    this.title = title
    this.emulator = emulator
    this.#changed = changed
  }

  /** @throws {Unexpected} */
  async run({
    title,
    action,
    event,
    inputs,
    thread,
    expected = {},
    exitCode = 0,
  }: Asked): Promise<RunResult> {
    const { emulator, runs, workspace } = this
    const { now } = emulator.settings
    const { name, payload } = event ?? { name: 'schedule', payload: {} }
    const id = FIRST_RUN + runs.length
    const seen: Run = { id, title, event: name, thread, startedAt: now(), log: [] }
    runs.push(seen)
    this.#changed()
    const result = await runAction({
      action: ACTIONS[action],
      emulator,
      event: { name, payload },
      inputs: { ...access(emulator), ...inputs },
      runId: id,
      workspace,
      onLog: (line) => {
        seen.log.push(line)
        logLine(line)
        this.#changed()
      },
    })
    Object.assign(seen, { result, endedAt: now() })
    this.#changed()
    const wrong = Object.entries(expected)
      .filter(([output, value]) => result.outputs[output] !== value)
      .map(([output, value]) => `${output} is "${result.outputs[output] ?? ''}", not "${value}"`)
    if (result.exitCode !== exitCode) wrong.push(`the exit code is ${result.exitCode}, not ${exitCode}`)
    if (result.post && result.post.exitCode !== 0)
      wrong.push(`the post step ended with ${result.post.exitCode}`)
    if (wrong.length > 0) throw new Unexpected(wrong.join('; '))
    return result
  }

  /** What the emulator remembers can still be read. */
  async end(): Promise<void> {
    rmSync(this.workspace, { recursive: true, force: true })
    await this.emulator.close()
  }
}

/** Where the demo plays: it keeps what happens, and tells of each change. */
export class Stage extends EventEmitter<{ changed: [] }> {
  readonly stories: Story[] = []
  /** What was wrong with the demo, '' for nothing; `undefined` while it plays. */
  verdict: string | undefined

  /** Begins a story. The caller ends it. */
  async begin(title: string, options: EmulatorOptions = {}): Promise<Story> {
    const changed = () => void this.emit('changed')
    const emulator = await startEmulator({ ...options, onRequest: changed })
    const story = new Story(title, emulator, changed)
    this.stories.push(story)
    changed()
    return story
  }

  /** Tells a story from its beginning to its end. @throws {Unexpected} */
  async play(title: string, tell: (story: Story) => Promise<void>, options?: EmulatorOptions): Promise<void> {
    const story = await this.begin(title, options)
    try {
      await tell(story)
    } finally {
      await story.end()
    }
  }

  end(verdict: string): void {
    this.verdict = verdict
    this.emit('changed')
  }
}
