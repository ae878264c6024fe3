import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { heading, logLine, say, showSummary } from './screen.ts'
import type { Stage } from './stage.ts'

const VISITORS = fileURLToPath(new URL('../../visitors/action.yml', import.meta.url))
const ROWS = 600
const SHOWN = 6

/** Exports the visitors of a month into a file, and shows both. @returns what is wrong, or '' */
export async function showVisitors(stage: Stage): Promise<string> {
  const story = await stage.begin('Who reads the docs')
  const { emulator } = story
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  try {
    emulator.service.site = { rows: ROWS }
    const title = `Who has read the docs in the last 30 days: ${ROWS} pages`
    heading(title)
    const { exitCode, outputs, summary } = await stage.run(story, title, {
      action: VISITORS,
      event: { name: 'schedule', payload: {} },
      inputs: {
        'project-id': emulator.settings.projectId,
        'api-key': emulator.settings.apiKey,
        compare: 'true',
        top: '5',
      },
      workspace,
      runId: 9_000_201,
      onLog: logLine,
    })
    const { file = '', rows, complete } = outputs
    if (exitCode !== 0 || rows !== String(ROWS) || complete !== 'true')
      return `${rows} rows, complete: ${complete}`
    heading(`${file}, its first lines`)
    say(
      '    Paths like =cmd() are here on purpose: whoever asks for a page chooses its path. Here they stay text.',
    )
    say()
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
