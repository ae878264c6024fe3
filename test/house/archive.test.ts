import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startEmulator } from '../../emulator/emulator.ts'
import { runAction } from '../../emulator/runner.ts'
import { access } from '../../scripts/demo/actions.ts'
import { IN_BUNDLE } from '../helpers/world.ts'
import { pathOf } from './files.ts'

/** What `uses:` downloads before each run: GitHub packs it as `git archive` does. */
const gitArchive = (...options: readonly string[]): Buffer =>
  execFileSync('git', ['archive', '--worktree-attributes', ...options, 'HEAD'], {
    cwd: pathOf('.'),
    maxBuffer: 64_000_000,
  })

const folder = mkdtempSync(join(tmpdir(), 'docs-agent-archive-'))
execFileSync('tar', ['-xf', '-', '-C', folder], { input: gitArchive() })
afterAll(() => rmSync(folder, { recursive: true }))

const ACTIONS = ['action.yml', 'collect/action.yml', 'visitors/action.yml', 'insights/action.yml']

test('what a run downloads is small', () => {
  expect(gitArchive('--format=tar.gz').length).toBeLessThan(900_000)
})

test.each(['LICENSE', 'README.md', 'SECURITY.md', 'CHANGELOG.md', 'dist/licenses.txt'])(
  'it has %s',
  (file) => {
    expect(existsSync(join(folder, file))).toBe(true)
  },
)

test.runIf(IN_BUNDLE).each(ACTIONS)('%s needs nothing else to run', { tags: 'bundle' }, async (file) => {
  const action = join(folder, file)
  const emulator = await startEmulator()
  const prompt = file === 'action.yml' ? { prompt: 'Explain retries', wait: 'false' } : {}
  const {
    exitCode,
    log,
    post: after,
  } = await runAction({
    action,
    emulator,
    event: { name: 'schedule', payload: {} },
    inputs: { ...access(emulator), ...prompt },
  }).finally(() => emulator.close())
  expect([exitCode, after?.exitCode ?? 0], log).toEqual([0, 0])
})
