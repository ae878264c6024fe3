import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, platform } from 'node:process'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { DEMOS } from './demo/demos.ts'
import { writePage } from './demo/page/page.ts'
import { say } from './demo/screen.ts'
import { type Story, Unexpected } from './demo/story.ts'

const BUILT = fileURLToPath(new URL('../dist/index.js', import.meta.url))

const LINES = Object.entries(DEMOS).map(([name, { about }]) => `  ${name.padEnd(11)}${about}`)
const USAGE = `npm run demo -- [NAME] [--open]

${LINES.join('\n')}
  --open     Shows threads, summaries and diffs on a page, too; without a NAME, of all these
  --help     Shows this

\`npm run emulator\` starts the emulator for a workflow of your own.`

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
  if (!Object.hasOwn(DEMOS, name)) {
    say(`There is no demo "${name}".\n\n${USAGE}`)
    return 2
  }
  if (!existsSync(BUILT)) {
    say('There is nothing to show yet: run `npm run build` first.')
    return 1
  }
  say('This runs the built action as the runner does, against an emulator on this machine.')
  const stories: Story[] = []
  try {
    for (const [each, { play }] of Object.entries(DEMOS))
      if (each === name || (isOpen && name === '')) stories.push(await play())
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    say(`\n${styleText('red', `The demo did not end as expected: ${error.message}.`)}`)
    return 1
  }
  const next = '`npm run demo -- --open` shows everything on a page, `-- --help` lists all demos.'
  say(`\n${styleText('green', 'Everything ended as expected.')} ${isOpen ? '' : next}`)
  if (isOpen) open(writePage(stories, mkdtempSync(join(tmpdir(), 'docs-agent-demo-'))))
  return 0
}

/** Only names the page in CI and on machines without a screen. */
function open(url: string): void {
  say(`See it at ${styleText(['underline', 'cyan'], url)}`)
  const [command, ...options] = OPENERS[platform] ?? []
  const hasScreen = platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (env.CI || !hasScreen || command === undefined) return
  const child = spawn(command, [...options, url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
