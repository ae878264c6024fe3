#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# Headings of the fifth and sixth level have no anchor at all: nothing on the page has an id for them, so a link to one leads
# nowhere. A page with `mode: custom` has none for any heading.
#
# One would have guessed: each heading has an anchor.
#
# Seen on 2026-11-28:
#   two three four
#   (none)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { getMdx } from '@mintlify/common/server-mdx'

const content = '## Two\n\n### Three\n\n#### Four\n\n##### Five\n\n###### Six\n'
async function idsOf(metadata) {
  const page = await getMdx({ path: 'guide.mdx', content, metadata, snippets: [], config: {} })
  const ids = [...page.mdxSource.compiledSource.matchAll(/\bid: "(\w+)"/g)].map(([, id]) => id)
  console.log(ids.join(' ') || '(none)')
  return ids
}
deepEqual(await idsOf({}), ['two', 'three', 'four'])
deepEqual(await idsOf({ mode: 'custom' }), [])
EOF
node run.mjs
