import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, platform } from 'node:process'
import { styleText } from 'node:util'
import { DEMOS } from './demo/demos.ts'
import { writePage } from './demo/page/page.ts'
import { heading, say } from './demo/screen.ts'
import { type Story, told, Unexpected } from './demo/story.ts'

const LINES = Object.entries(DEMOS).map(([name, { title }]) => `  ${name.padEnd(11)}${title}`)
const USAGE = `npm run demo -- [NAME] [--open]

${LINES.join('\n')}
  --open     Opens the page with threads, summaries and diffs
  --help     Shows this

Without a NAME it plays all of these. \`npm run emulator\` starts the emulator for a workflow of your own.`

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  linux: ['xdg-open'],
}

const args = process.argv.slice(2)
const isOpen = args.includes('--open')
const [name = ''] = args.filter((arg) => arg !== '--open')

// As of `| head`, which has read enough.
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
if (name === '--help' || name === '-h') say(USAGE)
else process.exitCode = await demo()

/** @returns the exit code */
async function demo(): Promise<number> {
  if (name !== '' && !Object.hasOwn(DEMOS, name)) {
    say(`There is no demo "${name}".\n\n${USAGE}`)
    return 2
  }
  say(
    'This runs the action of this checkout. GitHub and Mintlify are emulated, and so is the clock, which each story sets anew.',
  )
  const plots = Object.entries(DEMOS).flatMap(([each, plot]) => (name === '' || each === name ? [plot] : []))
  const stories: Story[] = []
  try {
    for (const [at, plot] of plots.entries()) {
      heading(`Story ${at + 1} of ${plots.length}: ${plot.title}`)
      stories.push(await told(plot))
    }
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    say(`\n${styleText('red', `The demo did not end as expected: ${error.message}.`)}`)
    return 1
  }
  const url = writePage(stories, mkdtempSync(join(tmpdir(), 'docs-agent-demo-')))
  say(
    `\n${styleText('green', 'Everything ended as expected.')} The threads, summaries and diffs are on a page:`,
  )
  say(styleText(['underline', 'cyan'], url))
  if (isOpen) open(url)
  return 0
}

/** Not in CI, nor on machines without a screen. */
function open(url: string): void {
  const [command, ...options] = OPENERS[platform] ?? []
  const hasScreen = platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (env.CI || !hasScreen || command === undefined) return
  const child = spawn(command, [...options, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
