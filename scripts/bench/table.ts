import { styleText } from 'node:util'

/** A figure that is to stay below a limit, or not to fall below it. */
interface Goal {
  readonly what: string
  readonly value: number
  readonly limit: number
  /** The limit is the least that the figure may be. */
  readonly isLeast?: boolean
}

/** What one part of the benchmark found. */
export interface Report {
  readonly title: string
  /** How it was measured, in a sentence. */
  readonly note: string
  /** Figures by the names of rows and columns. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly goals: readonly Goal[]
}

export function print({ title, note, rows, goals }: Report): void {
  console.log(`\n${styleText('bold', title)}\n${note}`)
  const figures = Object.entries(rows).map(([name, row]) => [
    name,
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, rounded(value)])),
  ])
  console.table(Object.fromEntries(figures))
  for (const { what, value, limit, isLeast = false } of goals) {
    const isMet = isLeast ? value >= limit : value <= limit
    const [sign, colour] = isMet ? (['✓', 'green'] as const) : (['✗', 'red'] as const)
    console.log(
      styleText(colour, `${sign} ${what}: ${rounded(value)}, at ${isLeast ? 'least' : 'most'} ${limit}`),
    )
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000
