import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { type ActionRun, type RunResult, startAction } from '../../emulator/runner.ts'
import type { Readers } from '../../emulator/service/analytics/readers.ts'
import type { Site } from '../../emulator/service/visitors.ts'
import type { Row } from '../../src/analytics/visitor-rows.ts'
import { emulated } from './world.ts'

const actionYml = (name: string) => fileURLToPath(new URL(`../../${name}/action.yml`, import.meta.url))
const INPUTS = { 'project-id': 'docs', 'api-key': 'test-key' }

export function visitorsScene(site: Site, options: EmulatorOptions = {}) {
  const given = emulated(options)
  given.emulator.service.site = site
  return sceneOf('visitors', given)
}

/** What readers left behind, a workspace, and the action between them. */
export function insightsScene(readers: Readers, options: EmulatorOptions = {}) {
  const given = emulated(options)
  given.emulator.service.readers = readers
  return sceneOf('insights', given)
}

type Scene = ReturnType<typeof sceneOf>

/** An emulator, a workspace, and one of the actions between them. */
function sceneOf(name: 'visitors' | 'insights', { emulator, launch }: ReturnType<typeof emulated>) {
  const action = actionYml(name)
  const workspace = folder()
  const event = { name: 'schedule', payload: {} }
  const start = (inputs: Readonly<Record<string, string>> = {}, more: Partial<ActionRun> = {}) =>
    startAction({
      ...{ action, emulator, workspace, event, inputs: { ...INPUTS, ...inputs } },
      ...(launch && { launch }),
      ...more,
    })
  return {
    emulator,
    workspace,
    start,
    run: (...given: Parameters<typeof start>) => start(...given).done,
    /** The text of a file in the workspace; undefined where there is none. */
    text(file: string): string | undefined {
      const path = join(workspace, file)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    },
    /** All files and folders in the workspace. */
    files: () => readdirSync(workspace, { recursive: true }).map(String).sort(),
    queries: () => emulator.requests.map(({ query }) => query),
  }
}

/** The peak of a run's memory. The run must end green. */
export async function peakMiB({ run }: Pick<Scene, 'run'>): Promise<number> {
  const file = join(folder(), 'peak')
  const hook = `import { writeFileSync } from 'node:fs'
    process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)))`
  const env = { PEAK_FILE: file, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` }
  const { exitCode, log } = await run({}, { env })
  if (exitCode !== 0) throw new Error(log)
  return Number(readFileSync(file, 'utf8')) / 1024
}

/** An empty folder that goes with the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'visitors-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export const row = (path: string, human: number, ai = 0): Row => ({ path, human, ai, total: human + ai })

/** The only error of a run that must have one. */
export function onlyError({ exitCode, annotations }: RunResult): string {
  const errors = annotations.filter(({ level }) => level === 'error')
  if (exitCode !== 1 || errors.length !== 1) {
    throw new Error(`exit code ${exitCode} with ${errors.length} errors: ${JSON.stringify(annotations)}`)
  }
  return errors[0]?.message ?? ''
}
