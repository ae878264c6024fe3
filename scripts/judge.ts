import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { renderMarkdown } from '../emulator/github/render.ts'
import { htmlToText } from '../src/prompt/html-to-text.ts'
import { type Judge, startJudge } from './judge/judge.ts'
import { isSeen, page, soup, wordsOf } from './judge/markdown.ts'

/**
 * `npm run judge -- --runs 20000 --seed 1`: asks a second renderer, cmark-gfm, which words of random Markdown a reader
 * sees, and compares them with the words that the agent would get. Exits with 75 where the renderer cannot be had.
 */
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } })
const runs = Number(values.runs ?? 20_000)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  console.error('--runs takes a number from 1, --seed a whole number.')
  process.exit(2)
}

const judge = judgeOrExit()
try {
  console.log(`${runs} texts of known words and ${runs} of anything, seed ${seed}`)
  const counts = { seen: 0, hidden: 0 }

  await check('texts of known words', page, async (markdown) => {
    const words = wordsOf(markdown)
    const seen = words.filter(isSeen)
    const { html, text } = await judge.ask(markdown)
    counts.seen += seen.length
    counts.hidden += words.length - seen.length
    return [
      differences('the second renderer', wordsOf(text), seen),
      differences("the text of the emulator's HTML", wordsOf(htmlToText(renderMarkdown(markdown))), seen),
      differences("the text of the second renderer's HTML", wordsOf(htmlToText(html)), seen),
    ]
  })
  console.log(`  ${counts.seen} visible words, 0 lost; ${counts.hidden} hidden words, 0 in the text`)

  await check('texts of anything', soup, async (markdown) => {
    const { html, text } = await judge.ask(markdown)
    return [differences("the text of the second renderer's HTML", wordsOf(htmlToText(html)), wordsOf(text))]
  })
} finally {
  judge.close()
}

function judgeOrExit(): Judge {
  try {
    return startJudge()
  } catch (error) {
    console.log(`The second renderer cannot be had here: it needs python3, venv and pip. ${reasonOf(error)}`)
    process.exit(75)
  }
}

function reasonOf(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr ?? '').trim() : ''
  return stderr.split('\n').at(-1) || String(error)
}

/** '' where both are the same. */
function differences(name: string, words: readonly string[], seen: readonly string[]): string {
  const hidden = words.filter((word) => !seen.includes(word))
  const lost = seen.filter((word) => !words.includes(word))
  if (hidden.length + lost.length === 0) return ''
  return `${name}: hidden words in it: ${hidden.join(' ') || 'none'}; visible words lost: ${lost.join(' ') || 'none'}`
}

async function check(
  name: string,
  texts: fc.Arbitrary<string>,
  compare: (markdown: string) => Promise<readonly string[]>,
): Promise<void> {
  const property = fc.asyncProperty(texts, async (markdown) => {
    const found = (await compare(markdown)).filter((difference) => difference !== '')
    if (found.length > 0) throw new Error(found.join('\n'))
  })
  const start = performance.now()
  const { failed, numRuns, counterexample, errorInstance } = await fc.check(property, { numRuns: runs, seed })
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(`${name}: ${numRuns} tried in ${seconds} s, ${failed ? 'one fails' : 'all pass'}`)
  if (!failed) return
  console.log(`${JSON.stringify(counterexample?.[0])}\n${String(errorInstance)}`)
  process.exitCode = 1
}
