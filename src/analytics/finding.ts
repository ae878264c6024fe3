/** In the order of the input `include`. */
export const KINDS = ['feedback', 'questions', 'searches'] as const
export type Kind = (typeof KINDS)[number]

/** `unrated` for questions, searches, and feedback without a thumb. */
export type Rating = 'helpful' | 'not-helpful' | 'unrated'

/** The rows of the service with the same words on the same page, or one of them. */
export interface Finding {
  readonly kind: Kind
  /** A path of the site; '' if it belongs to no page. */
  readonly page: string
  /** As `readerText` returns it; '' for a thumb without a comment. */
  readonly text: string
  readonly rating: Rating
  /** Readers that it stands for: the hits of a search, else 1. */
  readonly readers: number
  /** Such as `2026-07-01`; '' if unknown. */
  readonly day: string
}

/**
 * Those on the pages with most readers first, and those of a page together. The same words on
 * the same page are one finding.
 */
export function findingsOf(entries: readonly Finding[]): readonly Finding[] {
  const same = Map.groupBy(
    entries,
    ({ page, text }) => `${page}\n${text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')}`,
  )
  const all = [...same.values()].map((group) => group.reduce(together))
  const onPage = new Map<string, number>()
  for (const { page, readers } of all) onPage.set(page, (onPage.get(page) ?? 0) + readers)
  const rank = ({ page, readers }: Finding): number => (page === '' ? readers : (onPage.get(page) ?? 0))
  return all.toSorted(
    (a, b) => rank(b) - rank(a) || order(a.page, b.page) || b.readers - a.readers || order(b.day, a.day),
  )
}

const together = (one: Finding, other: Finding): Finding => ({
  ...one,
  readers: one.readers + other.readers,
  rating: other.rating === 'not-helpful' ? other.rating : one.rating,
  day: order(one.day, other.day) < 0 ? other.day : one.day,
})

/** Most readers first. */
export function byPage(findings: readonly Finding[]) {
  const pages = [...Map.groupBy(findings, ({ page }) => page)].map(([page, group]) => ({
    page,
    readers: group.reduce((sum, { readers }) => sum + readers, 0),
    findings: group.toSorted((a, b) => b.readers - a.readers),
  }))
  // Findings without a page have nothing in common, so the largest one counts.
  const weight = ({ page, readers, findings: [first] }: (typeof pages)[number]) =>
    page === '' ? (first?.readers ?? 0) : readers
  return pages.toSorted((a, b) => weight(b) - weight(a))
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
