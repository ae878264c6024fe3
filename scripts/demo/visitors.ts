import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACTIONS, access } from './actions.ts'
import { difference } from './conversation.ts'
import { heading, logLine, say, showSummary } from './screen.ts'
import { PAGES } from './site.ts'
import type { Stage } from './stage.ts'

const ROWS = 600
const SHOWN = 6

export interface Export {
  readonly title: string
  readonly heading: string
  readonly inputs: Readonly<Record<string, string>>
}

const LAST_30_DAYS: Export = {
  title: 'Visitors',
  heading: `The visitors of the last 30 days: ${ROWS} pages`,
  inputs: { compare: 'true', top: '5' },
}

/** Exports the visitors of a month into a file, and shows both. @returns what is wrong, or '' */
export async function showVisitors(stage: Stage, shown = LAST_30_DAYS): Promise<string> {
  const story = await stage.begin(shown.title)
  const { emulator } = story
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  try {
    emulator.service.site = { rows: ROWS, paths: PAGES }
    heading(shown.heading)
    const result = await stage.run(story, shown.heading, {
      action: ACTIONS.visitors,
      event: { name: 'schedule', payload: {} },
      inputs: { ...access(emulator), ...shown.inputs },
      workspace,
      runId: 9_000_201,
      onLog: logLine,
    })
    const expected = { rows: String(ROWS), complete: 'true' }
    const problem = difference({ expected, exitCode: 0 }, result)
    if (problem !== '') return problem
    const { file = '' } = result.outputs
    heading(`The first lines of ${file}`)
    const lines = readFileSync(join(workspace, file), 'utf8').split(/\r?\n/)
    for (const line of lines.slice(0, SHOWN)) say(`    ${line}`)
    say(`    … ${ROWS - SHOWN + 1} more`)
    showSummary(result.summary)
    return ''
  } finally {
    rmSync(workspace, { recursive: true, force: true })
    await emulator.close()
  }
}
