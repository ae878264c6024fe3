import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

/** What `src/index.ts` exports, and what each `action.yml` names as a file of `dist/`. */
const ENTRIES = ['main', 'post', 'visitors', 'insights', 'collect']

rmSync('dist', { recursive: true, force: true })
// Not minified: those who approve the action can read what it runs. It starts as fast.
execFileSync(
  'ncc',
  ['build', 'src/index.ts', '--out', 'dist', '--license', 'licenses.txt', '--transpile-only', '--quiet'],
  { stdio: 'inherit' },
)
// One bundle for all, because a runner downloads all of `dist/`; the entries only start their part of it.
for (const entry of ENTRIES) {
  writeFileSync(`dist/${entry}.js`, `import { ${entry} } from './index.js'\n\nawait ${entry}()\n`)
}
