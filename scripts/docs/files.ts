import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The pages that people read, by their paths in the checkout. */
export const PAGES: readonly string[] = globSync(
  ['*.md', 'docs/*.md', '{visitors,insights,collect,examples}/*.md'],
  { cwd: ROOT },
)
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

export const pathOf = (file: string): string => `${ROOT}${file}`
