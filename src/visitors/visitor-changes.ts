import type { Row, Visitors } from '../analytics/visitor-rows.ts'
import { grouped } from '../text.ts'

export interface Change {
  readonly path: string
  readonly before: number
  readonly now: number
}

/** Up or down, the largest change first. */
export function largestChanges(now: Visitors, before: Visitors, size: number): readonly Change[] {
  return [...new Set([...now.rows.keys(), ...before.rows.keys()])]
    .flatMap((path) => {
      const [to, from] = [totalOf(now, path), totalOf(before, path)]
      return to === undefined || from === undefined || to === from ? [] : [{ path, before: from, now: to }]
    })
    .toSorted((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
    .slice(0, size)
}

/** 0 for a page that is not among all rows; undefined where rows were cut, because then it is unknown. */
export function totalOf({ rows, complete }: Visitors, path: string): number | undefined {
  return rows.get(path)?.total ?? (complete ? 0 : undefined)
}

export const mostVisited = ({ rows }: Visitors, size: number): readonly Row[] =>
  [...rows.values()].toSorted((a, b) => b.total - a.total).slice(0, size)

/** `+1,200` or `−3`, with a real minus sign, so that columns align. */
export const signed = (difference: number): string =>
  `${difference < 0 ? '−' : '+'}${grouped(Math.abs(difference))}`

/** `+12 %`, `−3.4 %`, `±0 %`, or `new` where there was nothing before. */
export function percentage(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0\u00a0%' : 'new'
  const percent = Math.abs((now - before) / before) * 100
  if (percent < 0.05) return '±0\u00a0%'
  const size = percent < 9.95 ? percent.toFixed(1) : grouped(Math.round(percent))
  return `${now < before ? '−' : '+'}${size}\u00a0%`
}
