#!/usr/bin/env bash
# @mintlify/link-rot 3.0.1381, which `mint broken-links` of mint 4.2.941 runs.
#
# The check of redirects takes one that leads to a section, to a page with a query, or to another redirect. The check of links
# calls a link through the same redirect broken; through a redirect to the plain page it passes.
#
# One would have guessed: where the redirect is good, a link through it is good.
#
# Seen on 2026-11-28:
#   broken links: /section /query /chain
#   broken redirects:
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
  "navigation": { "pages": ["index", "guide"] },
  "redirects": [
    { "source": "/plain", "destination": "/guide" },
    { "source": "/section", "destination": "/guide#install" },
    { "source": "/query", "destination": "/guide?os=linux" },
    { "source": "/chain", "destination": "/plain" }
  ]
}
EOF
printf '## Install\n\nSo.\n' > site/guide.mdx
printf '[a](/plain), [b](/section), [c](/query), [d](/chain)\n' > site/index.mdx

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { buildGraph } from '@mintlify/link-rot'

const graph = await buildGraph('site')
const links = graph.getBrokenInternalLinks().map(({ originalPath }) => originalPath)
const redirects = graph.getBrokenRedirects().map(({ source }) => source)
console.log('broken links:', links.join(' '))
console.log('broken redirects:', redirects.join(' '))
deepEqual(links, ['/section', '/query', '/chain'])
deepEqual(redirects, [])
EOF
node run.mjs
