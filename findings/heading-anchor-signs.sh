#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# The anchor of a heading keeps `&`, `+`, `%` and `/`, and turns a dot into a hyphen. On GitHub, the same heading has another
# anchor, so a link that works in one place fails in the other.
#
# One would have guessed, as on GitHub: a--b, c, 100-sure, get-users, version-123
#
# Seen on 2026-11-28:
#   A & B          a-&-b
#   C++            c++
#   100% sure      100%-sure
#   GET /users     get-/users
#   Version 1.2.3  version-1-2-3
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { getMdx } from '@mintlify/common/server-mdx'

const headings = ['A & B', 'C++', '100% sure', 'GET /users', 'Version 1.2.3']
const content = headings.map((heading) => `## ${heading}\n\nText\n`).join('\n')
const { mdxExtracts } = await getMdx({ path: 'guide.mdx', content, metadata: {}, snippets: [], config: {} })
const anchors = mdxExtracts.tableOfContents.map(({ slug }) => slug)
for (const [at, anchor] of anchors.entries()) console.log(headings[at].padEnd(14), anchor)
deepEqual(anchors, ['a-&-b', 'c++', '100%-sure', 'get-/users', 'version-1-2-3'])
EOF
node run.mjs
