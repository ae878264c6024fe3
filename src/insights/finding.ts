import { hash } from 'node:crypto'

/** The kinds of findings, in the order of the input `include` (contract 9). */
export const KINDS = ['feedback', 'questions', 'searches'] as const
export type Kind = (typeof KINDS)[number]

/** What a reader says about the page; `unrated` for questions, searches, and feedback without a thumb. */
export type Rating = 'helpful' | 'not-helpful' | 'unrated'

/** What readers miss: the rows of the service with the same words on the same page, or one of them. */
export interface Finding {
  readonly kind: Kind
  /** '' if it belongs to no page. */
  readonly page: string
  /** As `readerText` returns it; '' for a thumb without a comment. */
  readonly text: string
  readonly rating: Rating
  /** Readers that it stands for: the hits of a search, else 1. */
  readonly readers: number
  /** The day, `2026-07-01`; '' if unknown. */
  readonly day: string
}

/** Collects the findings of one kind; the same words on the same page are one. */
export class Findings {
  readonly #findings = new Map<string, Finding>()

  add(entry: Finding): void {
    const words = entry.text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
    // The digest is shorter than the text, and thousands of them are in memory.
    const key = hash('sha256', `${entry.page}\n${words}`, 'base64')
    const known = this.#findings.get(key)
    this.#findings.set(key, known === undefined ? entry : merged(known, entry))
  }

  get size(): number {
    return this.#findings.size
  }

  /** The findings on the pages with most readers first, and those of a page together (contract 9.2). */
  ranked(): readonly Finding[] {
    const all = [...this.#findings.values()]
    const onPage = new Map<string, number>()
    for (const { page, readers } of all) onPage.set(page, (onPage.get(page) ?? 0) + readers)
    const rank = ({ page, readers }: Finding): number => (page === '' ? readers : (onPage.get(page) ?? 0))
    return all.toSorted(
      (a, b) =>
        rank(b) - rank(a) || compare(a.page, b.page) || b.readers - a.readers || compare(b.day, a.day),
    )
  }
}

function merged(a: Finding, b: Finding): Finding {
  return {
    ...a,
    readers: a.readers + b.readers,
    rating: b.rating === 'not-helpful' ? b.rating : a.rating,
    day: compare(a.day, b.day) < 0 ? b.day : a.day,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Groups findings by page, most readers first. Those without a page share the page ''. */
export function byPage(findings: readonly Finding[]) {
  // Runners of Gitea run the action on Node 20, which has no Map.groupBy.
  const groups = new Map<string, readonly Finding[]>()
  for (const finding of findings) {
    groups.set(finding.page, [...(groups.get(finding.page) ?? []), finding])
  }
  const pages = [...groups].map(([page, group]) => {
    const sorted = group.toSorted((a, b) => b.readers - a.readers)
    return { page, readers: sorted.reduce((sum, { readers }) => sum + readers, 0), findings: sorted }
  })
  // Findings without a page have nothing in common, so the largest one counts.
  const weight = ({ page, readers, findings: [first] }: (typeof pages)[number]) =>
    page === '' ? (first?.readers ?? 0) : readers
  return pages.toSorted((a, b) => weight(b) - weight(a))
}
