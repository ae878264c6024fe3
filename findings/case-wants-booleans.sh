#!/usr/bin/env bash
# @actions/expressions 0.3.61
#
# `case()` takes only `true` and `false` for a condition, and fails on all else. A text that is there, a number, or a field of the
# event that is missing stops the job, while `if:`, `&&` and `!` read each of them as true or false.
#
# One would have guessed: a condition of `case()` is read as that of `if:`.
#
# Seen on 2026-11-28:
#   'x' && 1                          1
#   !github.event.label               true
#   case(github.event.label, 1, 2)    case predicate must evaluate to a boolean value
#   case('x', 1, 2)                   case predicate must evaluate to a boolean value
#   case(!!'x', 1, 2)                 1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @actions/expressions@0.3.61

cat > run.mjs <<'EOF'
import { deepEqual } from 'node:assert/strict'
import { data, Evaluator, Lexer, Parser, wellKnownFunctions } from '@actions/expressions'

const context = JSON.parse('{"github":{"event":{}}}', data.reviver)
function valueOf(text) {
  const tree = new Parser(new Lexer(text).lex().tokens, ['github'], Object.values(wellKnownFunctions)).parse()
  try {
    return new Evaluator(tree, context).evaluate().coerceString()
  } catch ({ message }) {
    return message
  }
}
const refused = 'case predicate must evaluate to a boolean value'
const expected = {
  "'x' && 1": '1',
  '!github.event.label': 'true',
  'case(github.event.label, 1, 2)': refused,
  "case('x', 1, 2)": refused,
  "case(!!'x', 1, 2)": '1',
}
const seen = Object.fromEntries(Object.keys(expected).map((text) => [text, valueOf(text)]))
for (const [text, value] of Object.entries(seen)) console.log(text.padEnd(33), value)
deepEqual(seen, expected)
EOF
node run.mjs
