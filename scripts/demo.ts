import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { showPrompts } from './demo/before-after.ts'
import { DEMOS } from './demo/demos.ts'
import { writePage } from './demo/page/page.ts'
import { heading, say } from './demo/screen.ts'
import { type Story, told, Unexpected } from './demo/story.ts'

const FEW = 2
const USAGE = `npm run demo -- [--all]

Plays the first ${FEW} of these stories, with --all each of them, and writes a page of what it played:

${DEMOS.map(({ title }, at) => `  ${at + 1}  ${title}`).join('\n')}

\`npm run emulator\` starts the emulator for a workflow of your own.`

const [option, ...more] = process.argv.slice(2)

// As of `| head`, which has read enough.
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
if ((option === undefined || option === '--all') && more.length === 0) process.exitCode = await demo()
else {
  say(USAGE)
  process.exitCode = option === '--help' ? 0 : 2
}

/** @returns the exit code */
async function demo(): Promise<number> {
  say(
    'This runs the action of this checkout. GitHub and Mintlify are emulated, and so is the clock, which each story sets anew.',
  )
  const plots = option === '--all' ? DEMOS : DEMOS.slice(0, FEW)
  const stories: Story[] = []
  try {
    for (const [at, plot] of plots.entries()) {
      heading(`Story ${at + 1} of ${plots.length}: ${plot.title}`)
      say(plot.about)
      stories.push(await told(plot))
    }
    await showPrompts()
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    say(`\n${styleText('red', `The demo did not end as expected: ${error.message}.`)}`)
    return 1
  }
  say(
    `\n${styleText('green', 'Everything ended as expected.')} The threads, summaries and diffs are on a page:`,
  )
  say(styleText(['underline', 'cyan'], writePage(stories, mkdtempSync(join(tmpdir(), 'docs-agent-demo-')))))
  if (plots.length < DEMOS.length) say(`\n\`npm run demo -- --all\` plays ${DEMOS.length} stories.`)
  return 0
}
