#!/usr/bin/env bash
# @actions/workflow-parser 0.3.61, GitHub's own, and actionlint 1.7.12
#
# Of a schedule, each refuses what the other takes. actionlint takes a question mark in `cron` and a step that is larger than the hour,
# with which the parser fails. The parser takes any text for `timezone`, while actionlint knows `GMT` and `Etc/UTC`, and calls `UTC`
# no valid name.
#
# One would have guessed: both know the same grammar, and `UTC` before all.
#
# Seen on 2026-11-28:
#                             parser   actionlint
#   cron: 17 6 * * 1          takes    takes
#   cron: 17 6 ? * 1          refuses  takes
#   cron: */90 * * * *        refuses  takes
#   timezone: Europe/Berlin   takes    takes
#   timezone: GMT             takes    takes
#   timezone: UTC             takes    refuses
#   timezone: Nowhere/Land    takes    refuses
set -euo pipefail
folder=$(mktemp -d)
# What Go keeps is not writable.
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @actions/workflow-parser@0.3.61 esbuild@0.28.2
GOBIN=$folder go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

cat > parse.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'

const [, , name] = process.argv
const { context, value } = parseWorkflow({ name, content: readFileSync(name, 'utf8') }, new NoOperationTraceWriter())
convertWorkflowTemplate(context, value).then(() => {
  console.log(context.errors.getErrors().length === 0 ? 'takes' : 'refuses')
})
JS
# Node alone cannot import the parser.
node_modules/.bin/esbuild parse.mjs --bundle --platform=node --format=cjs --log-level=error --outfile=parser.cjs

# 1 says that there are errors, all above that something else went wrong.
lint() {
  local status=0
  ./actionlint -shellcheck= "$@" > lint.log 2>&1 || status=$?
  case $status in 0) echo takes ;; 1) echo refuses ;; *) echo failed ;; esac
}
check() {
  local field=$1 value=$2 expected=$3 cron='17 6 * * 1' timezone=Europe/Berlin seen
  printf -v "$field" '%s' "$value"
  cat > workflow.yml <<YAML
on:
  schedule:
    - cron: '$cron'
      timezone: $timezone
permissions: {}
jobs:
  hello:
    runs-on: ubuntu-latest
    steps:
      - run: echo hello
YAML
  seen="$(node parser.cjs workflow.yml) $(lint workflow.yml)"
  printf '%-25s %s\n' "$field: $value" "$seen"
  test "$seen" = "$expected"
}
check cron '17 6 * * 1' 'takes takes'
check cron '17 6 ? * 1' 'refuses takes'
check cron '*/90 * * * *' 'refuses takes'
check timezone Europe/Berlin 'takes takes'
check timezone GMT 'takes takes'
check timezone UTC 'takes refuses'
check timezone Nowhere/Land 'takes refuses'
