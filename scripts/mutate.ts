import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run mutate`, or `npm run mutate -- src/core/marker.ts`: changes the core in a thousand small ways, and tells
 * which changes no unit test notices. In a copy, since what it takes is half as many packages again as all the rest.
 */
const TOOLS = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']
const CONFIG = 'scripts/mutate/stryker.config.json'

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', ':!dist'], {
  encoding: 'utf8',
})
const folder = mkdtempSync(join(tmpdir(), 'mutate-'))
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: 'inherit' })
try {
  for (const file of files.split('\0').filter(Boolean)) cpSync(file, join(folder, file))
  run('npm', 'install', '--no-save', '--no-audit', '--no-fund', ...TOOLS)
  const asked = process.argv.slice(2)
  run('npx', '--no-install', 'stryker', 'run', CONFIG, ...(asked.length > 0 ? ['-m', asked.join(',')] : []))
} catch {
  // What failed has said so itself.
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
