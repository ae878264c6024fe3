import { expect, test } from 'vitest'
import { ERROR_REASONS } from '../../src/base/errors.ts'
import { OUTCOMES, SKIP_REASONS } from '../../src/record/outcome.ts'
import { expectOutcome } from '../helpers/world.ts'
import { type Play, played } from './page.ts'
import { ERROR_PLAYS, MORE_PLAYS, OUTCOME_PLAYS, SKIP_PLAYS } from './plays.ts'

const INTRODUCTION = `# All that a run says

Each section is a run on the emulator: its outputs, its comments, the commit status, and the end of its log, where an
annotation begins with \`Error:\` or \`Warning:\`. The first has the whole log, the whole summary, and each text that
the comments had meanwhile. Ids, seconds and the version are made up.

\`npx vitest run test/words -u\` writes this page anew. Read what changes.`

/** @param is how each of the plays ends; undefined where each ends in its own way */
async function chapter(
  heading: string,
  plays: Readonly<Record<string, Play>>,
  is?: readonly [outcome: string, reason: string],
): Promise<string> {
  const sections = [`## ${heading}`]
  for (const [title, play] of Object.entries(plays)) {
    const { result, section } = await played(title, play)
    if (is !== undefined) expectOutcome(result, ...is)
    sections.push(section)
  }
  return sections.join('\n\n')
}

test('2 every outcome and every reason in words: comment, summary, annotation, log and outputs', async () => {
  const page = [INTRODUCTION]
  for (const outcome of OUTCOMES) {
    if (outcome === 'skipped' || outcome === 'error') continue
    page.push(await chapter(`\`${outcome}\``, OUTCOME_PLAYS[outcome], [outcome, '']))
  }
  for (const reason of SKIP_REASONS)
    page.push(await chapter(`\`skipped\`: \`${reason}\``, SKIP_PLAYS[reason], ['skipped', reason]))
  for (const reason of ERROR_REASONS)
    page.push(await chapter(`\`error\`: \`${reason}\``, ERROR_PLAYS[reason], ['error', reason]))
  for (const [heading, plays] of Object.entries(MORE_PLAYS)) page.push(await chapter(heading, plays))
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('words.md')
})
