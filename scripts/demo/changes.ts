import type { ChangedFile } from '../../emulator/github/model.ts'

/** A file with its diff, from which the counts follow. */
export function changed(filename: string, patch: string): ChangedFile {
  const lines = patch.split('\n')
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  return { filename, additions: count('+'), deletions: count('-'), patch }
}

const added = (text: string) => text.replace(/^/gm, '+')

/** A new file of one line. */
export const created = (filename: string, line: string) => changed(filename, `@@ -0,0 +1 @@\n${added(line)}`)

/** A file with more at its end. @param after the line after which it comes */
export const extended = (filename: string, after: number, text: string) =>
  changed(filename, `@@ -${after},0 +${after + 1},${text.split('\n').length} @@\n${added(text)}`)

/** The code that the stories are about. */
export const RETRY = created('src/retry.ts', 'export interface Retry { limit: number; backoff: number }')
export const LIMIT = created('src/limit.ts', 'export const MAX_RETRIES = 10')

/** The page that the agent extends. */
export const GUIDE = 'docs/guides/fetching.mdx'

/** The guide with one more section. */
export const guideWith = (section: string) =>
  changed(
    GUIDE,
    `@@ -18,3 +18,${3 + section.split('\n').length} @@ const pages = await fetchAll(urls)
 A request that takes longer than 30 seconds fails.

${added(section)}
 ## Errors`,
  )

/** The place of a line in `retries`. */
export const LIMIT_LINE = 26
export const LINK_LINE = 29

export const limitRow = (note = '') => `| \`limit\` | \`2\` | How often a request is repeated${note} |`
export const safe = (link = '/reference/methods#safe') => `Only [safe requests](${link}) are repeated.`

/** The guide with a section on retries. */
export const retries = (limit = limitRow(), last = safe()) =>
  guideWith(`## Retries

Set \`retry\` to repeat requests that fail:

| Option | Default | Meaning |
| --- | --- | --- |
${limit}
| \`backoff\` | \`1000\` | Milliseconds before the first retry |

${last}
`)

/** Another line of the guide. */
export const edited = (line: number, before: string, after: string) =>
  changed(GUIDE, `@@ -${line} +${line} @@\n-${before}\n+${after}`)
