import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { type ActionRun, type RunResult, runAction } from '../../emulator/runner.ts'

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

/** What plays in one emulated GitHub. */
export interface Story {
  readonly title: string
  readonly emulator: Emulator
  readonly runs: Run[]
}

type NumberedRun = Omit<ActionRun, 'emulator'> & { readonly runId: number }

/** Where the demo plays: it keeps what happens, and calls its watchers at each change. */
export class Stage {
  readonly stories: Story[] = []
  readonly #watchers = new Set<() => void>()
  #verdict: string | undefined

  /** What was wrong with the demo, '' for nothing; `undefined` while it plays. */
  get verdict(): string | undefined {
    return this.#verdict
  }

  /** Begins a story. The caller closes its emulator; what the emulator remembers can still be read. */
  async begin(title: string, options: EmulatorOptions = {}): Promise<Story> {
    const emulator = await startEmulator({ ...options, onRequest: () => this.#changed() })
    const story: Story = { title, emulator, runs: [] }
    this.stories.push(story)
    this.#changed()
    return story
  }

  async run(story: Story, title: string, run: NumberedRun, thread?: ThreadName): Promise<RunResult> {
    const seen: Run = {
      id: run.runId,
      title,
      event: run.event.name,
      thread,
      startedAt: story.emulator.settings.now(),
      log: [],
    }
    story.runs.push(seen)
    this.#changed()
    const onLog = (line: string) => {
      seen.log.push(line)
      run.onLog?.(line)
      this.#changed()
    }
    const result = await runAction({ ...run, emulator: story.emulator, onLog })
    seen.result = result
    seen.endedAt = story.emulator.settings.now()
    this.#changed()
    return result
  }

  end(verdict: string): void {
    this.#verdict = verdict
    this.#changed()
  }

  /** @returns a function that removes the watcher */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher()
  }
}
