#!/usr/bin/env bash
# @mintlify/validation 0.1.878
#
# A field of `docs.json` that is not known passes without an error or a warning, and is dropped. A misspelt `redirects` means no
# redirects. But one redirect too many, of a source that has one, refuses the whole file.
#
# One would have guessed: the file is checked strictly, and a second redirect of one source is a matter of order.
#
# Seen on 2026-11-28:
#   redirect (misspelt)  taken, 0 warnings, without it
#   icn in a group       taken, 0 warnings, without it
#   two of one source    refused: Each source path can only be used once
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/validation@0.1.878

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { validateDocsConfig } from '@mintlify/validation'

const navigation = { groups: [{ group: 'Guides', pages: ['index'], icn: 'book' }] }
const file = { $schema: 'https://mintlify.com/docs.json', theme: 'mint', name: 'Acme', colors: { primary: '#123456' }, navigation }
const old = (destination) => ({ source: '/old', destination })
function seen(name, more, isThere) {
  const { success, data, warnings, error } = validateDocsConfig({ ...file, ...more })
  const rest = `taken, ${warnings?.length} warnings, ${isThere(data) ? 'with it' : 'without it'}`
  const result = success ? rest : `refused: ${error.issues.map(({ message }) => message).join()}`
  console.log(name.padEnd(20), result)
  return result
}
const results = [
  seen('redirect (misspelt)', { redirect: [old('/new')] }, (data) => 'redirect' in data),
  seen('icn in a group', {}, (data) => 'icn' in data.navigation.groups[0]),
  seen('two of one source', { redirects: [old('/new'), old('/newer')] }, () => true),
]
const dropped = 'taken, 0 warnings, without it'
deepEqual(results, [dropped, dropped, 'refused: Each source path can only be used once'])
EOF
node run.mjs
