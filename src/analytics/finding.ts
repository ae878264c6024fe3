/** In the order of the input `include`. */
export const KINDS = ['feedback', 'questions', 'searches'] as const
export type Kind = (typeof KINDS)[number]

/** `unrated` for questions, searches, and feedback without a thumb. */
export type Rating = 'helpful' | 'not-helpful' | 'unrated'

/** A block of code that feedback is about, as `readerText` returns its parts. */
export interface Code {
  readonly text: string
  readonly file: string
  readonly language: string
}

/** The rows of the service with the same words on the same page, or one of them. */
export interface Finding {
  readonly kind: Kind
  /** A path of the site; '' if it belongs to no page. */
  readonly page: string
  /** As `readerText` returns it; '' for a thumb without a comment. */
  readonly text: string
  readonly rating: Rating
  readonly code?: Code | undefined
  /** Pages that the assistant named below a question. */
  readonly sources?: readonly string[] | undefined
  /** People that it stands for: the hits of a search, else 1; 0 for feedback of an AI agent. */
  readonly readers: number
  /** AI agents that it stands for. */
  readonly agents: number
  /** Such as `2026-07-01`; '' if unknown. */
  readonly day: string
}

/**
 * Those on the pages with most readers first, and those of a page together. The same words on
 * the same page, about the same code, are one finding.
 */
export function findingsOf(entries: readonly Finding[]): readonly Finding[] {
  const same = Map.groupBy(entries, ({ page, text, code }) =>
    JSON.stringify([page, text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' '), code]),
  )
  const all = [...same.values()].map((group) => group.reduce(together))
  const onPage = Map.groupBy(all, ({ page }) => page)
  const weights = new Map([...onPage].map(([page, group]) => [page, sumOf(group)]))
  const rank = (finding: Finding): Count =>
    finding.page === '' ? finding : (weights.get(finding.page) ?? finding)
  return all.toSorted(
    (a, b) => mostFirst(rank(a), rank(b)) || order(a.page, b.page) || mostFirst(a, b) || order(b.day, a.day),
  )
}

type Count = Pick<Finding, 'readers' | 'agents'>

const mostFirst = (a: Count, b: Count): number => b.readers - a.readers || b.agents - a.agents

const sumOf = (findings: readonly Count[]): Count => ({
  readers: findings.reduce((sum, { readers }) => sum + readers, 0),
  agents: findings.reduce((sum, { agents }) => sum + agents, 0),
})

const together = (one: Finding, other: Finding): Finding => ({
  ...one,
  readers: one.readers + other.readers,
  agents: one.agents + other.agents,
  rating: other.rating === 'not-helpful' ? other.rating : one.rating,
  sources: one.sources ?? other.sources,
  day: order(one.day, other.day) < 0 ? other.day : one.day,
})

/** Most readers first, then most AI agents. */
export function byPage(findings: readonly Finding[]) {
  const pages = [...Map.groupBy(findings, ({ page }) => page)].map(([page, group]) => ({
    page,
    ...sumOf(group),
    findings: group.toSorted(mostFirst),
  }))
  // Findings without a page have nothing in common, so the largest one counts.
  const weight = (each: (typeof pages)[number]): Count =>
    each.page === '' ? (each.findings[0] ?? each) : each
  return pages.toSorted((a, b) => mostFirst(weight(a), weight(b)))
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
