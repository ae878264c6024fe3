import { styleText } from 'node:util'
import type { GitHub } from '../../emulator/github/github.ts'
import type { ReactionContent } from '../../emulator/github/model.ts'
import { render } from './markdown.ts'

const WIDTH = Math.min(process.stdout.columns ?? 100, 100)

export const EMOJI: Readonly<Record<ReactionContent, string>> = {
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

interface Shown {
  /** With the text that the thread opens with. */
  readonly withBody?: boolean
}

/** An issue or pull request with its comments and their reactions, and the diff of a pull request. */
export function showThread(github: GitHub, repository: string, number: number, shown: Shown = {}): void {
  const issue = github.repository(repository)?.issues.get(number)
  if (issue === undefined) return
  title(`${repository}#${number}`, issue.title)
  if (shown.withBody) indent(render(issue.body, WIDTH - 4), 4)
  const pull = github.repository(repository)?.pulls.get(number)
  for (const { filename, patch = '' } of pull?.files ?? []) {
    indent([styleText('bold', filename), ...patch.trimEnd().split('\n').map(diffLine)], 4)
  }
  for (const { id, user, body } of github.comments(number, repository)) {
    const reactions = github.reactions('issue', id, repository).map(({ content }) => EMOJI[content])
    const app = user.type === 'Bot' ? styleText('dim', ' bot') : ''
    say(`    ${styleText('bold', user.login.replace(/\[bot\]$/, ''))}${app}`)
    indent([...render(body, WIDTH - 6), ...(reactions.length > 0 ? [reactions.join(' ')] : [])], 6)
  }
}

function indent(lines: readonly string[], by: number): void {
  for (const line of lines) say(`${' '.repeat(by)}${line}`.trimEnd())
  say()
}

function diffLine(line: string): string {
  if (line.startsWith('@@')) return styleText('cyan', line)
  if (line.startsWith('+')) return styleText('green', line)
  return line.startsWith('-') ? styleText('red', line) : line
}

export function showSummary(summary: string): void {
  title('Step summary', 'on the page of the run')
  indent(render(summary, WIDTH - 4), 4)
}

function title(strong: string, rest: string): void {
  say()
  say(`  ${styleText(['bold', 'underline'], strong)}  ${rest}`)
  say()
}
