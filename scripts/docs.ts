import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { withExamples } from './docs/examples.ts'
import { PAGES, pathOf } from './docs/files.ts'
import { readContract } from './docs/metadata.ts'
import { withTables } from './docs/tables.ts'

/**
 * `npm run docs` writes the tables of inputs and outputs, and the examples that pages quote, from their sources. With
 * `-- --check` it writes nothing and fails if a page is stale.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const stale = PAGES.filter((page) => {
  const old = readFileSync(pathOf(page), 'utf8')
  const tables = withTables(old, (file) => readContract(pathOf(file)))
  const fresh = withExamples(tables, (file) => readFileSync(pathOf(file), 'utf8'))
  if (fresh !== old && !values.check) writeFileSync(pathOf(page), fresh)
  return fresh !== old
})

if (stale.length === 0) process.stdout.write('All generated tables and examples are up to date.\n')
else if (values.check) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run \`npm run docs\` and commit the result.\n`)
  process.exitCode = 1
} else process.stdout.write(`Updated: ${stale.join(', ')}.\n`)
