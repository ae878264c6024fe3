import { styleText } from 'node:util'

/** A figure that is to stay below a limit. */
export interface Goal {
  readonly what: string
  readonly value: number
  readonly limit: number
}

/** What one part of the benchmark found. */
export interface Report {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly goals: readonly Goal[]
  /** How it was measured, in a sentence. */
  readonly note: string
}

export function print({ title, head, rows, goals, note }: Report): void {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`
  const lines = [
    '',
    styleText('bold', title),
    styleText('dim', `  ${note}`),
    styleText('underline', line(head)),
    ...rows.map(line),
    ...goals.map(goalLine),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function goalLine({ what, value, limit }: Goal): string {
  const [sign, colour] = value <= limit ? (['✓', 'green'] as const) : (['✗', 'red'] as const)
  return styleText(colour, `  ${sign} ${what}: ${decimal(value)}, at most ${decimal(limit)}`)
}

export const decimal = (value: number, digits = 2): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits })
