/**
 * Zero-width, bidirectional, filler, variation and tag characters are all "default ignorable" in Unicode; the
 * interlinear ones, the empty Braille pattern, those for private use and the controls are not.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Co}\u2800\ufff9-\ufffb]|(?![\n\t])\p{Cc}/gu

/** The text without the characters that readers cannot see, for what is not Markdown: titles, names, patches. */
export const withoutInvisible = (text: string): string => text.toWellFormed().replace(INVISIBLE, '')

/** Where a comment ends, as browsers see it: https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state */
const COMMENT = /<!--(?:-?>|[\s\S]*?(?:--!?>|$))/g

/**
 * Markdown less its invisible characters and HTML comments, for a request whose rendering GitHub cannot give. A comment
 * without an end hides the rest, and comments go from code, too: this is the cautious choice, not an exact one.
 */
export const withoutComments = (markdown: string): string => withoutInvisible(markdown).replace(COMMENT, '')
