#!/usr/bin/env bash
# @octokit/openapi-types 29.0.1, GitHub's own description of its API
#
# `pull_request.head.repo` is null once somebody deleted the fork. Whether its type says so depends on the action of the event:
# it does for `labeled` and `unassigned`, and not for `opened`, `closed` or `synchronize`, nor for the REST API. Code that compiles
# against the type of `closed` fails on a pull request that outlived its fork.
#
# One would have guessed: one type for all actions, which can be null.
#
# Seen on 2026-11-28:
#   labeled, unassigned: can be null
#   opened, closed, synchronize, REST: cannot
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts @octokit/openapi-types@29.0.1 typescript@5.9.3

# The compiler refuses the file where a type is another one.
cat > seen.ts <<'EOF'
import type { components } from '@octokit/openapi-types'

type Schemas = components['schemas']
type Head<Name extends keyof Schemas> = Schemas[Name] extends { pull_request: { head: { repo: infer Repo } } } ? Repo : 'none'
type CanBeNull<Repo> = null extends Repo ? 'yes' : 'no'

export const labeled: CanBeNull<Head<'webhook-pull-request-labeled'>> = 'yes'
export const unassigned: CanBeNull<Head<'webhook-pull-request-unassigned'>> = 'yes'
export const opened: CanBeNull<Head<'webhook-pull-request-opened'>> = 'no'
export const closed: CanBeNull<Head<'webhook-pull-request-closed'>> = 'no'
export const synchronize: CanBeNull<Head<'webhook-pull-request-synchronize'>> = 'no'
export const rest: CanBeNull<Schemas['pull-request']['head']['repo']> = 'no'
EOF
node_modules/.bin/tsc --noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext seen.ts
echo 'labeled, unassigned: can be null'
echo 'opened, closed, synchronize, REST: cannot'
