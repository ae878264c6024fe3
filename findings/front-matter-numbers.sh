#!/usr/bin/env bash
# @mintlify/common 1.0.1182, which brings front-matter 4 and with it js-yaml 3
#
# Front matter is read as YAML 1.1: without quotes, `title: 12:30` is the number 750 (in base sixty), `010` is eight, and
# `1_000` a thousand. `yes` and `on` stay text all the same.
#
# One would have guessed: as in YAML 1.2, which tools of today read, all but the second are text, and that one is ten.
#
# Seen on 2026-11-28:
#   12:30  750
#   3:2    182
#   010    8
#   1_000  1000
#   yes    "yes"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @mintlify/common@1.0.1182

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { parseFrontmatter } from '@mintlify/common'

const titles = ['12:30', '3:2', '010', '1_000', 'yes']
const read = titles.map((title) => parseFrontmatter(`---\ntitle: ${title}\n---\nText`).attributes.title)
for (const [at, title] of titles.entries()) console.log(title.padEnd(6), JSON.stringify(read[at]))
deepEqual(read, [750, 182, 8, 1000, 'yes'])
EOF
node run.mjs
