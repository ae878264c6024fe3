#!/usr/bin/env bash
# zizmor 1.32.0 and actionlint 1.7.12
#
# zizmor asks to write `uses: $/.github/workflows/called.yml` in place of `./…` for a workflow of the same repository, and its
# fix writes it. actionlint refuses what it wrote, so no spelling passes both without an exception.
#
# One would have guessed: what one checker of workflows fixes, the other takes.
#
# Seen on 2026-11-28:
#   before: zizmor self-repository; actionlint 0 errors
#   after:  uses: $/.github/workflows/called.yml; actionlint 1 error
set -euo pipefail
folder=$(mktemp -d)
# What Go keeps is not writable.
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check zizmor==1.32.0
GOBIN=$folder go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

mkdir -p repository/.github/workflows
cd repository
git init --quiet
cat > .github/workflows/called.yml <<'EOF'
on: workflow_call
permissions: {}
jobs:
  hello:
    name: Hello
    runs-on: ubuntu-latest
    steps:
      - run: echo hello
EOF
cat > .github/workflows/caller.yml <<'EOF'
on: push
permissions: {}
jobs:
  call:
    name: Call
    uses: ./.github/workflows/called.yml
EOF
lint() { ../actionlint -oneline .github/workflows/*.yml | grep -c 'reusable workflow call' || true; }
audit() { ../python/bin/zizmor --offline --no-progress --format json "$@" .github/workflows/caller.yml 2> zizmor.log || true; }

before=$(lint)
audit | grep -q '"self-repository"'
echo "before: zizmor self-repository; actionlint $before errors"
audit --fix=all > fixed.log
uses=$(grep -o 'uses: .*' .github/workflows/caller.yml)
after=$(lint)
echo "after:  $uses; actionlint $after error"
test "$before" = 0
# shellcheck disable=SC2016
test "$uses" = 'uses: $/.github/workflows/called.yml'
test "$after" = 1
