import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import { withoutRecord } from '../../src/record/signed-record.ts'
import { headOf } from '../helpers/code-world.ts'
import { ISSUE, type World } from '../helpers/world.ts'
import { DOUBTS, type Doubt, type Step } from './plays.ts'

// Contract 5.2, H1, H7: each state in doubt ends by one step that the words of it name.

const INTRODUCTION = `# How a doubt ends

Each section is a state in which it is not known what the agent has, or has done. Its first table has what people read of it, by
the place where they read it, and which steps these words name; its second one, how each of these steps ends, played by itself from
that state on. After a re-run of what is in doubt, nothing is; a new request, or a skip, decides the commit status, and
\`/docs status\` goes on to say what is not known.

\`npx vitest run test/doubts -u\` writes this page anew. Read what changes.`

const NOT_KNOWN = /not known whether|does not verify/i

/** What people read of the state, by the place where they do. */
function wordsOf(emulator: World, { thread = ISSUE, hasStatus }: Doubt, result: RunResult) {
  const comment = withoutRecord(emulator.lastWords(thread)).replace(/\n*<sub>.*<\/sub>/g, '')
  const status = hasStatus ? emulator.github.statuses(headOf(emulator)).at(-1) : undefined
  return {
    'comment in the thread': NOT_KNOWN.test(comment) ? comment : '',
    'summary of the run': result.summary.replace(/\n*<details>[\s\S]*?<\/details>/g, ''),
    'log of the run': [result.log, result.post?.log ?? ''].join('\n'),
    'commit status': status ? `${status.state}, “${status.description}”` : '',
  }
}

/** Without what a list below it has. */
const inOneLine = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('- '))
    .map((line) => line.replace(/^#+ /, '').trim())
    .join(' ')

/** The state, anew. */
async function begun(doubt: Doubt) {
  const emulator = doubt.world()
  emulator.setWallClock(Date.UTC(2026, 0, 5, 9) - emulator.settings.now())
  const result = await doubt.comes(emulator)
  return { emulator, result }
}

/** What each place says of the state, and the steps that it names. */
async function placesOf(doubt: Doubt): Promise<readonly string[]> {
  const { emulator, result } = await begun(doubt)
  const words = wordsOf(emulator, doubt, result)
  const log = words['log of the run'].split('\n').filter((line) => NOT_KNOWN.test(line))
  await emulator.pass(60_000)
  const { summary } = await emulator.ask('/docs status', { on: doubt.thread ?? ISSUE, runId: 99 })
  const places = { ...words, 'log of the run': log.join(' '), '`/docs status`': summary }
  const said = Object.entries(places).filter(([, text]) => NOT_KNOWN.test(text))
  expect(said.length).toBeGreaterThan(1)
  const rows = said.map(([place, text]) => {
    const named = Object.entries(doubt.steps).flatMap(([name, step]) => (step.named.test(text) ? name : []))
    expect(named, `${place}: ${text}`).not.toEqual([])
    return `| ${place} | ${inOneLine(text)} | ${named.join('; ')} |`
  })
  for (const [name, { named }] of Object.entries(doubt.steps))
    expect(said.map(([, text]) => text).join('\n'), name).toMatch(named)
  return rows
}

/** @returns a row of the table: how the run of the step ends, and what stands then */
async function played(name: string, doubt: Doubt, step: Step): Promise<string> {
  const { emulator } = await begun(doubt)
  const { thread = ISSUE, hasStatus } = doubt
  // A person has read it.
  await emulator.pass(60_000)
  const { outputs, log } = await step.does(emulator)
  const { ends = 'pull-request' } = step
  expect(outputs.outcome, `${name}\n${log}`).toBe(ends)
  // A closed issue leaves it to a new one.
  const said = headline(emulator.lastWords(Number(outputs['issue-number']) || thread))
  expect(said, name).not.toMatch(NOT_KNOWN)
  const status = hasStatus ? emulator.github.statuses(headOf(emulator)).at(-1) : undefined
  if (hasStatus) expect(status, name).toMatchObject({ state: 'success' })
  const { summary } = await emulator.ask('/docs status', { on: thread, runId: 99 })
  if (step.decidesAlone !== true) expect(summary, name).not.toMatch(NOT_KNOWN)
  const shown = status ? `${said}; ${status.state}, “${status.description}”` : said
  return `| ${name} | \`${outputs.outcome}\` | ${shown} |`
}

/** The first sentence, without its link. */
const headline = (body: string): string =>
  (withoutRecord(body).trim().split('\n')[0] ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')

test('5.2 H1 H7 each doubt ends by each step that its words name', async () => {
  const page = [INTRODUCTION]
  for (const [state, doubt] of Object.entries(DOUBTS)) {
    const places = await placesOf(doubt).catch((error: unknown) => {
      throw new Error(state, { cause: error })
    })
    const rows: string[] = []
    for (const [name, step] of Object.entries(doubt.steps))
      rows.push(
        await played(name, doubt, step).catch((error: unknown) => {
          throw new Error(`${state}: ${name}`, { cause: error })
        }),
      )
    const table = ['| a person … | the run ends as | and then stands |', '| :-- | :-- | :-- |', ...rows].join(
      '\n',
    )
    const read = ['| read in | words | name the steps |', '| :-- | :-- | :-- |', ...places].join('\n')
    page.push(`## ${state}\n\n${steady(read)}\n\n${steady(table)}`)
  }
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('doubts.md')
})

/** Ids are made up. */
const steady = (text: string): string =>
  text.replace(/\bj_[\da-f]{16}\b/g, 'j_1').replace(/#issuecomment-\d+/g, '#issuecomment-1')
