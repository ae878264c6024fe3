import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { heading, say, showSummary } from './screen.ts'
import { PAGES, readersOf } from './site.ts'
import type { Asked, Story } from './story.ts'

const ROWS = 600
const DAY_MS = 86_400_000

/** A file that one of the sub-actions writes. */
export interface Export extends Asked {
  /** How many lines of the file are shown. */
  readonly lines: number
}

export const VISITORS: Export = {
  action: 'visitors',
  title: `The visitors of the last 30 days: ${ROWS} pages`,
  inputs: { compare: 'true', top: '5' },
  expected: { rows: String(ROWS), complete: 'true' },
  lines: 6,
}

export const INSIGHTS: Export = {
  action: 'insights',
  title: 'What readers missed in the last 7 days, as reference material for a job',
  inputs: { period: '7d' },
  expected: { complete: 'true' },
  lines: 24,
}

const today = () => Math.floor(Date.now() / DAY_MS) * DAY_MS

/** @param until where the week ends in which readers wrote something */
export const exported =
  ({ lines, ...asked }: Export, until = today()) =>
  async (story: Story) => {
    const { service } = story.emulator
    service.site = { rows: ROWS, paths: PAGES }
    service.readers = readersOf(until)
    heading(asked.title)
    const { outputs, summary } = await story.run(asked)
    const { file = '' } = outputs
    const written = readFileSync(join(story.workspace, file), 'utf8').trimEnd().split(/\r?\n/)
    heading(`The first of ${written.length} lines of ${file}`)
    for (const line of written.slice(0, lines)) say(`    ${line}`.trimEnd())
    showSummary(summary)
  }
