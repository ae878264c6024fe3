import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseArgs } from 'node:util'
import { readMetadata } from '../emulator/runner/metadata.ts'
import { withExamples } from './docs/examples.ts'
import { PAGES, pathOf } from './docs/files.ts'
import { withTables } from './docs/tables.ts'

/**
 * `npm run docs` writes the tables of inputs and outputs, and the examples that pages quote, from their sources. With
 * `-- --check` it writes nothing and fails if a page is stale.
 * A link to a file of the repository that is not there fails either way, and so does the name of a test that is gone.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const textOf = (file: string): string => readFileSync(pathOf(file), 'utf8')

const stale = PAGES.filter((page) => {
  const old = textOf(page)
  const tables = withTables(old, (file) => readMetadata(pathOf(file)))
  const fresh = withExamples(tables, textOf)
  if (fresh !== old && !values.check) writeFileSync(pathOf(page), fresh)
  return fresh !== old
})

/** Files of this repository that a page links to, by their paths or their addresses on github.com. */
const linked = (page: string): string[] =>
  [
    ...textOf(page)
      .replace(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/\]\(([^)#\s]+)[^)]*\)/g),
  ]
    .map(([, target = '']) => target.replace(/^https:\/\/github\.com\/[\w-]+\/docs-agent\/blob\/main\//, '/'))
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => (target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(page), target)))

const dead = PAGES.flatMap((page) =>
  linked(page)
    .filter((file) => !existsSync(pathOf(file)))
    .map((file) => `${page} links to ${file}, which is not there.\n`),
)
/** Tests that a page names behind a link to their file: `[access](test/…/access.test.ts) `a stranger gets no job``. */
const unproven = PAGES.flatMap((page) =>
  [...textOf(page).matchAll(/\]\((test\/[^)]+)\) `([^`]+)`/g)]
    .filter(([, file = '', name = '']) => existsSync(pathOf(file)) && !textOf(file).includes(name))
    .map(([, file, name]) => `${page} names the test "${name}", which ${file} does not have.\n`),
)
const wrong = [...dead, ...unproven]
process.stderr.write(wrong.join(''))
if (wrong.length > 0) process.exitCode = 1

if (stale.length === 0) process.stdout.write('All generated tables and examples are up to date.\n')
else if (values.check) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run \`npm run docs\` and commit the result.\n`)
  process.exitCode = 1
} else process.stdout.write(`Updated: ${stale.join(', ')}.\n`)
