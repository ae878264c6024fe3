import type { Element, Nodes as HtmlNode, Root } from 'hast'
import type { Nodes as MarkdownNode } from 'mdast'
import rehypeParse from 'rehype-parse'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkGithub from 'remark-github'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

export interface RenderContext {
  /** `owner/name`, which `#12` counts from; without it, `#12` and `@alice` are text. */
  readonly repository?: string
  /** Where links of this GitHub begin. */
  readonly serverUrl?: string
  /** Whether newlines become line breaks: comments do this, step summaries don't. */
  readonly breaks?: boolean
}

/** By context and text: lists show the same comments again and again. */
const rendered = new Map<string, string>()
const MOST_RENDERED = 5000

/** Markdown as GitHub's REST API renders it into `body_html`. */
export function renderMarkdown(markdown: string, context?: RenderContext): string {
  const key = JSON.stringify([context, markdown])
  const html = rendered.get(key) ?? render(markdown, context)
  if (rendered.size === MOST_RENDERED) rendered.clear()
  rendered.set(key, html)
  return html
}

function render(markdown: string, context: RenderContext | undefined): string {
  try {
    const tree = renderTree(markdown, context)
    markCodeBlocks(tree)
    return stringify(tree)
  } catch (error) {
    // Nesting beyond the call stack.
    if (!(error instanceof RangeError)) throw error
    return stringify({ type: 'root', children: [{ type: 'text', value: markdown }] })
  }
}

const writer = unified().use(rehypeStringify).freeze()
const stringify = (tree: Root): string => writer.stringify(tree).trim()

/** https://github.com/gjtorikian/html-pipeline/blob/v2.14.3/lib/html/pipeline/sanitization_filter.rb */
const LET_THROUGH = [
  'abbr',
  'bdo',
  'caption',
  'cite',
  'dfn',
  'figcaption',
  'figure',
  'mark',
  'small',
  'time',
  'wbr',
]
const schema = { ...defaultSchema, tagNames: [...(defaultSchema.tagNames ?? []), ...LET_THROUGH] }

/** Browsers parse the page as one text, in which the HTML of one block can swallow the next. */
const reader = unified().use(rehypeParse, { fragment: true }).use(rehypeSanitize, schema).freeze()

/** The sanitised page, before GitHub dresses its code blocks. */
export function renderTree(markdown: string, context?: RenderContext): Root {
  return reader.runSync(reader.parse(unsafeHtml(markdown, context)))
}

/** By the context: making one costs as much as a short text takes. */
const converters = new Map<string, (markdown: string) => string>()

function unsafeHtml(markdown: string, context: RenderContext = {}): string {
  const key = JSON.stringify([context.repository, context.serverUrl, context.breaks])
  const convert = converters.get(key) ?? converter(context)
  converters.set(key, convert)
  return convert(markdown)
}

function converter({ serverUrl = 'https://github.com', repository, breaks = true }: RenderContext) {
  const buildUrl: NonNullable<Parameters<typeof remarkGithub>[0]>['buildUrl'] = (values) => {
    if (values.type === 'mention') return `${serverUrl}/${values.user}`
    return values.type === 'issue' && `${serverUrl}/${values.user}/${values.project}/issues/${values.no}`
  }
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(() => (breaks ? breakLines : undefined))
    .use(repository === undefined ? [] : [[remarkGithub, { repository, buildUrl }]])
    .use(() => filterTags)
    .use(remarkRehype, { allowDangerousHtml: true })
    .use(() => escapeText)
    .use(rehypeStringify, { allowDangerousHtml: true })
    .freeze()
  return (markdown: string) => String(processor.processSync(markdown))
}

/** Turns the ends of lines within a paragraph into breaks, as GitHub does in comments. */
function breakLines(node: MarkdownNode): void {
  if (!('children' in node)) return
  for (let at = node.children.length - 1; at >= 0; at -= 1) {
    const child = node.children[at]
    if (child?.type !== 'text') {
      if (child !== undefined) breakLines(child)
      continue
    }
    const parts = child.value
      .split('\n')
      .flatMap((value, index) => [
        ...(index > 0 ? [{ type: 'break' as const }] : []),
        ...(value === '' ? [] : [{ type: 'text' as const, value }]),
      ])
    const siblings: MarkdownNode[] = node.children
    siblings.splice(at, 1, ...parts)
  }
}

/** https://github.github.com/gfm/#disallowed-raw-html-extension- */
const DISALLOWED =
  /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:\s|>|\/>))/gi

function filterTags(node: MarkdownNode): void {
  if (node.type === 'html') node.value = node.value.replace(DISALLOWED, '&lt;')
  if ('children' in node) node.children.forEach(filterTags)
}

/** GitHub escapes `>` as well; as it is, it would close a comment that an earlier block has left open. */
function escapeText(node: HtmlNode): void {
  if (!('children' in node)) return
  for (const [at, child] of node.children.entries()) {
    if (child.type === 'text') node.children[at] = { type: 'raw', value: escaped(child.value) }
    else escapeText(child)
  }
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const DIAGRAMS = new Set(['mermaid', 'geojson', 'topojson', 'stl'])

/** GitHub moves the language from the code to its `pre`, and wraps what its page draws in a section. */
function markCodeBlocks(node: HtmlNode): void {
  if (!('children' in node)) return
  for (const [at, child] of node.children.entries()) {
    if (child.type !== 'element') continue
    markCodeBlocks(child)
    const language = child.tagName === 'pre' ? takeLanguage(child) : undefined
    if (language === undefined) continue
    child.properties.lang = language
    if (DIAGRAMS.has(language)) node.children[at] = diagram(child, language)
  }
}

function takeLanguage({ children: [code] }: Element): string | undefined {
  if (code?.type !== 'element' || code.tagName !== 'code') return undefined
  const classes = Array.isArray(code.properties.className) ? code.properties.className : []
  const language = classes.map(String).find((name) => name.startsWith('language-'))
  delete code.properties.className
  return language?.slice('language-'.length)
}

const diagram = (source: Element, language: string): Element => ({
  type: 'element',
  tagName: 'section',
  properties: {
    className: ['js-render-needs-enrichment', 'render-needs-enrichment', 'position-relative'],
    dataType: language,
    ariaLabel: `${language} rendered output container`,
  },
  children: [
    {
      type: 'element',
      tagName: 'div',
      properties: { className: ['render-plaintext-hidden'] },
      children: [{ ...source, properties: { lang: language, ariaLabel: `Raw ${language} code` } }],
    },
  ],
})
