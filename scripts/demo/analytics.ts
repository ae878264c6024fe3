import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACTIONS, access } from './actions.ts'
import { difference } from './conversation.ts'
import { heading, logLine, say, showSummary } from './screen.ts'
import { PAGES, readersOf } from './site.ts'
import type { Stage } from './stage.ts'

const ROWS = 600
const DAY_MS = 86_400_000

/** A file that one of the sub-actions writes. */
export interface Export {
  readonly action: 'visitors' | 'insights'
  readonly title: string
  readonly inputs: Readonly<Record<string, string>>
  readonly expected: Readonly<Record<string, string>>
  /** How many lines of the file are shown. */
  readonly lines: number
  readonly runId: number
}

export const VISITORS: Export = {
  action: 'visitors',
  title: `The visitors of the last 30 days: ${ROWS} pages`,
  inputs: { compare: 'true', top: '5' },
  expected: { rows: String(ROWS), complete: 'true' },
  lines: 6,
  runId: 9_000_201,
}

export const INSIGHTS: Export = {
  action: 'insights',
  title: 'What readers missed in the last 7 days, as reference material for a job',
  inputs: { period: '7d' },
  expected: { complete: 'true' },
  lines: 24,
  runId: 9_000_301,
}

/** @param until where the week ends in which readers wrote something. @returns what is wrong, or '' */
export async function showExport(
  stage: Stage,
  { action, title, inputs, expected, lines, runId }: Export,
  until = Math.floor(Date.now() / DAY_MS) * DAY_MS,
): Promise<string> {
  const story = await stage.begin(title)
  const { emulator } = story
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  try {
    emulator.service.site = { rows: ROWS, paths: PAGES }
    emulator.service.readers = readersOf(until)
    heading(title)
    const result = await stage.run(story, title, {
      action: ACTIONS[action],
      event: { name: 'schedule', payload: {} },
      inputs: { ...access(emulator), ...inputs },
      workspace,
      runId,
      onLog: logLine,
    })
    const problem = difference({ expected, exitCode: 0 }, result)
    if (problem !== '') return problem
    const { file = '' } = result.outputs
    const written = readFileSync(join(workspace, file), 'utf8').trimEnd().split(/\r?\n/)
    heading(`The first of ${written.length} lines of ${file}`)
    for (const line of written.slice(0, lines)) say(`    ${line}`.trimEnd())
    showSummary(result.summary)
    return ''
  } finally {
    rmSync(workspace, { recursive: true, force: true })
    await emulator.close()
  }
}
