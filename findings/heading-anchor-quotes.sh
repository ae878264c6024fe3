#!/usr/bin/env bash
# @mintlify/link-rot 3.0.1381 and the @mintlify/common 1.0.1176 that it brings.
#
# A page turns the straight apostrophe of a heading into a typographic one before it makes the anchor, and keeps it there.
# The checker of links reads the heading as it is typed. So `--check-anchors` calls the anchor that works broken, and takes
# one that the page does not have.
#
# One would have guessed: `## What's new?` has the anchor `whats-new`, as on GitHub, for the page and for the checker.
#
# Seen on 2026-11-28:
#   anchors of the page: what’s-new
#   broken by the checker: /guide#what’s-new
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/link-rot@3.0.1381 @mintlify/common@1.0.1176

mkdir site
cat > site/docs.json <<'EOF'
{
  "$schema": "https://mintlify.com/docs.json",
  "theme": "mint", "name": "Acme", "colors": { "primary": "#123456" },
  "navigation": { "pages": ["index", "guide"] }
}
EOF
printf '## What'"'"'s new?\n\nMuch.\n' > site/guide.mdx
printf '[as on GitHub](/guide#whats-new), [as on the page](/guide#what’s-new)\n' > site/index.mdx

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { getMdx } from '@mintlify/common/server-mdx'
import { getBrokenInternalLinks } from '@mintlify/link-rot'

const content = readFileSync('site/guide.mdx', 'utf8')
const { mdxExtracts } = await getMdx({ path: 'guide.mdx', content, metadata: {}, snippets: [], config: {} })
const anchors = mdxExtracts.tableOfContents.map(({ slug }) => slug)
const broken = await getBrokenInternalLinks('site', { checkAnchors: true })
const links = broken.map(({ originalPath }) => originalPath)
console.log('anchors of the page:', anchors.join(' '))
console.log('broken by the checker:', links.join(' '))
deepEqual(anchors, ['what’s-new'])
deepEqual(links, ['/guide#what’s-new'])
EOF
node run.mjs
