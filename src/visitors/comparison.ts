import { codePath } from '../analytics/paths.ts'
import type { Period } from '../period.ts'
import { grouped, table } from '../text.ts'
import type { Figures, Row } from './rows.ts'

/** The period before, and what changed since. */
export interface Comparison {
  readonly period: Period
  readonly totals: Figures
  /** Of the earlier period. */
  readonly pathTotals: PathTotals
  readonly changes: readonly Change[]
  /** Whether all pages of the earlier period were read. */
  readonly complete: boolean
}

/** Visitors of one page in two periods. */
export interface Change {
  readonly path: string
  readonly before: number
  readonly now: number
}

/** All visitors of each page, by path. */
export type PathTotals = ReadonlyMap<string, number>

export function addTotals(totals: Map<string, number>, rows: readonly Row[]): void {
  for (const { path, total } of rows) totals.set(path, total)
}

/**
 * The pages whose visitors changed most, up or down, the largest change first.
 * @param whole both periods were read to their end: a page that is missing in one of them had no visitors
 */
export function largestChanges(
  now: PathTotals,
  before: PathTotals,
  size: number,
  whole: boolean,
): readonly Change[] {
  const largest = ranking<Change>(size, (change) => Math.abs(change.now - change.before))
  const add = (path: string) => {
    const change = { path, before: before.get(path) ?? 0, now: now.get(path) ?? 0 }
    if (change.now !== change.before && (whole || (now.has(path) && before.has(path)))) largest.add(change)
  }
  for (const path of now.keys()) add(path)
  for (const path of before.keys()) if (!now.has(path)) add(path)
  return largest.list()
}

/**
 * The heaviest few of any number of items; of two with the same weight, the first one comes first. Holds `size` items
 * at most, so that memory does not grow with what is added.
 */
export function ranking<T>(size: number, weightOf: (item: T) => number) {
  const items: { readonly item: T; readonly weight: number }[] = []
  return {
    add(item: T): void {
      const weight = weightOf(item)
      const at = items.findIndex((other) => other.weight < weight)
      items.splice(at < 0 ? items.length : at, 0, { item, weight })
      if (items.length > size) items.pop()
    },
    /** Heaviest first. */
    list: (): readonly T[] => items.map(({ item }) => item),
  }
}

/** The section of the summary about the pages that changed most; '' if none did. */
export function changesSection({ changes, complete }: Comparison, nowComplete: boolean): string {
  if (changes.length === 0) return ''
  const partly = complete && nowComplete ? '' : '\n\nOf the pages that both periods list.'
  const cells = ({ path, before, now }: Change) => [
    codePath(path),
    grouped(before),
    grouped(now),
    signed(now - before),
    now === 0 ? 'gone' : changeOf(now, before),
  ]
  const columns = { Page: 'left', Before: 'right', Now: 'right', Visitors: 'right', Change: 'right' } as const
  return `### What moved most${partly}\n\n${table(columns, changes.map(cells))}`
}

/** With a real minus sign, so that columns align. */
function signed(value: number, digits = 0): string {
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toLocaleString('en-US', fixed)}`
}

/** `+12 %`, `−3.4 %`, `±0 %`, or `new` if there was nothing before. */
export function changeOf(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0 %' : 'new'
  const percent = ((now - before) / before) * 100
  if (Math.abs(percent) < 0.05) return '±0 %'
  return `${signed(percent, Math.abs(percent) < 9.95 ? 1 : 0)} %`
}
