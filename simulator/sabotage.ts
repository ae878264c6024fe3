import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { SABOTAGES, type Sabotage } from './sabotages.ts'

/** Breaks the product in one place at a time, in a copy, and shows that the simulator notices each. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const COPIED = ['src', 'emulator', 'simulator', 'package.json']

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '600' }, only: { type: 'string', default: '' } },
})

let failed = 0
const chosen = SABOTAGES.filter(({ name }) => name.includes(values.only))
for (const sabotage of chosen) {
  const { caught, said } = await attempt(sabotage)
  if (!caught) failed += 1
  process.stdout.write(`${caught ? '✓' : '✗'} ${sabotage.name}\n    ${sabotage.invariant}: ${said}\n`)
}
process.stdout.write(`${chosen.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

async function attempt({ file, from, to, invariant }: Sabotage): Promise<{ caught: boolean; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-agent-sabotage-'))
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir')
    const path = join(folder, 'src', file)
    const parts = readFileSync(path, 'utf8').split(from)
    if (parts.length !== 2) return { caught: false, said: `src/${file} does not hold the line once: ${from}` }
    writeFileSync(path, parts.join(to))
    return await simulate(folder, invariant)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function simulate(folder: string, invariant: string): Promise<{ caught: boolean; said: string }> {
  const args = [join(folder, 'simulator', 'index.ts'), '--runs', values.runs, '--until', invariant]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return { caught: true, said: stdout.trim() }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return { caught: false, said: (stdout + stderr).trim() }
  }
}
