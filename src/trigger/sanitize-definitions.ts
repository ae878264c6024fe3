/**
 * `[label]: target "title"`: a definition shows nothing, wherever it stands, and is the usual Markdown "comment". Label,
 * target and title may each begin on a line of its own, and label and title may go over several; a blank line ends all.
 * https://spec.commonmark.org/0.31.2/#link-reference-definitions
 */
const DEFINITION = /^(?:[ \t>*+-]|\d{1,9}[.)])*\[(?:[^\]\\]|\\.)*\]:(.*)/

/** What of a definition is still to come: its target, its title, or the rest of a title up to this character. */
type Pending = 'target' | 'title' | '"' | "'" | ')'
const CLOSING: Readonly<Record<string, Pending>> = { '"': '"', "'": "'", '(': ')' }

export function withoutDefinitions(text: string): string {
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
  const goesOn = pending === 'title' ? /^["'(]/.test(inside) : inside !== ''
  if (pending !== undefined && goesOn) return [inside, pending]
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
