import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const { INPUT_ARGS = '', INPUT_OUTPUT = '', INPUT_FAIL = '', GITHUB_OUTPUT = '' } = process.env

/** Broken links of one file, as lychee's report lists them. */
function brokenLinks(file: string): string[] {
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\((\.[^)#]+)/g)].map(([, link = '']) => link)
  const broken = links.filter((link) => !existsSync(join(dirname(file), link)))
  return broken.map((link) => `* [ERROR] <${link}> in ${file} | Cannot find file`)
}

const patterns = INPUT_ARGS.split(/\s+/).filter((word) => !word.startsWith('--'))
const files = globSync(patterns.map((pattern) => pattern.replace(/^'(.*)'$/, '$1')))
const errors = files.toSorted().flatMap(brokenLinks)
// Tests write no configuration but one that lychee cannot read.
const exitCode = existsSync('lychee.toml') ? 3 : errors.length > 0 ? 2 : 0
if (exitCode === 2) writeFileSync(INPUT_OUTPUT, `# Errors per input\n\n${errors.join('\n')}\n`)
appendFileSync(GITHUB_OUTPUT, `exit_code=${exitCode}\n`)
if (INPUT_FAIL === 'true') process.exitCode = exitCode
