import { withoutIgnorable } from '../invisible.ts'
import type { Element } from './html-visibility.ts'
import { TextWriter } from './text-writer.ts'

/** Smaller text is hidden: of 14 pixels, less than 7. Ruby has half the size. */
const ILLEGIBLE_BELOW = 0.5

const BLANK = /^[\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/

/** Begins an element, and gives what ends it. */
export type Open = (page: Page, element: Element) => (() => void) | undefined

/** The text of a page as far as a walk through its HTML has come, and what is open there. */
export class Page {
  out = new TextWriter(() => this.lineDirection)
  readonly markers: ((item: Element) => string)[] = []
  readonly rows: string[][] = []
  /** Of the text, where that of the page is 1. */
  size = 1
  /** Unicode's character for the direction that is set here, '' for that of the text. */
  direction = ''
  /** The same for the block. */
  lineDirection = ''
  /** Whether each end of a line in the text is shown as one. */
  keepsLines = false
  lastImage: string | undefined
  seen = 0
  /** Marks that are written before the next text that readers see. */
  #waiting: { readonly out: TextWriter; readonly mark: string }[] = []

  get isIllegible(): boolean {
    return this.size < ILLEGIBLE_BELOW
  }

  /** Code and cells are written aside. @returns what ends that, and gives what was written */
  writeAside(isCode = this.out.isCode): () => string {
    const { out } = this
    const aside = new TextWriter(() => this.lineDirection, isCode)
    this.out = aside
    return () => {
      this.out = out
      return String(aside)
    }
  }

  text(value: string): void {
    if (this.isIllegible) return
    const shown = withoutIgnorable(value.replace(/[\f\r]/g, ' '))
    if (!BLANK.test(shown)) this.see()
    if (this.keepsLines) this.#lines(shown)
    else this.out.text(shown)
  }

  #lines(text: string): void {
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) this.out.breakLine()
      this.out.text(line)
    }
  }

  /** @param note stands for something that readers see */
  replace(note: string): void {
    const isBlock = note === '[diagram]' || note === '---'
    if (isBlock) this.out.endBlock(2)
    this.see()
    this.out.text(note)
    if (isBlock) this.out.endBlock(2)
  }

  see(): void {
    this.seen += 1
    for (const { out, mark } of this.#waiting.splice(0)) out.text(mark)
  }

  /**
   * Marks around what follows, if readers see any of it.
   * @param inLine for marks that mean nothing beyond the line
   * @returns what writes the second one
   */
  wrap(before: string, after: string, inLine = false): () => void {
    const { seen } = this
    this.#waiting.push({ out: this.out, mark: before })
    return () => {
      if (this.seen === seen) this.#waiting.pop()
      else if (!inLine || !this.out.isBetweenLines) this.out.text(after)
    }
  }
}

export const block =
  (lines: 1 | 2): Open =>
  ({ out }) => {
    out.endBlock(lines)
    return () => out.endBlock(lines)
  }

export const prefixed =
  (lines: 1 | 2, first: string, rest: string): Open =>
  ({ out }) => {
    out.endBlock(lines)
    out.openPrefix(first, rest)
    return () => {
      out.closePrefix()
      out.endBlock(lines)
    }
  }

export const wrapped =
  (before: string, after = before): Open =>
  (page) =>
    page.wrap(before, after)
