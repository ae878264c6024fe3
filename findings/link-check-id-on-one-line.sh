#!/usr/bin/env bash
# @mintlify/link-rot 3.0.1381 and the @mintlify/common 1.0.1176 that it brings.
#
# `<h2 id="short">Short</h2>` on one line gives the page an anchor `short`, and so does the same on three lines. The checker of
# anchors sees only the second: what stands on one line it takes for a part of a paragraph, and so a link to it for broken.
#
# One would have guessed: an `id` is an anchor, however its lines are broken.
#
# Seen on 2026-11-28:
#   ids of the page: short long
#   broken by the checker: /guide#short
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
cat > site/guide.mdx <<'EOF'
<h2 id="short">On one line</h2>

<h2 id="long">
On three lines
</h2>
EOF
printf '[a](/guide#short), [b](/guide#long)\n' > site/index.mdx

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { getMdx } from '@mintlify/common/server-mdx'
import { getBrokenInternalLinks } from '@mintlify/link-rot'

const content = readFileSync('site/guide.mdx', 'utf8')
const { mdxSource } = await getMdx({ path: 'guide.mdx', content, metadata: {}, snippets: [], config: {} })
const ids = [...mdxSource.compiledSource.matchAll(/\bid: "(\w+)"/g)].map(([, id]) => id)
const broken = await getBrokenInternalLinks('site', { checkAnchors: true })
const links = broken.map(({ originalPath }) => originalPath)
console.log('ids of the page:', ids.join(' '))
console.log('broken by the checker:', links.join(' '))
deepEqual(ids, ['short', 'long'])
deepEqual(links, ['/guide#short'])
EOF
node run.mjs
