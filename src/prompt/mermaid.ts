import { hidesText } from './mermaid-styles.ts'

/** What a picture shows, in its order: texts, and nodes under their ids, of which a later label replaces an earlier one. */
class Picture {
  readonly #texts = new Map<string, string>()
  /** Of each thing, the names of its styles. */
  readonly #styles = new Map<string, Set<string>>()
  /** Those that the source defines, none of which hides text by itself. */
  readonly #defined: string[] = []

  text(text: string | undefined): void {
    if (text !== undefined) this.#texts.set(`text ${this.#texts.size}`, text)
  }

  /** Without a label, the picture shows the id. */
  node(id: string | undefined, label?: string): void {
    if (id === undefined || (label === undefined && this.#texts.has(`node ${id}`))) return
    this.#texts.set(`node ${id}`, label ?? id)
  }

  /** A text beside the node, which then has no other label. */
  describe(id: string | undefined): void {
    const known = this.#texts.get(`node ${id}`)
    if (known === undefined || known === id) this.node(id, '')
  }

  define(style: string): void {
    this.#defined.push(style)
  }

  style(id: string, name: string): void {
    this.#styles.set(id, (this.#styles.get(id) ?? new Set()).add(name))
  }

  /** The background of one style may be the color of another one's text. */
  get #mayMixStyles(): boolean {
    const most = this.#defined.includes('default') ? 0 : 1
    const isTwice = new Set(this.#defined).size < this.#defined.length
    return isTwice || [...this.#styles.values()].some(({ size }) => size > most)
  }

  /** @returns undefined where one holds what may be out of sight */
  labels(): readonly string[] | undefined {
    const used = [...this.#styles.values()].flatMap((names) => [...names])
    if (this.#mayMixStyles || !isSubset(new Set(used), new Set(this.#defined))) return undefined
    const all = [...this.#texts.values()]
    if (all.some((text) => HIDES.test(text))) return undefined
    return all
      .map((text) => text.replace(BREAK, ' ').replace(ICON, ' ').trim())
      .filter((text) => text !== '' && text !== DOT)
  }
}

/** Reads one statement, or the first of a line. @returns what is left of the line; undefined for what it does not know */
type StatementReader = (statement: string, picture: Picture) => string | undefined

/** Of a state diagram: where it begins, and where it ends. */
const DOT = '[*]'
const BREAK = /<br\s*\/?>|\\n/gi
/** A name that stands for a sign. */
const ICON = /fa[bklrs]?:fa-[\w-]+/g
/** Markup and formulas can hide what they hold. */
const HIDES = /<(?!br\s*\/?>)[a-z/!]|\$\$/i

/**
 * The texts that the picture of a Mermaid diagram shows: neither comments, directives, tooltips and ids of what has a label,
 * nor texts for screen readers. https://mermaid.js.org/intro/syntax-reference.html
 * @returns undefined where it is not sure what the picture shows, or that readers see it
 */
export function labelsOf(source: string): readonly string[] | undefined {
  if (source.length > LONGEST || hidesText(source)) return undefined
  const picture = new Picture()
  const body = withoutFrontMatter(source.replace(/\r\n?/g, '\n'), picture)
  const [first = '', ...lines] = statementsIn(body ?? '')
  const kind = KINDS.find(([begins]) => begins.test(first))
  if (kind === undefined || lines.some(({ length }) => length > LONGEST_LINE)) return undefined
  const [, header, read] = kind
  const isRead = [first.replace(header, ''), ...lines].every((line) => readLine(line, read, picture))
  return isRead ? picture.labels() : undefined
}

/** Characters that are read at once: the time to match a line grows with the square of its length. Mermaid draws no more. */
const LONGEST = 50_000
const LONGEST_LINE = 500

const isSubset = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((one) => all.has(one))

/** @returns whether all of its statements are known */
function readLine(line: string, read: StatementReader, picture: Picture): boolean {
  let rest: string | undefined = line.replace(ENDS, '')
  while (rest !== undefined && rest !== '')
    rest = (common(rest, picture) ?? read(rest, picture))?.replace(ENDS, '')
  return rest !== undefined
}

/** Of statements, in front of the next one. */
const ENDS = /^[\s;]+/

/** Of its settings, `hidesText` decides. @returns undefined where it has no end */
function withoutFrontMatter(source: string, picture: Picture): string | undefined {
  const text = source.trimStart()
  if (!/^---[^\S\n]*\n/.test(text)) return text
  const [, settings, body] = /^---[^\S\n]*\n([\s\S]*?)^---[^\S\n]*$([\s\S]*)/m.exec(text) ?? []
  picture.text(/^title:\s*(.*)$/m.exec(settings ?? '')?.[1]?.replace(/^(["'])(.*)\1$/, '$2'))
  return body
}

const statementsIn = (body: string): readonly string[] =>
  body
    .replace(/%%\{[\s\S]*?\}%%/g, '')
    .replace(/^[^\S\n]*%%.*$/gm, '')
    .replace(/^[^\S\n]*accDescr\s*\{[^}]*\}/gm, '')
    // Codes of characters, such as #35;
    .replace(/#\w{1,20};/g, ' ')
    // A note of several lines
    .replace(
      /^([^\S\n]*note\s+(?:right|left)\s+of\s+\S+)[^\S\n]*\n([\s\S]*?)^[^\S\n]*end note[^\S\n]*$/gim,
      (_, head: string, text: string) => `${head} : ${text.trim().replace(/\s*\n\s*/g, ' ')}`,
    )
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean)

/** What shows nothing, in diagrams of several kinds. */
const common: StatementReader = (line, picture) => {
  const [, names] = /^classDef\s+([\w,-]+)\s/.exec(line) ?? []
  for (const name of names?.split(',') ?? []) picture.define(name)
  const [, ids, name = ''] = /^class\s+([\w,\s-]+?)\s+([\w-]+);?$/.exec(line) ?? []
  for (const id of ids?.split(/[,\s]+/) ?? []) picture.style(id, name)
  const [, styled] = /^style\s+([\w,.-]+)\s/.exec(line) ?? []
  for (const id of styled?.split(',') ?? []) {
    const own = `style ${id}`
    picture.define(own)
    picture.style(id, own)
  }
  const isSilent = [ids, names, styled].some((one) => one !== undefined) || SILENT.test(line)
  return isSilent ? '' : undefined
}

const SILENT =
  /^(?:(?:accTitle|accDescr)\s*:.*|(?:linkStyle|click)\s.*|direction\s+(?:TB|TD|BT|RL|LR);?|end;?)$/

const ID = String.raw`[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*`
const OPEN = String.raw`\(\[|\[\[|\[\(|\(\(\(?|\[[/\\]|\{\{|[([{>]`
const CLOSE = String.raw`\]\)|\]\]|\)\]|\)?\)\)|[/\\]\]|\}\}|[)\]}]`
const LABEL = String.raw`(?:"(?<quoted>[^"]*)"|(?<plain>(?:[^"()[\]{}|<>]|<br\s?/?>)+?))`
const NODE = new RegExp(
  String.raw`^(?<id>${ID})(?:(?:${OPEN})\s*${LABEL}\s*(?:${CLOSE}))?(?::::(?<style>[\w-]+))?\s*`,
  'u',
)
const LINK =
  /^[<xo]?(?:--+[->xo]|==+[=>xo]|-\.+-[>xo]?)(?:\s*\|(?:\s*"(?<quoted>[^"]*)"\s*|(?<plain>[^|"]*))\|)?\s*|^~~~+\s*/
const LINK_WITH_TEXT =
  /^[<xo]?(?:--\s+(?<text>(?:[^-|"]|-(?!-))+?)\s*--+[->xo]|==\s+(?<thick>[^=|"]+?)\s*==+[=>xo]|-\.\s+(?<dotted>[^.|"]+?)\s*\.+-[>xo]?)\s*/
const SUBGRAPH = new RegExp(
  String.raw`^subgraph(?:\s+(?:${ID}\s*\[\s*${LABEL}\s*\]|"(?<quotedTitle>[^"]*)"|(?<title>[^"[\](){};]+)))?;?$`,
  'u',
)

/** A chain such as `A[Client] -->|asks| B & C`. */
const readFlow: StatementReader = (line, picture) => {
  const { groups: box } = SUBGRAPH.exec(line) ?? {}
  if (box !== undefined || /^subgraph;?$/.test(line)) {
    picture.text(box?.quoted ?? box?.plain ?? box?.quotedTitle ?? box?.title)
    return ''
  }
  for (let rest = line; ; ) {
    const node = NODE.exec(rest)
    if (node?.groups === undefined) return undefined
    const { id, quoted, plain, style } = node.groups
    picture.node(id, quoted ?? plain)
    if (id !== undefined && style !== undefined) picture.style(id, style)
    rest = rest.slice(node[0].length)
    if (rest === '' || rest.startsWith(';')) return rest
    const next = /^&\s*/.exec(rest) ?? LINK_WITH_TEXT.exec(rest) ?? LINK.exec(rest)
    if (next === null) return undefined
    const { text, thick, dotted, quoted: quotedText, plain: plainText } = next.groups ?? {}
    picture.text(text ?? thick ?? dotted ?? quotedText ?? plainText)
    rest = rest.slice(next[0].length)
  }
}

/** Reads by the first pattern that fits: `text` is shown, and so is what stands for `from` and `to`. */
const readBy =
  (patterns: readonly RegExp[]): StatementReader =>
  (line, picture) => {
    const found = patterns.map((pattern) => pattern.exec(line)).find((match) => match !== null)
    if (found === undefined) return undefined
    const { id, label, described, from, to, text } = found.groups ?? {}
    picture.node(id, label)
    if (described !== undefined) picture.describe(described)
    picture.node(from)
    picture.node(to)
    picture.text(text)
    return ''
  }

const SEQUENCE = readBy([
  /^(?:create\s+)?(?:participant|actor)\s+(?<id>[^<>:@{}]+?)(?:\s+as\s+(?<label>.+))?$/,
  /^note\s+(?:right of|left of|over)\s[^:]+:\s*(?:(?:no)?wrap:)?(?<text>.*)$/i,
  /^(?:loop|alt|else|opt|par|and|critical|option|break)(?:\s+(?<text>.*))?$/,
  /^title\s*:?\s+(?<text>.+)$/,
  /^(?:autonumber(?:\s+[\d\s]+|\s+off)?|(?:activate|deactivate|destroy)\s.+|links?\s.+)$/,
  /^(?<from>[^<>:()+]+?)\s*(?:<<)?--?(?:>>?|x|\))\s*[+-]?\s*(?<to>[^<>:()+-][^<>:()+]*?)\s*:\s*(?:(?:no)?wrap:)?(?<text>.*)$/,
])

/** A `#` begins a comment there, and a `;` ends the statement, also in a text. */
const readSequence: StatementReader = (line, picture) => {
  const [statement = ''] = line.split(/[#;]/, 1)
  const rest = line.slice(statement.length)
  const read =
    statement.trim() === '' ? '' : (common(statement.trim(), picture) ?? SEQUENCE(statement.trim(), picture))
  return read === undefined || rest.startsWith('#') ? read : rest
}

const STATE = String.raw`(?:\[\*\]|[\p{L}\p{N}_.-]*[\p{L}\p{N}_])`
const STATES = readBy([
  /^state\s+"(?<label>[^"]*)"\s+as\s+(?<id>\w+)\s*\{?$/,
  // It shows nothing but its form.
  /^state\s+(?<id>\w+)\s*<<(?<label>)(?:fork|join|choice)>>$/,
  /^state\s+(?<id>\w+)\s*\{$/,
  /^(?:\}|--|hide empty description)$/,
  /^note\s+(?:right|left)\s+of\s+\S+\s*:\s*(?<text>.*)$/i,
  new RegExp(String.raw`^(?<from>${STATE})\s*-->\s*(?<to>${STATE})(?:\s*:\s*(?<text>.*))?$`, 'u'),
  new RegExp(String.raw`^(?<described>${STATE})\s*:\s*(?<text>.+)$`, 'u'),
  new RegExp(`^(?<id>${STATE})$`, 'u'),
])

const readState: StatementReader = (line, picture) =>
  STATES(
    line.replace(/([^\s:]*):::([\w-]+)/g, (_, id: string, name: string) => {
      picture.style(id, name)
      return id
    }),
    picture,
  )

const readPie = readBy([
  /^(?:showData)?$/,
  /^(?:showData\s+)?title\s+(?<text>.+)$/,
  // It may show nothing of a zero.
  /^"(?<text>[^"]*)"\s*:\s*(?=[\d.]*[1-9])[\d.]+$/,
])

/** How a kind begins, what of that line goes, and how the others are read. */
const KINDS: readonly (readonly [begins: RegExp, header: RegExp, read: StatementReader])[] = [
  [/^(?:graph|flowchart)(?:\s|;|$)/, /^(?:graph|flowchart)(?:\s+(?:TB|TD|BT|RL|LR|[<>^v]))?/, readFlow],
  [/^sequenceDiagram\b/, /^sequenceDiagram/, readSequence],
  [/^stateDiagram(?:-v2)?(?:\s|$)/, /^stateDiagram(?:-v2)?/, readState],
  [/^pie\b/, /^pie/, readPie],
]
