import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { type ActionRun, type RunResult, runAction } from '../../emulator/runner.ts'
import { ACTIONS, access } from './actions.ts'
import { logLine } from './screen.ts'

/** What a run is to do, and how it must end. */
export interface Asked {
  readonly title: string
  readonly action: keyof typeof ACTIONS
  /** Default: a schedule. */
  readonly event?: ActionRun['event']
  /** Beside those that every action needs. */
  readonly inputs?: Readonly<Record<string, string>>
  /** Outputs. */
  readonly expected?: Readonly<Record<string, string>>
}

/** A run did not end as it must. */
export class Unexpected extends Error {}

/** What plays in one emulated GitHub. */
export class Story {
  readonly title: string
  readonly emulator: Emulator
  readonly runs: { readonly id: number; readonly title: string; readonly summary: string }[] = []
  readonly workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))

  constructor(title: string, emulator: Emulator) {
    this.title = title
    this.emulator = emulator
  }

  /** @throws {Unexpected} */
  async run({ title, action, event, inputs, expected = {} }: Asked): Promise<RunResult> {
    const { emulator, runs, workspace } = this
    const id = 9_000_001 + runs.length
    const result = await runAction({
      action: ACTIONS[action],
      emulator,
      event: event ?? { name: 'schedule', payload: {} },
      inputs: { ...access(emulator), ...inputs },
      runId: id,
      workspace,
      onLog: logLine,
    })
    runs.push({ id, title, summary: result.summary })
    const wrong = Object.entries(expected)
      .filter(([output, value]) => result.outputs[output] !== value)
      .map(([output, value]) => `${output} is "${result.outputs[output] ?? ''}", not "${value}"`)
    const codes = [result.exitCode, result.post?.exitCode ?? 0]
    if (codes.some((code) => code !== 0)) wrong.push(`the steps ended with ${codes.join(' and ')}`)
    if (wrong.length > 0) throw new Unexpected(wrong.join('; '))
    return result
  }
}

/** Tells a story to its end: what its emulator remembers can still be read. @throws {Unexpected} */
export async function told(
  title: string,
  tell: (story: Story) => Promise<void>,
  options?: EmulatorOptions,
): Promise<Story> {
  const story = new Story(title, await startEmulator(options))
  try {
    await tell(story)
  } finally {
    rmSync(story.workspace, { recursive: true, force: true })
    await story.emulator.close()
  }
  return story
}
