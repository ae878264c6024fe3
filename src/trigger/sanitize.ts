/**
 * Takes out of Markdown what its readers on GitHub do not see, since the agent would read it as well (contract 4.2).
 * What is left may still be hostile: it stays inside a fence.
 *
 * Order matters: invisible characters go first, so that they cannot break up what the next steps look for; the rest is
 * repeated until nothing changes, so that no removal puts together what the next one would have taken.
 */
export function sanitize(markdown: string): string {
  let text = withoutInvisible(markdown.replace(/\r\n?/g, '\n'))
  for (let pass = 1; ; pass++) {
    const shown = withoutDefinitions(withoutAttributes(withoutHiddenHtml(text)))
    if (shown === text) return text.replace(/\n{3,}/g, '\n\n').trim()
    text = pass < MOST_PASSES ? shown : shown.replace(/[<[]/g, ' ')
  }
}

/** Nobody nests comments this deep in good faith; what is left then loses the characters that all hiding needs. */
const MOST_PASSES = 20

/**
 * Zero-width, bidirectional, filler, variation and tag characters are all "default ignorable" in Unicode; the
 * interlinear ones and the controls are not.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|(?![\n\t])\p{Cc}/gu

/** The text without the characters that nobody sees, for what is not Markdown: titles, names, patches. */
export const withoutInvisible = (text: string): string => text.toWellFormed().replace(INVISIBLE, '')

/** What HTML and CommonMark do not show, from its opening to its closing; to the end where nothing closes it. */
const HIDDEN: readonly { readonly open: RegExp; readonly close: RegExp }[] = [
  // `<!-->` and `<!--->` are whole comments: https://html.spec.whatwg.org/#parse-error-abrupt-closing-of-empty-comment
  { open: /^<!--/, close: /(?<=^<!-{2,3})>|--!?>/ },
  { open: /^<!\[CDATA\[/, close: /\]\]>/ },
  { open: /^<![a-z]/i, close: />/ },
  { open: /^<\?/, close: /\?>/ },
  // What is no tag after all is a comment where HTML is read: https://html.spec.whatwg.org/#bogus-comment-state
  { open: /^<[!/](?![a-z])[^<>]*>/i, close: />/ },
]

/** One pass from left to right, as a parser would: what opens first hides everything up to its own closing. */
function withoutHiddenHtml(text: string): string {
  let shown = ''
  let rest = text
  for (;;) {
    const at = rest.search(/<(?:[!?]|\/(?![a-z]))/i)
    if (at < 0) return shown + rest
    shown += rest.slice(0, at)
    rest = rest.slice(at)
    const hidden = HIDDEN.find(({ open }) => open.test(rest))
    const end = hidden === undefined ? /^../.exec(rest) : hidden.close.exec(rest)
    if (end === null) return shown
    if (hidden === undefined) shown += end[0]
    rest = rest.slice(end.index + end[0].length)
  }
}

/** A tag stays, what it carries goes: `<img alt="…">`, `<a title="…">`. */
function withoutAttributes(text: string): string {
  let shown = ''
  let from = 0
  let unclosed = 0
  for (const tag of text.matchAll(/<\/?[a-z][^\s/<>]*(?=[\s/])/gi)) {
    if (tag.index < from) continue
    const name = tag[0]
    const end = unclosed > MOST_UNCLOSED ? -1 : tagEnd(text, tag.index + name.length)
    if (end < 0) unclosed++
    // In a paragraph a tag that nothing closes is text; a line that begins with a tag is HTML, and hides it.
    if (end < 0 && !LINE_OF_HTML.test(text.slice(text.lastIndexOf('\n', tag.index) + 1, tag.index + 1)))
      continue
    shown += `${text.slice(from, tag.index)}${name}>`
    const blank = text.indexOf('\n\n', tag.index)
    from = end >= 0 ? end : blank < 0 ? text.length : blank
  }
  return shown + text.slice(from)
}

const LINE_OF_HTML = /^[\s>*+-]*</
/** Each is looked for up to the end of the text; nobody writes more in good faith. */
const MOST_UNCLOSED = 50

/** Where the tag ends, as HTML reads it: only behind `=` does a quote begin a value; -1 where nothing ends it. */
function tagEnd(text: string, start: number): number {
  let quote = ''
  let before = ''
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at + 1
    else if (before === '=' && (character === '"' || character === "'")) quote = character
    if (character.trim() !== '') before = character
  }
  return -1
}

/**
 * `[label]: target "title"`: a definition shows nothing, wherever it stands, and is the usual Markdown "comment". Label,
 * target and title may each begin on a line of its own, and label and title may go over several; a blank line ends all.
 * https://spec.commonmark.org/0.31.2/#link-reference-definitions
 */
const DEFINITION = /^(?:[ \t>*+-]|\d{1,9}[.)])*\[(?:[^\]\\]|\\.)*\]:(.*)$/

/** What of a definition is still to come: its target, its title, or the rest of a title up to this character. */
type Pending = 'target' | 'title' | '"' | "'" | ')'
const CLOSING: Readonly<Record<string, Pending>> = { '"': '"', "'": "'", '(': ')' }

function withoutDefinitions(text: string): string {
  const kept: string[] = []
  let pending: Pending | undefined
  for (const line of joinLabels(text).split('\n')) {
    const part = definitionPart(line, pending)
    pending = part === undefined ? undefined : pendingAfter(...part)
    if (part === undefined) kept.push(line)
  }
  return kept.join('\n')
}

/** What the line adds to a definition, with what of it was to come; undefined where it is none. */
function definitionPart(line: string, pending: Pending | undefined): [string, Pending] | undefined {
  const inside = line.replace(/^[ \t>]+/, '')
  const goesOn = inside !== '' && (pending === 'title' ? /^["'(]/.test(inside) : pending !== undefined)
  if (goesOn && pending !== undefined) return [inside, pending]
  const afterLabel = DEFINITION.exec(line)?.[1]
  return afterLabel === undefined ? undefined : [afterLabel, 'target']
}

function pendingAfter(part: string, pending: Pending): Pending | undefined {
  const rest = part.replace(/\\./g, '..').trim()
  if (pending === 'target') {
    const title = rest.replace(/^(?:<[^>]*>|\S+)\s*/, '')
    if (rest === '') return 'target'
    return title === '' ? 'title' : pendingAfter(title, 'title')
  }
  const closing = pending === 'title' ? CLOSING[rest.charAt(0)] : pending
  if (closing === undefined) return undefined
  return rest.includes(closing, pending === 'title' ? 1 : 0) ? undefined : closing
}

/** A label may stand on several lines; on one, the line-wise look above sees it. */
function joinLabels(text: string): string {
  const label = /^((?:[ \t>*+-]|\d{1,9}[.)])*\[)((?:[^\][\\\n]|\\(?:.|\n(?!\s*\n))|\n(?!\s*\n))*)(\]:)/gm
  return text.replace(label, (_, open, inside, close) => open + String(inside).replaceAll('\n', ' ') + close)
}
