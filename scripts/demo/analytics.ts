import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heading, say } from './screen.ts'
import { PAGES, readersOf } from './site.ts'
import type { Asked, Plot, Story } from './story.ts'

const ROWS = 600
/** How many of them the terminal shows. */
const SHOWN = 10

async function tell(story: Story): Promise<void> {
  const { service, settings } = story.emulator
  service.site = { rows: ROWS, paths: PAGES }
  service.readers = readersOf(settings.now())
  const [head = '', ...rows] = await linesOf(story, {
    action: 'visitors',
    inputs: { period: 'last-week', compare: 'true', top: '3' },
    expected: { rows: String(ROWS), complete: 'true' },
  })
  show(`The first ${SHOWN} of ${rows.length} rows of visitors.csv`, [head, ...rows.slice(0, SHOWN)])
  say('\n  The total counts a visitor who is both human and AI once.')

  const findings = await linesOf(story, {
    action: 'insights',
    inputs: { period: 'last-week' },
    expected: { complete: 'true' },
  })
  show('insights.md', findings)
}

/** The lines of the file that an action writes. */
async function linesOf(story: Story, asked: Asked): Promise<string[]> {
  const { outputs } = await story.run(story.schedule('The schedule started the workflow'), asked)
  return readFileSync(join(story.workspace, outputs.file ?? ''), 'utf8')
    .trimEnd()
    .split(/\r?\n/)
}

function show(title: string, lines: readonly string[]): void {
  heading(title)
  for (const line of lines) say(`    ${line}`.trimEnd())
}

export const READERS: Plot = {
  title: 'What readers visit, and what they miss',
  about:
    'Two sub-actions write a file and a summary each: `visitors` about who read the docs last week, `insights` about what readers missed, as reference material for the agent.',
  tell,
}
