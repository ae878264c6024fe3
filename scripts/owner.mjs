import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * `npm run owner -- octo` writes the owner of the repository into every file that git tracks. Plain JavaScript, since it
 * comes before `npm ci`, which brings the Node that runs TypeScript.
 */
const [owner = ''] = process.argv.slice(2)

/** Also as a regular expression spells it. Built, so that this file does not hold it. */
const PLACEHOLDER = new RegExp(`\\b${'owner'.toUpperCase()}(?=\\\\?/docs-agent\\b)`, 'g')

/**
 * Links and pictures of the README that lead to files: its page on the Marketplace resolves no relative ones. Of a private copy,
 * `raw/` on github.com shows pictures to those who can read it, and raw.githubusercontent.com to nobody.
 */
const LINK = /\]\((?!https:|#)/g
const PICTURE = /(?<=(?:src|srcset)=")(?!https:)/g

/** What explains the placeholder, and goes with it. */
const EXPLANATION = /<!-- placeholder -->\n[\s\S]*?<!-- end of placeholder -->\n/g

// https://docs.github.com/enterprise-cloud@latest/admin/concepts/identity-and-access-management/username-considerations
if (/^[a-z\d](?:-?[a-z\d]){0,38}$/i.test(owner)) replaceOwner()
else {
  process.stderr.write(
    'Usage: npm run owner -- NAME, where NAME is the user or the organization on GitHub.\n',
  )
  process.exitCode = 2
}

function replaceOwner() {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean)
  const changed = files.filter((file) => {
    // latin1 keeps the bytes of files that are not text.
    const old = readFileSync(file, 'latin1')
    const owned = old.replace(EXPLANATION, '').replace(PLACEHOLDER, owner)
    const fresh = file === 'README.md' ? withAddresses(owned) : owned
    if (fresh !== old) writeFileSync(file, fresh, 'latin1')
    return fresh !== old
  })
  process.stdout.write(
    `Wrote ${owner} into ${changed.length} files. Check them with \`git diff\`, then commit.\n`,
  )
}

/** @param {string} readme */
function withAddresses(readme) {
  const repository = `${owner}/docs-agent`
  return readme
    .replace(LINK, `](https://github.com/${repository}/blob/main/`)
    .replace(PICTURE, `https://github.com/${repository}/raw/main/`)
}
