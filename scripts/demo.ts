import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, styleText } from 'node:util'
import { say } from './demo/screen.ts'
import { Stage } from './demo/stage.ts'
import { ALL, isStory, STORIES, type StoryName, type Telling } from './demo/stories.ts'

const BUILT = ['../action.yml', '../dist/index.js'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
)
const FLAGS = ['open', 'fail', 'timeout']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    open: { type: 'boolean', default: false },
    fail: { type: 'boolean', default: false },
    timeout: { type: 'boolean', default: false },
  },
})

process.exitCode = await demo(nameOf())

/** What was asked for, known or not; '' without a word. */
function nameOf(): string {
  const unknown = Object.keys(values).find((name) => !FLAGS.includes(name))
  if (unknown !== undefined) return `--${unknown}`
  return positionals[0] ?? (values.fail ? '--fail' : values.timeout ? '--timeout' : '')
}

/** @returns the exit code */
async function demo(name: string): Promise<number> {
  if (!BUILT.every(existsSync)) {
    say('There is nothing to show yet: run `npm run build` first.')
    return 1
  }
  if (!isStory(name)) {
    const known = Object.keys(STORIES).filter(Boolean).join(', ')
    say(`There is no story "${name}": leave it out, or say ${known}. With --open it plays on a page.`)
    return 2
  }
  const stage = new Stage()
  if (!values.open) return await play(stage, [name])
  const { onPage } = await import('./demo/page/open.ts')
  return await onPage(stage, () => play(stage, name === '' ? ALL : [name]))
}

/** @returns the exit code */
async function play(stage: Stage, names: readonly StoryName[]): Promise<number> {
  say('The built action, run as the runner runs it, against an emulator on this machine.')
  for (const name of names) {
    const problem = await STORIES[name].play(stage)
    if (problem === '') continue
    stage.end(problem)
    say(styleText('red', `This is not how it should have ended: ${problem}`))
    return 1
  }
  stage.end('')
  const last: Telling = STORIES[names.length > 1 ? '' : (names[0] ?? '')]
  say()
  say(
    `${styleText('green', last.verdict)} Next: ${last.next}; \`npm run emulator\` stays up for your own workflow.`,
  )
  return 0
}
