import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, styleText } from 'node:util'
import { ALL, DEMOS, type DemoName, isDemo } from './demo/demos.ts'
import { say } from './demo/screen.ts'
import { Stage } from './demo/stage.ts'

const BUILT = ['../action.yml', '../dist/index.js'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
)
const FLAGS = ['open', 'fail', 'timeout', 'help']

const LINES = Object.entries(DEMOS).map(([name, { about }]) => `  ${name.padEnd(11)}${about}`)
const USAGE = `npm run demo -- [NAME] [--open]

${LINES.join('\n')}
  --open     Show it on a page in the browser; without a NAME, ${ALL.filter(Boolean).join(', ')} as well
  --help     Show this

\`npm run emulator\` starts the emulator for a workflow of your own.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    open: { type: 'boolean', default: false },
    fail: { type: 'boolean', default: false },
    timeout: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) say(USAGE)
else process.exitCode = await demo(chosenName())

/** The name that was given, known or not; '' without one. */
function chosenName(): string {
  const unknown = Object.keys(values).find((name) => !FLAGS.includes(name))
  if (unknown !== undefined) return `--${unknown}`
  return positionals[0] ?? (values.fail ? '--fail' : values.timeout ? '--timeout' : '')
}

/** @returns the exit code */
async function demo(name: string): Promise<number> {
  if (!isDemo(name)) {
    say(`There is no demo "${name}".\n\n${USAGE}`)
    return 2
  }
  if (!BUILT.every(existsSync)) {
    say('There is nothing to show yet: run `npm run build` first.')
    return 1
  }
  const stage = new Stage()
  if (!values.open) return await play(stage, [name])
  const { onPage } = await import('./demo/page/open.ts')
  return await onPage(stage, () => play(stage, name === '' ? ALL : [name]))
}

/** @returns the exit code */
async function play(stage: Stage, names: readonly DemoName[]): Promise<number> {
  say('This runs the built action as the runner does, against an emulator on this machine.')
  for (const name of names) {
    const problem = await DEMOS[name].play(stage)
    if (problem === '') continue
    stage.end(problem)
    say()
    say(styleText('red', `The demo did not end as expected: ${problem}.`))
    return 1
  }
  stage.end('')
  say()
  const next = values.open
    ? ''
    : ' `npm run demo -- --open` shows everything on a page, `-- --help` lists all demos.'
  say(`${styleText('green', 'Everything ended as expected.')}${next}`)
  return 0
}
