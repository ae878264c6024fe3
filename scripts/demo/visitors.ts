import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmulator } from '../../emulator/emulator.ts'
import { runAction } from '../../emulator/runner.ts'
import { heading, logLine, say, showSummary } from './screen.ts'

const VISITORS = fileURLToPath(new URL('../../visitors/action.yml', import.meta.url))
const ROWS = 600
const SHOWN = 6

/** Exports the visitors of a month into a file, and shows both. @returns what is wrong, or '' */
export async function showVisitors(): Promise<string> {
  const emulator = await startEmulator()
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  try {
    emulator.service.site = { rows: ROWS }
    heading(`Who has read the docs in the last 30 days: ${ROWS} pages`)
    const { exitCode, outputs, summary } = await runAction({
      action: VISITORS,
      emulator,
      event: { name: 'schedule', payload: {} },
      inputs: {
        'project-id': emulator.settings.projectId,
        'api-key': emulator.settings.apiKey,
        compare: 'true',
        top: '5',
      },
      workspace,
      onLog: logLine,
    })
    const { file = '', rows, complete } = outputs
    if (exitCode !== 0 || rows !== String(ROWS) || complete !== 'true')
      return `${rows} rows, complete: ${complete}`
    heading(`${file}, its first lines`)
    const lines = readFileSync(join(workspace, file), 'utf8').split(/\r?\n/)
    for (const line of lines.slice(0, SHOWN)) say(`    ${line}`)
    say(`    … ${ROWS - SHOWN + 1} more`)
    showSummary(summary)
    return ''
  } finally {
    rmSync(workspace, { recursive: true, force: true })
    await emulator.close()
  }
}
