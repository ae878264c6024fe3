import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Bundles `src/index.ts` with ncc into `dist/index.js`, which every action shares, and each entry into a file of a few
 * lines that starts its part of the bundle.
 */
const ENTRIES = ['main', 'post', 'visitors', 'insights', 'collect']

const scratch = mkdtempSync(join(tmpdir(), 'docs-agent-build-'))
const bundle = (source: string, out: string, ...options: string[]) =>
  execFileSync(
    'ncc',
    ['build', source, '--out', out, '--minify', '--transpile-only', '--quiet', ...options],
    { stdio: 'inherit' },
  )

rmSync('dist', { recursive: true, force: true })
bundle('src/index.ts', 'dist', '--license', 'licenses.txt')
for (const entry of ENTRIES) {
  const out = join(scratch, entry)
  bundle(`src/${entry}.ts`, out, '--external', './index.js')
  cpSync(join(out, 'index.js'), `dist/${entry}.js`)
}
rmSync(scratch, { recursive: true })
