import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readContract } from './docs/metadata.ts'
import { withTables } from './docs/tables.ts'

/**
 * `npm run docs` writes the README's tables of inputs and outputs anew from the metadata files; with `-- --check` it
 * only says whether they are stale.
 */
const pathOf = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url))
const README = pathOf('README.md')

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const old = readFileSync(README, 'utf8')
const fresh = withTables(old, (file) => readContract(pathOf(file)))

if (fresh === old) process.stdout.write('The tables in README.md are as the metadata files have them.\n')
else if (values.check) {
  process.stderr.write('The tables in README.md are stale: run `npm run docs` and commit README.md.\n')
  process.exitCode = 1
} else {
  writeFileSync(README, fresh)
  process.stdout.write('The tables in README.md are written anew.\n')
}
