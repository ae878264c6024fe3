#!/usr/bin/env bash
# @mintlify/scraping 4.0.1052
#
# A summary of nothing but signs that names of pages leave out, such as "/" or "...", leaves no name. The page then is not named
# after method and path, as without a summary: it takes the address of the folder in which all pages of the API lie.
#
# One would have guessed: api-reference/get-status, as for an operation without a summary.
#
# Seen on 2026-11-28:
#   (none)   api-reference/get-status
#   "..."    api-reference
#   "/"      api-reference
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/scraping@4.0.1052

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { generateOpenApiPagesForDocsConfig } from '@mintlify/scraping'

const responses = { 200: { description: 'Fine' } }
async function nameOf(summary) {
  const paths = { '/status': { get: { responses, summary } } }
  const spec = { openapi: '3.1.0', info: { title: 'Acme', version: '1' }, paths }
  const options = { openApiFilePath: '/openapi.json', outDir: 'api-reference', writeFiles: false }
  const { nav } = await generateOpenApiPagesForDocsConfig(JSON.parse(JSON.stringify(spec)), options)
  const [name] = nav.flatMap((entry) => entry.pages ?? entry)
  console.log((summary === undefined ? '(none)' : JSON.stringify(summary)).padEnd(8), name)
  return name
}
const names = [await nameOf(undefined), await nameOf('...'), await nameOf('/')]
deepEqual(names, ['api-reference/get-status', 'api-reference', 'api-reference'])
EOF
node run.mjs
