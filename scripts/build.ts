import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/**
 * Bundles every entry with ncc into one flat `dist/`. Code that is loaded only when it is needed (the proxy agent)
 * gets files of its own, which the bundles share.
 */
const ENTRIES: Readonly<Record<string, string>> = {
  index: 'src/index.ts',
  post: 'src/post.ts',
  visitors: 'src/visitors/index.ts',
  collect: 'src/collect/index.ts',
}

const scratch = mkdtempSync(join(tmpdir(), 'docs-agent-build-'))
rmSync('dist', { recursive: true, force: true })
// Types are checked by `npm run check`, once, and not again for each bundle.
for (const [entry, source] of Object.entries(ENTRIES).filter(([, path]) => existsSync(path))) {
  const out = join(scratch, entry)
  execFileSync('ncc', ['build', source, '--out', out, '--transpile-only', '--quiet'], { stdio: 'inherit' })
  for (const file of readdirSync(out)) share(join(out, file), file === 'index.js' ? `${entry}.js` : file)
}
rmSync(scratch, { recursive: true })
writeFileSync('dist/licenses.txt', licenses())

/** Copies the file into `dist/`; one that an earlier bundle has put there must be the same. */
function share(from: string, name: string): void {
  const to = join('dist', name)
  if (!existsSync(to)) cpSync(from, to)
  else if (!readFileSync(to).equals(readFileSync(from))) throw new Error(`two bundles disagree about ${name}`)
}

/** The licences of all packages that a bundle may hold. ncc's own list misses those that it joins into one module. */
function licenses(): string {
  const paths = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable', '--silent'], {
    encoding: 'utf8',
  })
  const folders = [...new Set(paths.trim().split('\n').slice(1))].sort()
  return folders.map((folder) => `${relative('node_modules', folder)}\n\n${licenseOf(folder)}\n`).join('\n')
}

function licenseOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim()
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: string }
  return `${license ?? 'no licence named'} (the package comes without its text)`
}
