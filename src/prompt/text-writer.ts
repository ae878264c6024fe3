/** Deeper levels add no prefix, since each line would repeat those of all levels around it. */
const DEEPEST_PREFIX = 40

/**
 * The space between two blocks is only noted, and written before the next text. So nothing blank begins or ends the
 * text, and a block without text leaves no trace.
 */
export class TextWriter {
  readonly #parts: string[] = []
  /** What the lines of a block begin with: a mark on the first one, and on the others what keeps them below it. */
  readonly #prefixes: { readonly first: string; readonly rest: string }[] = []
  /** How many prefixes, from the outside, have had their first line. */
  #begun = 0
  #space = false
  /** The ends of lines to write before the next text. */
  #gap: 0 | 1 | 2 = 0
  /** How many prefixes hold for a blank line within the gap. */
  #gapDepth = 0
  readonly #direction: () => string
  /** All white space counts. */
  readonly isCode: boolean

  /** @param direction Unicode's character for the direction of a line that begins, or '' */
  constructor(direction: () => string, isCode = false) {
    this.#direction = direction
    this.isCode = isCode
  }

  /** Grows with each write. */
  get size(): number {
    return this.#parts.length
  }

  /** What was written since `size` had this value. */
  since(size: number): string {
    return this.#parts.slice(size).join('')
  }

  toString(): string {
    return this.since(0)
  }

  /** Whether the next text begins a line. */
  get isBetweenLines(): boolean {
    return this.size === 0 || this.#gap > 0
  }

  /** Whether the next text joins what stands before it. */
  get isAfterText(): boolean {
    return !this.isBetweenLines && !this.#space
  }

  /** Ends the line, if there is one: with 1 the next text begins a line, with 2 a paragraph. */
  endBlock(lines: 1 | 2): void {
    if (this.size === 0 || this.#begun < this.#prefixes.length) return
    const depth = this.#prefixes.length
    this.#gapDepth = this.#gap === 0 ? depth : Math.min(this.#gapDepth, depth)
    if (lines > this.#gap) this.#gap = lines
  }

  breakLine(): void {
    this.endBlock(this.#gap === 0 ? 1 : 2)
  }

  openPrefix(first: string, rest: string): void {
    this.#prefixes.push({ first, rest })
  }

  closePrefix(): void {
    this.#prefixes.pop()
    this.#begun = Math.min(this.#begun, this.#prefixes.length)
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
    const [first = '', ...more] = value.split('\n')
    if (value === '') return
    this.#beginText()
    this.#parts.push(first)
    for (const line of more) {
      const prefix = this.#linePrefix()
      this.#parts.push('\n', line === '' ? prefix.trimEnd() : prefix, line)
    }
  }

  #beginText(): void {
    const isFirst = this.size === 0
    if (this.#gap === 2) this.#parts.push('\n', this.#blankPrefix())
    if (this.#gap > 0) this.#parts.push('\n')
    if (isFirst || this.#gap > 0) this.#parts.push(this.#linePrefix())
    else if (this.#space) this.#parts.push(' ')
    this.#gap = 0
    this.#space = false
  }

  #blankPrefix(): string {
    const around = this.#prefixes.slice(0, Math.min(this.#gapDepth, DEEPEST_PREFIX))
    return around
      .map(({ rest }) => rest)
      .join('')
      .trimEnd()
  }

  #linePrefix(): string {
    const shown = this.#prefixes.slice(0, DEEPEST_PREFIX)
    const prefix = shown.map(({ first, rest }, depth) => (depth < this.#begun ? rest : first)).join('')
    this.#begun = this.#prefixes.length
    return prefix + this.#direction()
  }
}
