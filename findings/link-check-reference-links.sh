#!/usr/bin/env bash
# @mintlify/link-rot 3.0.1381, which `mint broken-links` of mint 4.2.941 runs.
#
# The checker reads `[text](/page)` and `href="/page"`. It reads neither the reference links of Markdown, whose address stands
# in a line of its own, nor an `href` in braces. Such links can break without a word.
#
# One would have guessed: each form that makes a link on the page is read.
#
# Seen on 2026-11-28:
#   broken: /gone-inline /gone-card
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/link-rot@3.0.1381

mkdir site
cat > site/docs.json <<'EOF'
{
  "$schema": "https://mintlify.com/docs.json",
  "theme": "mint", "name": "Acme", "colors": { "primary": "#123456" },
  "navigation": { "pages": ["index"] }
}
EOF
cat > site/index.mdx <<'EOF'
An [inline link](/gone-inline), a [link by reference][there], and a picture: ![by reference][picture]

<Card title="A card" href="/gone-card">Text</Card>

<Card title="A card in braces" href={"/gone-braces"}>Text</Card>

[there]: /gone-reference
[picture]: /gone.png
EOF

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { getBrokenInternalLinks } from '@mintlify/link-rot'

const broken = await getBrokenInternalLinks('site')
const links = broken.map(({ originalPath }) => originalPath)
console.log('broken:', links.join(' '))
deepEqual(links, ['/gone-inline', '/gone-card'])
EOF
node run.mjs
