import { styleText } from 'node:util'
import type { Comment } from '../../emulator/github/model.ts'

const WIDTH = Math.min(process.stdout.columns ?? 100, 100)

export const say = (text = ''): void => void process.stdout.write(`${text}\n`)

export function heading(text: string): void {
  say()
  say(styleText(['bold', 'magenta'], `━━ ${text} ${'━'.repeat(Math.max(0, WIDTH - text.length - 4))}`))
  say()
}

/** Shows the lines of one log: of lines in a row that differ in nothing but their time, only the first. */
export function logLines(): (line: string) => void {
  let last = ''
  return (line) => {
    const state = line.replace(/^ *\d+:\d\d {2}/, '')
    if (state !== last || state === line) say(`${styleText('dim', '  │')} ${colourOf(line)}`)
    last = state
  }
}

function colourOf(line: string): string {
  if (line.startsWith('Error: ')) return styleText('red', line)
  return line.startsWith('Warning: ') ? styleText('yellow', line) : line
}

/** As it is written, without what GitHub hides or folds; the page shows all of it. */
export function sayComment({ user, body }: Comment): void {
  const shown = body.replace(/<!--[\s\S]*?-->|<details>[\s\S]*?<\/details>|<\/?sub>/g, '').trim()
  say(`\n    ${styleText('bold', user.login)}`)
  for (const line of shown.split(/\n+/)) say(`      ${line}`)
}
