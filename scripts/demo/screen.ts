import { styleText } from 'node:util'
import type { Emulator } from '../../emulator/emulator.ts'
import type { StartedCheck } from '../../emulator/github/checks.ts'
import type { GitHub } from '../../emulator/github/github.ts'
import type { Commit, ReactionContent, Repository } from '../../emulator/github/model.ts'
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

/** A commit's checks and statuses, as they stand now: `✓ build  ✗ links  ✓ docs: octo/app#77`. */
export function checksOf(repository: Repository, { sha }: Commit, now: number) {
  const newest = new Map((repository.checks.get(sha) ?? []).map((check) => [check.name, check]))
  return [...newest.values()].map((check) => {
    const { name, kind, summary = '' } = check
    return { name: kind === 'status' ? `${name}: ${summary}` : name, sign: signOf(check, now) }
  })
}

const signOf = ({ endsAt, conclusion = 'success' }: StartedCheck, now: number) =>
  now < endsAt ? '…' : conclusion === 'success' ? '✓' : '✗'

/** Its commits, each with its checks; of the last one also the diff. */
export function showPullRequest({ github, settings }: Emulator, name: string, number: number): void {
  const repository = github.repo(name)
  const { commits } = github.pull(number, name)
  title(`${name}#${number}`, github.issue(number, name).title)
  for (const commit of commits) {
    const checks = checksOf(repository, commit, settings.now()).map(({ name, sign }) =>
      styleText(sign === '✓' ? 'green' : 'red', `${sign} ${name}`),
    )
    say(`    ${styleText('yellow', commit.sha.slice(0, 7))}  ${checks.join('  ')}`)
  }
  for (const { filename, patch = '' } of commits.at(-1)?.files ?? []) {
    say()
    indent([styleText('bold', filename), ...patch.trimEnd().split('\n').map(diffLine)], 4)
  }
}

/** The comments of an issue or pull request with their reactions. */
export function showThread(github: GitHub, repository: string, number: number): void {
  title(`${repository}#${number}`, github.issue(number, repository).title)
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

const COLOURS = { '@': 'cyan', '+': 'green', '-': 'red' } as const
const diffLine = (line: string): string =>
  Object.entries(COLOURS).reduce(
    (text, [sign, colour]) => (line.startsWith(sign) ? styleText(colour, text) : text),
    line,
  )

export function showSummary(summary: string): void {
  title('Step summary', 'on the page of the run')
  indent(render(summary, WIDTH - 4), 4)
}

function title(strong: string, rest: string): void {
  say()
  say(`  ${styleText(['bold', 'underline'], strong)}  ${rest}`)
  say()
}
