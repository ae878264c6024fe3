#!/usr/bin/env bash
# @mintlify/prebuild 1.0.1333, which builds the pages of mint 4.2.941
#
# Two operations have the summary "List". With `openapi` alone, the second gets the page `list-1`. Where the navigation names
# both, they get one page: the navigation has it twice, the later operation replaces the earlier one, and nothing is said.
#
# One would have guessed: the pages have the same names either way.
#
# Seen on 2026-11-28:
#   all   api-reference/list api-reference/list-1
#   named api-reference/list api-reference/list
#         of which there is: POST /users
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/prebuild@1.0.1333

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { generateOpenApiFromDocsConfig } from '@mintlify/prebuild/dist/prebuild/update/docsConfig/generateOpenApiFromDocsConfig.js'

const list = { summary: 'List', responses: { 200: { description: 'Fine' } } }
const spec = { openapi: '3.1.0', info: { title: 'Acme', version: '1' }, paths: { '/users': { get: list, post: list } } }
async function built(group) {
  const pages = {}
  const files = [{ filename: 'openapi', spec: structuredClone(spec), originalFileLocation: '/openapi.json' }]
  const navigation = { groups: [{ group: 'API', openapi: 'openapi.json', ...group }] }
  const { newNav } = await generateOpenApiFromDocsConfig(navigation, files, pages, { writeFiles: false })
  return { names: newNav.groups[0].pages.flatMap((page) => page.pages ?? page), pages }
}
const all = await built({})
const named = await built({ pages: ['GET /users', 'POST /users'] })
const operations = Object.values(named.pages).map(({ openapi }) => openapi)
console.log('all  ', all.names.join(' '))
console.log('named', named.names.join(' '), '\n      of which there is:', operations.join(' '))
deepEqual(all.names, ['api-reference/list', 'api-reference/list-1'])
deepEqual(named.names, ['api-reference/list', 'api-reference/list'])
deepEqual(operations, ['/openapi.json post /users'])
EOF
node run.mjs
