import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { ALL, DEMOS, type DemoName, isDemo } from './demo/demos.ts'
import { say } from './demo/screen.ts'
import { Stage, Unexpected } from './demo/stage.ts'

const BUILT = fileURLToPath(new URL('../dist/index.js', import.meta.url))

const LINES = Object.entries(DEMOS).map(([name, { about }]) => `  ${name.padEnd(11)}${about}`)
const USAGE = `npm run demo -- [NAME] [--open]

${LINES.join('\n')}
  --open     Show it on a page in the browser; without a NAME, ${ALL.filter(Boolean).join(', ')} as well
  --help     Show this

\`npm run emulator\` starts the emulator for a workflow of your own.`

const args = process.argv.slice(2)
const isOpen = args.includes('--open')
const [name = ''] = args.filter((arg) => arg !== '--open')

if (name === '--help' || name === '-h') say(USAGE)
else process.exitCode = await demo()

/** @returns the exit code */
async function demo(): Promise<number> {
  if (!isDemo(name)) {
    say(`There is no demo "${name}".\n\n${USAGE}`)
    return 2
  }
  if (!existsSync(BUILT)) {
    say('There is nothing to show yet: run `npm run build` first.')
    return 1
  }
  const stage = new Stage()
  if (!isOpen) return await play(stage, [name])
  const { onPage } = await import('./demo/page/open.ts')
  return await onPage(stage, () => play(stage, name === '' ? ALL : [name]))
}

/** @returns the exit code */
async function play(stage: Stage, names: readonly DemoName[]): Promise<number> {
  say('This runs the built action as the runner does, against an emulator on this machine.')
  try {
    for (const each of names) await DEMOS[each].play(stage)
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    stage.end(error.message)
    say(`\n${styleText('red', `The demo did not end as expected: ${error.message}.`)}`)
    return 1
  }
  stage.end('')
  const next = isOpen
    ? ''
    : ' `npm run demo -- --open` shows everything on a page, `-- --help` lists all demos.'
  say(`\n${styleText('green', 'Everything ended as expected.')}${next}`)
  return 0
}
