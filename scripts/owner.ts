import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOwner, withOwner } from './docs/owner.ts'

/** `npm run owner -- octo` writes the owner of the repository into every file that git tracks. */
const [owner = ''] = process.argv.slice(2)

if (isOwner(owner)) replaceOwner(process.cwd(), owner)
else {
  process.stderr.write(
    'Usage: npm run owner -- NAME, where NAME is the user or the organization on GitHub.\n',
  )
  process.exitCode = 2
}

function replaceOwner(root: string, name: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean)
  const changed = files.filter((file) => {
    // latin1 keeps the bytes of files that are not text.
    const old = readFileSync(join(root, file), 'latin1')
    const fresh = withOwner(old, name)
    if (fresh !== old) writeFileSync(join(root, file), fresh, 'latin1')
    return fresh !== old
  })
  process.stdout.write(
    `Wrote ${name} into ${changed.length} files. Check them with \`git diff\`, then commit.\n`,
  )
}
