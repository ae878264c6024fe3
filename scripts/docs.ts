import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Entry, readMetadata } from '../emulator/runner/metadata.ts'

/**
 * `npm run docs` writes the tables of inputs and outputs, and the examples that pages quote, from their sources. With
 * `-- --check` it writes nothing and fails if a page is stale.
 * A link to a file or a heading of the repository that is not there fails either way, and so does the name of a test that is gone.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const pathOf = (file: string): string => `${ROOT}${file}`
const textOf = (file: string): string => readFileSync(pathOf(file), 'utf8')

/** The pages that people read, by their paths in the checkout. */
const PAGES = globSync(['*.md', 'docs/*.md', '{visitors,insights,collect,examples}/*.md'], { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .sort()

/** `<!-- examples/x.yml -->` … `<!-- end of example -->`: what stands between is generated. */
const EXAMPLE = /(<!-- (examples\/[\w-]+\.yml) -->\n)[\s\S]*?(<!-- end of example -->)/g
/** `<!-- inputs of action.yml -->` … `<!-- end of inputs -->`: so is this. */
const TABLE = /(<!-- (inputs|outputs) of (\S+) -->\n)[\s\S]*?(<!-- end of \2 -->)/g

/** Inputs that the sub-actions share with the action. */
const SHARED = ['project-id', 'api-key', 'github-token', 'base-url']

const stale = PAGES.filter((page) => {
  const old = textOf(page)
  const fresh = old
    .replace(TABLE, (_, begin: string, section: 'inputs' | 'outputs', file: string, end: string) => {
      return `${begin}${tableOf(section, file)}\n${end}`
    })
    .replace(EXAMPLE, (_, begin: string, file: string, end: string) => {
      // Without the comment at its top: the page explains it.
      return `${begin}\`\`\`yaml\n${textOf(file).replace(/^(#.*\n)+/, '')}\`\`\`\n${end}`
    })
  if (fresh !== old && !values.check) writeFileSync(pathOf(page), fresh)
  return fresh !== old
})

const proseOf = (page: string): string => textOf(page).replace(/^```[\s\S]*?^```$/gm, '')

/** What a page links to in this repository, also by its address on github.com: `docs/costs.md#limits`. */
const linked = (page: string): string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
    .map(([, target = '']) => target.replace(/^https:\/\/github\.com\/[\w-]+\/docs-agent\/blob\/main\//, '/'))
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      if (target.startsWith('#')) return `${page}${target}`
      return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(page), target)
    })

/** The headings of a page, as GitHub writes them into addresses. */
const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

function isThere(target: string): boolean {
  const [file = '', anchor] = target.split('#')
  return existsSync(pathOf(file)) && (anchor === undefined || anchorsOf(file).includes(anchor))
}

const dead = PAGES.flatMap((page) =>
  linked(page)
    .filter((target) => !isThere(target))
    .map((target) => `${page} links to ${target}, which is not there.\n`),
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

/** Two columns, so that a phone shows all of it: the default follows the meaning. */
function tableOf(section: 'inputs' | 'outputs', file: string): string {
  const entries = readMetadata(pathOf(file))[section]
  const isShared = ({ name }: Entry) => section === 'inputs' && file !== 'action.yml' && SHARED.includes(name)
  const shown = entries.filter((entry) => !entry.description.startsWith('Internal.') && !isShared(entry))
  const rows = shown.map((entry) => row(`\`${entry.name}\``, meaningOf(entry)))
  const shared = entries.filter(isShared).map(({ name }) => `\`${name}\``)
  if (shared.length > 0) rows.push(row(shared.join(', '), 'As for [the action itself](../README.md#inputs).'))
  const title = section === 'inputs' ? 'Input' : 'Output'
  return [row(title, 'Meaning'), row('---', '---'), ...rows].join('\n')
}

function meaningOf({ description, required, default: value = '' }: Entry): string {
  if (required) return `**Required.** ${description}`
  if (value === '') return description
  // Code is wider than text, and an address does not break.
  return `${description} Default: ${value.startsWith('https:') ? value : `\`${value}\``}.`
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`
}
