/**
 * A rendering is a text of its own, so that nothing in it tells the whole from a part: JSON that is cut short does not parse,
 * HTML does. What is rendered therefore ends with a word that must come back.
 */
const END = 'TheTextOfDocsAgentEndsHere'

/** A paragraph of its own ends lists, tables and quotations before it. */
export const withEnd = (text: string): string => `${text}\n\n${END}`

/**
 * The rendering without the word of its end; undefined where a part is missing.
 * @param html of `withEnd(text)`
 */
export function wholeOf(html: string, text: string): string | undefined {
  const rest = html.slice(html.lastIndexOf(END) + END.length)
  const ends = HAS_FOOTNOTES.test(html) ? FOOTNOTES_END : ONLY_CLOSES
  if (html.includes(END) && ends.test(rest)) return html.replace(PARAGRAPH, '').replaceAll(IN_CODE, '')
  // A comment or a script that the text does not close hides what follows it.
  return !html.includes(END) && text.includes('<') && CLOSES.test(html) ? html : undefined
}

const PARAGRAPH = new RegExp(`<p[^<>]*>${END}</p>\\s*`)
/** Within a fence that the text does not close; the page has that of a diagram twice, once as JSON. */
const IN_CODE = new RegExp(`(?:\\\\n|\\s){0,2}${END}`, 'g')
/** They come below the text. */
const HAS_FOOTNOTES = /<a [^<>]*data-footnote-ref/
const FOOTNOTES_END = /<\/section>\s*$/
const ONLY_CLOSES = /^\s*(<\/[a-z\d-]+>\s*)*$/
const CLOSES = /(^|<\/[a-z\d-]+>)\s*$/
