#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# Two hyphens in plain text become a dash: readers of "Use --force" see and copy "—force", which no program knows. In a heading
# the dash goes into the anchor as well. In a code span, they stay as they are.
#
# One would have guessed: text stays as it is typed, and the anchor is `use-force` or, as on GitHub, `use---force`.
#
# Seen on 2026-11-28:
#   text:   Pass —force or --all.
#   anchor: use-—force
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { getMdx } from '@mintlify/common/server-mdx'

const content = '## Use --force\n\nPass --force or `--all`.\n'
const { mdxExtracts, mdxSource } = await getMdx({ path: 'guide.mdx', content, metadata: {}, snippets: [], config: {} })
const [paragraph] = /_components\.p, \{[^\]]*\]/.exec(mdxSource.compiledSource)
const text = [...paragraph.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join('')
const anchors = mdxExtracts.tableOfContents.map(({ slug }) => slug)
console.log('text:  ', text)
console.log('anchor:', anchors.join(' '))
deepEqual(text, 'Pass —force or --all.')
deepEqual(anchors, ['use-—force'])
EOF
node run.mjs
