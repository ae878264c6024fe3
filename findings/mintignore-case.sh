#!/usr/bin/env bash
# @mintlify/prebuild 1.0.1339
#
# What is left out of the docs is matched in any case and in each folder, the built-in `CHANGELOG.md` as well. So `changelog.md`
# and `guides/changelog.md` are no pages, though `changelog.mdx` is one, and a line `Drafts` in `.mintignore` takes `drafts/`.
# A line `!changelog.md` brings both back.
#
# One would have guessed: as in git, on a system that tells the two apart: `CHANGELOG.md` at the root, and `Drafts`, alone.
#
# Seen on 2026-11-28:
#   built-in:      drafts/one.mdx guides/changelog.mdx
#   Drafts:        guides/changelog.mdx
#   !changelog.md: changelog.md drafts/one.mdx guides/changelog.md guides/changelog.mdx
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/prebuild@1.0.1339 @mintlify/common@1.0.1182

mkdir -p site/guides site/drafts
for page in changelog.md guides/changelog.md guides/changelog.mdx drafts/one.mdx; do printf 'Text\n' > "site/$page"; done

cat > run.mjs <<'JS'
import { deepEqual } from 'node:assert/strict'
import { processMintIgnoreString } from '@mintlify/common'
import { categorizeFilePaths } from '@mintlify/prebuild/dist/prebuild/categorizeFilePaths.js'

async function pagesWith(lines) {
  const { contentFilenames } = await categorizeFilePaths('site', processMintIgnoreString(lines))
  const pages = contentFilenames.map((page) => page.slice(1)).sort()
  console.log(`${lines || 'built-in'}:`.padEnd(14), pages.join(' '))
  return pages
}
deepEqual(await pagesWith(''), ['drafts/one.mdx', 'guides/changelog.mdx'])
deepEqual(await pagesWith('Drafts'), ['guides/changelog.mdx'])
const all = ['changelog.md', 'drafts/one.mdx', 'guides/changelog.md', 'guides/changelog.mdx']
deepEqual(await pagesWith('!changelog.md'), all)
JS
node run.mjs
