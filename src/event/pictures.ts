import { codeLines } from './code-blocks.ts'

const ALT = String.raw`!\[(?:[^[\]\n]|\[[^[\]\n]*\])*\]`
const ADDRESS = String.raw`\((?:[^()\n]|\([^()\n]*\))*\)`
const MARKDOWN = String.raw`${ALT}(?:${ADDRESS}|\[[^[\]\n]*\])`
const LINKED = String.raw`\[\s*${MARKDOWN}\s*\]${ADDRESS}`
/** A video that somebody drops into a comment is its address alone. */
const UPLOAD = String.raw`(?<![\w/("'])https:\/\/github\.com\/user-attachments\/assets\/[\w-]+`
const CODE = '(?<code>(?<!`)(?<ticks>`+)(?!`).*?(?<!`)\\k<ticks>(?!`))'
const CODE_OR_PICTURE = new RegExp([CODE, LINKED, MARKDOWN, String.raw`<img\b[^>]*>`, UPLOAD].join('|'), 'gi')

/** So long a line is read at once, whatever it holds. */
const LONGEST = 10_000

/** Markdown without the pictures that stand in it outside code, and how many these are. */
export function withoutPictures(markdown: string): { readonly text: string; readonly pictures: number } {
  const lines = markdown.split('\n')
  const code = codeLines(lines)
  let pictures = 0
  const text = lines.map((line, at) =>
    code.has(at) || line.length > LONGEST
      ? line
      : line.replace(CODE_OR_PICTURE, (found, ...groups) => {
          if (groups.at(-1)?.code !== undefined) return found
          pictures += 1
          return ''
        }),
  )
  return { text: text.join('\n'), pictures }
}
