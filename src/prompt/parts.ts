import { withoutInvisible } from '../base/invisible.ts'
import { oneLine } from '../base/text.ts'
import type { Omission } from '../words/side-tasks.ts'
import type { PartSource } from './part-sources.ts'

/** Text of one source, below a line of the frame. */
export interface Section {
  /** In one line, which carries the token of the part, and in which names from outside are code spans; '' for none. */
  readonly heading: string
  readonly text: string
}

/** What others wrote, from one source. The frame alone makes text of it. */
export interface Part {
  readonly source: PartSource
  /** None for a part that is left out. */
  readonly sections: readonly Section[]
  /** What it lacks, in words of our own, which stand outside the part; '' for nothing. */
  readonly note: string
  /** The same for people. */
  readonly omissions: readonly Omission[]
  /** How many pictures its texts have, of which at most a label or an address is there. */
  readonly pictures: number
  /** What had no room in it; undefined for nothing that a later command can send. */
  readonly rest?: RestOfChanges | undefined
}

export interface RestOfChanges {
  /** Of what went and what did not: only the same changes have the same rest. */
  readonly digest: string
  readonly part: Part
}

type Lacks = Partial<Pick<Part, 'note' | 'omissions' | 'pictures' | 'rest'>>

/** @param text or texts under headings: as they are, whoever wrote them */
export function partOf(
  source: PartSource,
  text: string | readonly Section[],
  { note = '', omissions = [], pictures = 0, rest }: Lacks = {},
): Part {
  const given = typeof text === 'string' ? [{ heading: '', text }] : text
  const sections = given
    .map((one) => ({ heading: inOneLine(one.heading, 1000), text: withoutBlankEnds(one.text) }))
    .filter(({ heading, text }) => heading !== '' || text !== '')
  return { source, sections, note, omissions, pictures, ...(rest && { rest }) }
}

/** The first line keeps its indentation. */
const withoutBlankEnds = (text: string): string =>
  withoutInvisible(text)
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()

/** A name from outside, which its readers see in one line. */
export const inOneLine = (name: string, max = 300): string => withoutInvisible(oneLine(name, max))

/** Those that say something. */
export const present = (parts: readonly Part[]): readonly Part[] =>
  parts.filter(({ sections, note }) => sections.length > 0 || note !== '')

/** Characters of a part, without its frame. */
export const lengthOf = ({ sections }: Pick<Part, 'sections'>): number =>
  sections.reduce((sum, { heading, text }) => sum + heading.length + text.length + GAP, 0)

/** Of a section: its ends of lines. */
const GAP = 4
/** So little would hold a note alone. */
const LEAST = 200

/** The part within its budget, cut at a line, with a note. @param past what people hear then */
export function cutPart(part: Part, budget: number, past?: Omission): Part {
  if (lengthOf(part) <= budget) return part
  const sections: Section[] = []
  let left = budget
  for (const { heading, text } of part.sections) {
    const most = left - heading.length - GAP
    if (text.length > most && most < LEAST) break
    sections.push({ heading, text: cutToBudget(text, most) })
    left = most - text.length
    if (left < 0) break
  }
  const missing = part.sections.length - sections.length
  const note =
    missing === 0
      ? part.note
      : `${part.note} ${sections.length === 0 ? 'It' : 'The rest'} has no room here.`.trim()
  return {
    ...part,
    sections,
    note,
    omissions: past === undefined ? part.omissions : [...part.omissions, past],
  }
}

/** Shares of a budget that a part keeps, where the parts exceed it together. */
const SHARES: Readonly<Partial<Record<PartSource['kind'], number>>> = {
  ...{ body: 1 / 4, files: 1 / 4, comparison: 1 / 8, commits: 1 / 8, patches: 1 / 4 },
}

/** Parts that share a budget: each has its share, and what those behind it leave. */
export function withinBudget(parts: readonly Part[], budget: number, past: Omission): readonly Part[] {
  let left = budget
  return parts.map((part, at) => {
    const kept = parts
      .slice(at + 1)
      .reduce((sum, one) => sum + Math.min(lengthOf(one), (SHARES[one.source.kind] ?? 0) * budget), 0)
    const cut = cutPart(part, Math.max(0, left - kept), past)
    left -= lengthOf(cut)
    return cut
  })
}

const NOTE_LENGTH = 60

/** Cut at a line, with a note. @param goesOn whether more follows that was not read */
export function cutToBudget(text: string, budget: number, goesOn = false): string {
  const whole = withoutInvisible(text)
  if (whole.length <= budget && !goesOn) return whole
  const most = Math.max(0, budget - NOTE_LENGTH)
  const start = whole.slice(0, most).toWellFormed()
  // In the middle of a line where most of what fits would be lost.
  const line = start.lastIndexOf('\n')
  const cut = line > most / 2 && whole.length > most ? start.slice(0, line) : start
  return `${cut}\n[cut: ${goesOn ? 'more than ' : ''}${whole.length - cut.length} more characters]`
}
