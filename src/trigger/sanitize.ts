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
]

/** One pass from left to right, as a parser would: what opens first hides everything up to its own closing. */
function withoutHiddenHtml(text: string): string {
  let shown = ''
  let rest = text
  for (;;) {
    const at = rest.search(/<[!?]/)
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

/** A tag stays, what it carries goes: `<img alt="…">`, `<a title="…">`. A tag that nothing closes is no tag. */
const ATTRIBUTES = /<(\/?[a-z][a-z\d-]*)[\s/](?:"[^"]*"|'[^']*'|[^"'<>])*>/gi

const withoutAttributes = (text: string): string => text.replace(ATTRIBUTES, '<$1>')

/** `[label]: target "title"`: a definition shows nothing, wherever it stands, and is the usual Markdown "comment". */
const DEFINITION_START = /^[ \t>*+-]*\[(?:[^\]\\]|\\.)*\]:/

/** Drops each definition with its continuation lines, up to the next blank line. */
function withoutDefinitions(text: string): string {
  const kept: string[] = []
  let inside = false
  for (const line of joinLabels(text).split('\n')) {
    inside = DEFINITION_START.test(line) || (inside && CONTINUES.test(line))
    if (!inside) kept.push(line)
  }
  return kept.join('\n')
}

/** A line that only a definition's target or title can be. */
const CONTINUES = /^\s*(?:<[^>]*>|#\S*|https?:\S+|["'(].*|.*["')])\s*$/

/** A label may stand on several lines; on one, the line-wise look above sees it. */
function joinLabels(text: string): string {
  return text.replace(/^([ \t>*+-]*\[)((?:[^\][\\\n]|\\.|\n(?!\s*\n))*)(\]:)/gm, (_, open, label, close) => {
    return open + String(label).replaceAll('\n', ' ') + close
  })
}
