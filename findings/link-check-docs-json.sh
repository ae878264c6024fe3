#!/usr/bin/env bash
# @mintlify/link-rot 3.0.1381
#
# Of `docs.json`, the checker reads the links in the navigation alone. Those of the bar, the button, the footer, the banner and the
# logo pass, wherever they lead; so do the destination of a redirect, and a page that the navigation names and that has no file.
#
# One would have guessed: all links of the file count, or none, and a page without a file is the first thing to be said.
#
# Seen on 2026-11-28:
#   broken: /gone-tab
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/link-rot@3.0.1381

mkdir site
cat > site/docs.json <<'JSON'
{
  "$schema": "https://mintlify.com/docs.json",
  "theme": "mint", "name": "Acme", "colors": { "primary": "#123456" },
  "banner": { "content": "[New](/gone-banner)" },
  "logo": { "light": "/logo.svg", "dark": "/logo.svg", "href": "/gone-logo" },
  "navbar": {
    "links": [{ "label": "Blog", "href": "/gone-bar" }],
    "primary": { "type": "button", "label": "Start", "href": "/gone-button" }
  },
  "footer": { "links": [{ "header": "More", "items": [{ "label": "Help", "href": "/gone-footer" }] }] },
  "redirects": [{ "source": "/old", "destination": "/gone-redirect" }],
  "navigation": {
    "tabs": [
      { "tab": "Guides", "pages": ["index", "gone-page"] },
      { "tab": "Elsewhere", "href": "/gone-tab" }
    ]
  }
}
JSON
printf 'Text\n' > site/index.mdx
printf '<svg xmlns="http://www.w3.org/2000/svg"/>\n' > site/logo.svg

cat > run.mjs <<'JS'
import { deepEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { getBrokenInternalLinks } from '@mintlify/link-rot'
import { validateDocsConfig } from '@mintlify/validation'

// The file is a sound one but for its links.
deepEqual(validateDocsConfig(JSON.parse(readFileSync('site/docs.json', 'utf8'))).success, true)
const broken = await getBrokenInternalLinks('site')
const links = broken.map(({ originalPath }) => originalPath)
console.log('broken:', links.join(' '))
deepEqual(links, ['/gone-tab'])
JS
node run.mjs
