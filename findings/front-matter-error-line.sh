#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# The error about broken front matter names a line that is two too small: it counts from zero, and without the first `---`. For
# a fault in the third line of the file it says "line 1", where the `---` stands.
#
# One would have guessed: the line of the file, or at least of the front matter.
#
# Seen on 2026-11-28:
#   There is a syntax error in your frontmatter on line 1, column 19 in guide.mdx
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { equal } from 'node:assert/strict'
import { getDecoratedNavPageAndSlug } from '@mintlify/common'

const lines = ['---', 'title: Fine', 'description: How to: install', '---', 'Text']
let said = ''
try {
  getDecoratedNavPageAndSlug('guide.mdx', lines.join('\n'), [], [])
} catch (error) {
  said = error.message
}
console.log(said)
equal(said, 'There is a syntax error in your frontmatter on line 1, column 19 in guide.mdx')
EOF
node run.mjs
