import { styleText } from 'node:util'
import type { GitHub } from '../../emulator/github/github.ts'
import type { ReactionContent } from '../../emulator/github/model.ts'
import { render } from './markdown.ts'

const WIDTH = Math.min(process.stdout.columns ?? 100, 100)

export const FACES: Readonly<Record<ReactionContent, string>> = {
  '+1': '👍',
  '-1': '👎',
  laugh: '😄',
  confused: '😕',
  heart: '❤️',
  hooray: '🎉',
  rocket: '🚀',
  eyes: '👀',
}

export const say = (text = ''): void => void process.stdout.write(`${text}\n`)

export function heading(text: string): void {
  say()
  say(styleText(['bold', 'magenta'], `━━ ${text} ${'━'.repeat(Math.max(0, WIDTH - text.length - 4))}`))
  say()
}

export const logLine = (line: string): void => say(`${styleText('dim', '  │')} ${colourOf(line)}`)

function colourOf(line: string): string {
  if (line.startsWith('Error: ')) return styleText('red', line)
  return line.startsWith('Warning: ') ? styleText('yellow', line) : line
}

/** An issue or pull request with its comments and their reactions. */
export function showThread(github: GitHub, repository: string, number: number): void {
  const issue = github.repository(repository)?.issues.get(number)
  title(`${repository}#${number}`, issue?.title ?? '')
  for (const { id, user, body } of github.comments(number, repository)) {
    const faces = github.reactions('issue', id, repository).map(({ content }) => FACES[content])
    const app = user.type === 'Bot' ? styleText('dim', ' bot') : ''
    say(`    ${styleText('bold', user.login.replace(/\[bot\]$/, ''))}${app}`)
    for (const line of render(body, WIDTH - 6)) say(`      ${line}`.trimEnd())
    if (faces.length > 0) say(`      ${faces.join(' ')}`)
    say()
  }
}

export function showSummary(summary: string): void {
  title('Step summary', 'on the page of the run')
  for (const line of render(summary, WIDTH - 4)) say(`    ${line}`.trimEnd())
  say()
}

function title(strong: string, rest: string): void {
  say()
  say(`  ${styleText(['bold', 'underline'], strong)}  ${rest}`)
  say()
}
