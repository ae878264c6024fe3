import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SABOTAGES, type Sabotage } from './sabotages.ts'

// Breaks one line of src/ at a time, in a copy, and shows that `npm test` or the stories notice.

const { values } = parseArgs({
  options: {
    /** Stories to play where the tests have noticed nothing. */
    runs: { type: 'string', default: '60' },
    /** A part of the sabotage's name, or of what it breaks. */
    only: { type: 'string', default: '' },
    /** Which nets are tried. */
    nets: { type: 'string', default: 'tests, stories' },
  },
})

/** They look at the repository, which the copy is not. */
const EXCLUDED = ['--exclude', 'test/house/**']
const ROOT = join(import.meta.dirname, '..')
const chosen = SABOTAGES.filter(({ name, breaks }) => `${breaks} ${name}`.includes(values.only))
const folder = mkdtempSync(join(tmpdir(), 'docs-agent-sabotage-'))
try {
  copy()
  const noticed = chosen.filter(isNoticed)
  console.log(`${noticed.length} of ${chosen.length} noticed`)
  process.exitCode = noticed.length === chosen.length ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** All but what is installed, which is only read. */
function copy(): void {
  for (const name of readdirSync(ROOT)) {
    if (name === 'node_modules') symlinkSync(join(ROOT, name), join(folder, name))
    else if (name !== '.git') cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
}

function isNoticed(sabotage: Sabotage): boolean {
  const { breaks, name, find, replace, first, about } = sabotage
  const places = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, 'src', file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => text.includes(find))
  const [place] = places
  if (place === undefined || places.length > 1 || place.text.split(find).length > 2) {
    console.log(`✗ ${breaks}: ${name}\n    ${JSON.stringify(find)} does not stand once in src/`)
    return false
  }
  writeFileSync(
    place.file,
    place.text.replace(find, () => replace),
  )
  try {
    const byTests = values.nets.includes('tests') ? tests(first.split(' ')) || tests([]) : ''
    const by = byTests || (values.nets.includes('stories') ? stories(about) : '')
    console.log(`${by === '' ? '✗' : '✓'} ${breaks}: ${name}\n    ${by || 'nothing noticed it'}`)
    return by !== ''
  } finally {
    writeFileSync(place.file, place.text)
  }
}

/** @param only parts of the names of test files; none for all of them @returns the first that fails, or '' */
function tests(only: readonly string[]): string {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  const { status, output } = run(vitest, 'run', '--bail=1', '--no-color', ...EXCLUDED, ...only)
  if (status === 0) return ''
  // A line that does not even load has broken nothing.
  const failed = /^ *FAIL +(.+)$/m.exec(output)?.[1]
  if (failed === undefined || /SyntaxError|Transform failed/.test(output)) throw new Error(output)
  return `test: ${failed}`
}

/** @returns the first rule that breaks, or '' */
function stories(about: Sabotage['about'] = 'any'): string {
  const played = ['--runs', values.runs, '--about', about, '--shrink', '0', '--bail']
  const { status, output } = run('simulator/index.ts', ...played)
  return status === 0 ? '' : `story: ${/✗ (.+)$/m.exec(output)?.[1] ?? output}`
}

function run(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, output: `${stdout}\n${stderr}` }
}
