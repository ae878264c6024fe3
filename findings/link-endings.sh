#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# A link to a file of the docs loses its `.mdx` only if it begins with a dot: `./setup.mdx` becomes the address of the page, and
# `/guides/setup.mdx`, the same file, stays as it is. So what editors complete works in one form and not in the other.
#
# One would have guessed: both lose the ending, or neither.
#
# Seen on 2026-11-28:
#   ./setup.mdx#two    /guides/setup#two
#   ../about.md        /about
#   /guides/setup.mdx  /guides/setup.mdx
#   setup.mdx          setup.mdx
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { getMdx } from '@mintlify/common/server-mdx'

const links = ['./setup.mdx#two', '../about.md', '/guides/setup.mdx', 'setup.mdx']
const content = links.map((link) => `[text](${link})`).join('\n\n')
const page = await getMdx({ path: 'guides/start.mdx', content, metadata: {}, snippets: [], config: {} })
const addresses = [...page.mdxSource.compiledSource.matchAll(/href: "([^"]*)"/g)].map(([, address]) => address)
for (const [at, address] of addresses.entries()) console.log(links[at].padEnd(18), address)
deepEqual(addresses, ['/guides/setup#two', '/about', '/guides/setup.mdx', 'setup.mdx'])
EOF
node run.mjs
