import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACTIONS, access } from './actions.ts'
import { difference } from './conversation.ts'
import { heading, logLine, say, showSummary } from './screen.ts'
import { readersOf } from './site.ts'
import type { Stage } from './stage.ts'
import type { Export } from './visitors.ts'

const DAY_MS = 86_400_000
const SHOWN = 24

const LAST_7_DAYS: Export = {
  title: 'Insights',
  heading: 'What readers missed in the last 7 days',
  inputs: { period: '7d' },
}

/** Collects what readers miss into a file, and shows both. @returns what is wrong, or '' */
export async function showInsights(
  stage: Stage,
  shown = LAST_7_DAYS,
  until = Math.floor(Date.now() / DAY_MS) * DAY_MS,
): Promise<string> {
  const story = await stage.begin(shown.title)
  const { emulator } = story
  const workspace = mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))
  try {
    emulator.service.readers = readersOf({ from: until - 7 * DAY_MS, to: until })
    heading(shown.heading)
    const result = await stage.run(story, shown.heading, {
      action: ACTIONS.insights,
      event: { name: 'schedule', payload: {} },
      inputs: { ...access(emulator), ...shown.inputs },
      workspace,
      runId: 9_000_301,
      onLog: logLine,
    })
    const problem = difference({ expected: { complete: 'true' }, exitCode: 0 }, result)
    if (problem !== '') return problem
    const { file = '' } = result.outputs
    heading(`The first lines of ${file}, which a job gets as its reference-file`)
    const lines = readFileSync(join(workspace, file), 'utf8').trimEnd().split(/\r?\n/)
    for (const line of lines.slice(0, SHOWN)) say(`    ${line}`.trimEnd())
    if (lines.length > SHOWN) say(`    … ${lines.length - SHOWN} more`)
    say()
    say(
      '    Readers wrote these texts. The agent gets them as quotations, without addresses and long numbers.',
    )
    showSummary(result.summary)
    return ''
  } finally {
    rmSync(workspace, { recursive: true, force: true })
    await emulator.close()
  }
}
