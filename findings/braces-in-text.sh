#!/usr/bin/env bash
# @mintlify/common 1.0.1182
#
# A name in braces that the page does not define, such as `{PROJECT_ID}`, is taken out of the text without an error or a mark. With
# a dot in it, it stays an expression, which nothing can evaluate.
#
# One would have guessed: as in MDX, both fail, or as in plain text, both stay.
#
# Seen on 2026-11-28:
#   Set {PROJECT_ID} first.  parse failed: no  "Set ", " first."
#   Set {project.id} first.  parse failed: no  "Set ", project.id, " first."
#   Set `{PROJECT_ID}` here. parse failed: no  "Set ", code "{PROJECT_ID}", " here."
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'JS'
import { deepEqual } from 'node:assert/strict'
import { getMdx } from '@mintlify/common/server-mdx'

async function read(content) {
  const page = await getMdx({ path: 'guide.mdx', content, metadata: {}, snippets: [], config: {} })
  const [, parts] = /_components\.p, \{\s*children: \[([^\]]*)\]/.exec(page.mdxSource.compiledSource)
  const text = parts.replace(/_jsx\(_components\.code, \{\s*children: ("[^"]*")\s*\}\)/, 'code $1').replace(/\s+/g, ' ').trim()
  console.log(content.padEnd(24), 'parse failed:', page.parseFailed === true ? 'yes' : 'no ', text)
  return [page.parseFailed ?? false, text]
}
deepEqual(await read('Set {PROJECT_ID} first.'), [false, '"Set ", " first."'])
deepEqual(await read('Set {project.id} first.'), [false, '"Set ", project.id, " first."'])
deepEqual(await read('Set `{PROJECT_ID}` here.'), [false, '"Set ", code "{PROJECT_ID}", " here."'])
JS
node run.mjs
