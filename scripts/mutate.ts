import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `npm run mutate`, or `npm run mutate -- src/request/plan.ts`: changes the core in a thousand small ways, and shows
 * which changes no unit test notices. It works in a copy, because its tools are half as many packages again as the rest.
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
  // The tool printed what failed.
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
