#!/usr/bin/env bash
# @mintlify/validation 0.1.878
#
# One wrong field of one group empties the whole tab: all its groups and pages are dropped, and the file passes without an error
# or a warning. The same group at the root of the navigation refuses the file. Dropdowns, languages, versions and products are
# like tabs.
#
# One would have guessed: an error that names the field, or a navigation without that field or that group.
#
# Seen on 2026-11-28:
#   sound            {"tabs":[{"tab":"Guides","groups":[{"group":"A","pages":["a"]},{"group":"B","pages":["b"]}]}]}
#   expanded: "yes"  {"tabs":[{"tab":"Guides"}]}
#   no name          {"tabs":[{"tab":"Guides"}]}
#   language "xx"    {"tabs":[{"tab":"Guides"}]}
#   at the root      refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/validation@0.1.878

cat > run.mjs <<'JS'
import { deepEqual } from 'node:assert/strict'
import { validateDocsConfig } from '@mintlify/validation'

const file = { $schema: 'https://mintlify.com/docs.json', theme: 'mint', name: 'Acme', colors: { primary: '#123456' } }
const groups = (second) => [{ group: 'A', pages: ['a'] }, { group: 'B', pages: ['b'], ...second }]
function read(name, navigation) {
  const { success, data } = validateDocsConfig({ ...file, navigation })
  console.log(name.padEnd(16), success ? JSON.stringify(data.navigation) : 'refused')
  return success ? data.navigation : 'refused'
}
const tab = (lists) => ({ tabs: [{ tab: 'Guides', ...lists }] })
const languages = ['en', 'xx'].map((language) => ({ language, pages: ['a'] }))
deepEqual(read('sound', tab({ groups: groups({}) })), tab({ groups: groups({}) }))
deepEqual(read('expanded: "yes"', tab({ groups: groups({ expanded: 'yes' }) })), tab({}))
deepEqual(read('no name', tab({ groups: groups({ group: undefined }) })), tab({}))
deepEqual(read('language "xx"', tab({ languages })), tab({}))
deepEqual(read('at the root', { groups: groups({ expanded: 'yes' }) }), 'refused')
JS
node run.mjs
