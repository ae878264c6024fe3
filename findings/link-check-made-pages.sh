#!/usr/bin/env bash
# @mintlify/link-rot 3.0.1381, with the @mintlify/prebuild 1.0.1333 and the @mintlify/common 1.0.1176 that it brings
#
# The checker knows pages that are made from OpenAPI, and calls a link broken that leads to one made from AsyncAPI, or to a file that
# each site serves, such as `/llms.txt` and `/sitemap.xml`. The packages beside it name all of these.
#
# One would have guessed: what the site makes counts as there.
#
# Seen on 2026-11-28:
#   made:   /api-reference/list-users /api-reference/websockets/orders /llms.txt /robots.txt /sitemap.xml /llms-full.txt
#   broken: /api-reference/websockets/orders /llms.txt /robots.txt /sitemap.xml /llms-full.txt
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts \
  @mintlify/link-rot@3.0.1381 @mintlify/prebuild@1.0.1333 @mintlify/common@1.0.1176

mkdir site
cat > site/docs.json <<'JSON'
{
  "$schema": "https://mintlify.com/docs.json",
  "theme": "mint", "name": "Acme", "colors": { "primary": "#123456" },
  "navigation": {
    "groups": [
      { "group": "Start", "pages": ["index"] },
      { "group": "API", "openapi": "openapi.json" },
      { "group": "Events", "asyncapi": "events.yaml" }
    ]
  }
}
JSON
cat > site/openapi.json <<'JSON'
{
  "openapi": "3.1.0", "info": { "title": "Acme", "version": "1" },
  "paths": { "/users": { "get": { "summary": "List users", "responses": { "200": { "description": "Fine" } } } } }
}
JSON
cat > site/events.yaml <<'YAML'
asyncapi: 3.0.0
info: { title: Events, version: 1.0.0 }
channels:
  orders:
    address: orders
    messages:
      created: { payload: { type: object } }
operations:
  onOrder: { action: receive, channel: { $ref: '#/channels/orders' } }
YAML

cat > run.mjs <<'JS'
import { deepEqual } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { generatedStaticFiles } from '@mintlify/common'
import { getBrokenInternalLinks } from '@mintlify/link-rot'
import { categorizeFilePaths } from '@mintlify/prebuild/dist/prebuild/categorizeFilePaths.js'
import { generateAsyncApiFromDocsConfig, generateOpenApiFromDocsConfig } from '@mintlify/prebuild/dist/prebuild/update/docsConfig/index.js'

const { openApiFiles, asyncApiFiles } = await categorizeFilePaths('site')
const { navigation } = JSON.parse(readFileSync('site/docs.json', 'utf8'))
const pages = {}
await generateOpenApiFromDocsConfig(structuredClone(navigation), openApiFiles, pages, { writeFiles: false })
await generateAsyncApiFromDocsConfig(structuredClone(navigation), asyncApiFiles, pages, { writeFiles: false })
const made = [...Object.keys(pages), ...generatedStaticFiles].map((name) => `/${name}`)
writeFileSync('site/index.mdx', made.map((link) => `[text](${link})\n`).join('\n'))
const broken = (await getBrokenInternalLinks('site')).map(({ originalPath }) => originalPath)
console.log('made:  ', made.join(' '))
console.log('broken:', broken.join(' '))
deepEqual(made.slice(0, 2), ['/api-reference/list-users', '/api-reference/websockets/orders'])
deepEqual(broken, made.slice(1))
JS
node run.mjs
