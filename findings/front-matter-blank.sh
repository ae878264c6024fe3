#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# A blank line before the front matter, or a blank behind its first `---`, and it counts as text of the page: no title, no error.
# For the blank line, `hasFrontmatter` says that there is some, while `parseFrontmatter` finds none.
#
# One would have guessed: both are read, or both functions say no.
#
# Seen on 2026-11-28:
#   plain          true {"title":"A"}
#   blank line     true {}
#   blank behind   false {}
#   blank at end   true {"title":"A"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { hasFrontmatter, parseFrontmatter } from '@mintlify/common'

const pages = {
  plain: '---\ntitle: A\n---\nText',
  'blank line': '\n---\ntitle: A\n---\nText',
  'blank behind': '--- \ntitle: A\n---\nText',
  'blank at end': '---\ntitle: A\n--- \nText',
}
const seen = Object.entries(pages).map(([name, page]) => {
  const { attributes } = parseFrontmatter(page)
  console.log(name.padEnd(14), hasFrontmatter(page), JSON.stringify(attributes))
  return [hasFrontmatter(page), attributes.title]
})
deepEqual(seen, [[true, 'A'], [true, undefined], [false, undefined], [true, 'A']])
EOF
node run.mjs
