#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# A component that is not known, such as `<Hint>` from another system of docs, is taken out of the page together with the text
# in it. There is no error and no mark.
#
# One would have guessed: an error that names the component, or a page that keeps the text.
#
# Seen on 2026-11-28:
#   parse failed: no
#   text: "Before." "After."
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { getMdx } from '@mintlify/common/server-mdx'

const content = 'Before.\n\n<Hint>\nDelete nothing.\n</Hint>\n\nAfter.\n'
const page = await getMdx({ path: 'guide.mdx', content, metadata: {}, snippets: [], config: {} })
const text = [...page.mdxSource.compiledSource.matchAll(/"[A-Z][a-z ]+\."/g)].map(([part]) => part)
console.log('parse failed:', page.parseFailed === true ? 'yes' : 'no')
console.log('text:', text.join(' '))
deepEqual(page.parseFailed ?? false, false)
deepEqual(text, ['"Before."', '"After."'])
EOF
node run.mjs
