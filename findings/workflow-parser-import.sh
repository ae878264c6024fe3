#!/usr/bin/env bash
# @actions/workflow-parser 0.3.61
#
# GitHub's own parser of workflows is published as an ES module, and Node cannot import it: it imports its JSON schema as only
# bundlers allow, without `with { type: 'json' }`. The package of expressions from the same repository loads.
#
# One would have guessed: `import` of a published package works in Node.
#
# Seen on 2026-11-28, with Node 20:
#   @actions/expressions loads
#   @actions/workflow-parser ERR_IMPORT_ATTRIBUTE_MISSING or ERR_IMPORT_ASSERTION_TYPE_MISSING
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @actions/workflow-parser@0.3.61 @actions/expressions@0.3.61

cat > run.mjs <<'EOF'
import { equal, match } from 'node:assert/strict'

const codeOf = (name) => import(name).then(() => 'loads', ({ code }) => code)
const expressions = await codeOf('@actions/expressions')
const parser = await codeOf('@actions/workflow-parser')
console.log('@actions/expressions', expressions)
console.log('@actions/workflow-parser', parser)
equal(expressions, 'loads')
// Node has two names for it, by its version.
match(parser, /^ERR_IMPORT_(ATTRIBUTE_MISSING|ASSERTION_TYPE_MISSING)$/)
EOF
node run.mjs
