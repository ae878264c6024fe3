#!/usr/bin/env bash
# @mintlify/prebuild 1.0.1339 and @mintlify/link-rot 3.0.1387
#
# A page that another page imports is no page any more: it counts as a snippet and gets no address, whether or not the navigation
# names it. The warning then says that its file does not exist, and the checker of links takes links to it for sound.
#
# One would have guessed: the page stays where it was, and the other one shows its text, too.
#
# Seen on 2026-11-28:
#   pages: /guides/all.mdx /index.mdx
#   snippets: /guides/start.mdx
#   warning: "guides/start" is referenced in the docs.json navigation but the file does not exist.
#   broken links: (none)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/prebuild@1.0.1339 @mintlify/link-rot@3.0.1387

mkdir -p site/guides
cat > site/docs.json <<'JSON'
{
  "$schema": "https://mintlify.com/docs.json",
  "theme": "mint", "name": "Acme", "colors": { "primary": "#123456" },
  "navigation": { "pages": ["index", "guides/start", "guides/all"] }
}
JSON
printf '[Start](/guides/start)\n' > site/index.mdx
printf 'Install it.\n' > site/guides/start.mdx
printf 'import Start from "/guides/start.mdx"\n\n<Start />\n' > site/guides/all.mdx

cat > run.mjs <<'JS'
import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { getBrokenInternalLinks } from '@mintlify/link-rot'
import { generateDecoratedDocsNavigationFromPages } from '@mintlify/prebuild/dist/generate.js'
import { categorizeFilePaths } from '@mintlify/prebuild/dist/prebuild/categorizeFilePaths.js'

// The warning is printed, and kept nowhere.
const warnings = []
const { log } = console
console.log = (text) => warnings.push(text.replace('warning - ', ''))
const { contentFilenames: pages, snippetsV2: snippets } = await categorizeFilePaths('site')
const known = Object.fromEntries(pages.map((page) => [page.replace(/^\/|\.mdx$/g, ''), { href: page, title: page }]))
generateDecoratedDocsNavigationFromPages(known, JSON.parse(readFileSync('site/docs.json', 'utf8')).navigation)
console.log = log
const broken = await getBrokenInternalLinks('site')
console.log('pages:', pages.join(' '))
console.log('snippets:', snippets.join(' '))
console.log('warning:', warnings.join(' '))
console.log('broken links:', broken.map(({ originalPath }) => originalPath).join(' ') || '(none)')
deepEqual(pages, ['/guides/all.mdx', '/index.mdx'])
deepEqual(snippets, ['/guides/start.mdx'])
deepEqual(warnings, ['"guides/start" is referenced in the docs.json navigation but the file does not exist.'])
deepEqual(broken, [])
JS
NO_COLOR=1 node run.mjs
