/**
 * The space between two blocks is only noted, and written before the next text. So nothing blank begins or ends the
 * text, and a block without text leaves no trace.
 */
export class TextWriter {
  readonly #parts: string[] = []
  #space = false
  /** The ends of lines to write before the next text. */
  #gap: 0 | 1 | 2 = 0
  /** All white space counts. */
  readonly isCode: boolean

  constructor(isCode = false) {
    this.isCode = isCode
  }

  toString(): string {
    return this.#parts.join('')
  }

  /** Whether the next text joins what stands before it. */
  get isAfterText(): boolean {
    return this.#parts.length > 0 && this.#gap === 0 && !this.#space
  }

  /** Where the next text begins. */
  mark(): number {
    return this.#parts.length
  }

  /** A note in place of all that was written since then, if any of that can be seen. */
  replaceFrom(mark: number, note: string): void {
    const text = this.#parts.splice(mark).join('')
    const [gap] = /^\s*/.exec(text) ?? ['']
    this.#parts.push(/[^\s\p{Bidi_Control}]/u.test(text) ? gap + note : text)
  }

  /** Ends the line, if there is one: with 1 the next text begins a line, with 2 a paragraph. */
  endBlock(lines: 1 | 2): void {
    if (this.#parts.length > 0 && lines > this.#gap) this.#gap = lines
  }

  breakLine(): void {
    this.endBlock(this.#gap === 0 ? 1 : 2)
  }

  /** Outside code, a run of white space is one blank. */
  text(value: string): void {
    if (this.isCode) {
      this.verbatim(value)
      return
    }
    const collapsed = value.replace(/[ \t\n]+/g, ' ')
    if (collapsed.startsWith(' ')) this.#space = true
    const words = collapsed.replace(/^ | $/g, '')
    if (words === '') return
    this.verbatim(words)
    this.#space = collapsed.endsWith(' ')
  }

  /** Text of one or more lines, as it is. */
  verbatim(value: string): void {
    if (value === '') return
    if (this.#gap > 0) this.#parts.push('\n'.repeat(this.#gap))
    else if (this.#space && this.#parts.length > 0) this.#parts.push(' ')
    this.#parts.push(value)
    this.#gap = 0
    this.#space = false
  }
}
