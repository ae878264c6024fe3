#!/usr/bin/env bash
# @mintlify/link-rot 3.0.1381, which `mint broken-links` of mint 4.2.941 runs.
#
# A link passes if any file has its name, whatever its ending: `/guide.pdf` is found because there is a page `guide.mdx`, and
# `/images/logo` because there is a picture `logo.png`. So a download that is missing goes unnoticed.
#
# One would have guessed: a link to a file that is not there is broken.
#
# Seen on 2026-11-28:
#   broken: /manual.pdf /images/none
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/link-rot@3.0.1381

mkdir -p site/images
cat > site/docs.json <<'EOF'
{
  "$schema": "https://mintlify.com/docs.json",
  "theme": "mint", "name": "Acme", "colors": { "primary": "#123456" },
  "navigation": { "pages": ["index", "guide"] }
}
EOF
printf 'A guide.\n' > site/guide.mdx
touch site/images/logo.png
cat > site/index.mdx <<'EOF'
[a download](/guide.pdf), [an old address](/guide.html), [a picture](/images/logo)

[another download](/manual.pdf), [another picture](/images/none)
EOF

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { getBrokenInternalLinks } from '@mintlify/link-rot'

const broken = await getBrokenInternalLinks('site')
const links = broken.map(({ originalPath }) => originalPath)
console.log('broken:', links.join(' '))
deepEqual(links, ['/manual.pdf', '/images/none'])
EOF
node run.mjs
