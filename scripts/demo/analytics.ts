import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heading, say } from './screen.ts'
import { PAGES, readersOf } from './site.ts'
import type { Asked, Plot } from './story.ts'

const ROWS = 600
/** How many lines of a file are shown. */
const LINES = 12

/** A file that one of the sub-actions writes. */
const exported = (title: string, about: string, asked: Asked, note = ''): Plot => ({
  title,
  about,
  async tell(story) {
    const { service, settings } = story.emulator
    service.site = { rows: ROWS, paths: PAGES }
    service.readers = readersOf(settings.now())
    const { outputs } = await story.run(story.schedule('The schedule started the workflow'), asked)
    const { file = '' } = outputs
    const written = readFileSync(join(story.workspace, file), 'utf8').trimEnd().split(/\r?\n/)
    heading(`The first of ${written.length} lines of ${file}`)
    for (const line of written.slice(0, LINES)) say(`    ${line}`.trimEnd())
    if (note !== '') say(`\n  ${note}`)
  },
})

export const VISITORS = exported(
  'The visitors of last week',
  'The sub-action `visitors` writes a file, and this summary.',
  {
    action: 'visitors',
    inputs: { period: 'last-week', compare: 'true', top: '3' },
    expected: { rows: String(ROWS), complete: 'true' },
  },
  'The total counts a visitor who is both human and AI once.',
)

export const INSIGHTS = exported(
  'What readers missed last week',
  'The sub-action `insights` collects it as reference material for a job, and writes this summary.',
  { action: 'insights', inputs: { period: 'last-week' }, expected: { complete: 'true' } },
)
