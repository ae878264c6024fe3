#!/usr/bin/env bash
# @octokit/openapi-types 29.0.1 and @octokit/graphql-schema 15.26.1
#
# A pull request of a stack has `stack` in the list of the REST API and in events, with the branch that the stack is for. The
# GraphQL schema has no field and no type that tells of stacks. And of the events of a review, `submitted` and `dismissed` bring
# it, and `edited` does not.
#
# One would have guessed: GraphQL has what REST has of a pull request, and so has each event that brings one.
#
# Seen on 2026-11-28:
#   REST: stack; closed, submitted, dismissed: stack; edited: none
#   lines of GraphQL that name a stack: 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > npm.log
npm install --silent --no-audit --no-fund --ignore-scripts \
  @octokit/openapi-types@29.0.1 @octokit/graphql-schema@15.26.1 typescript@5.9.3

# The compiler refuses the file where a type is another one.
cat > seen.ts <<'EOF'
import type { components } from '@octokit/openapi-types'

type Schemas = components['schemas']
type HasStack<Type> = 'stack' extends keyof Type ? 'yes' : 'no'
type OfReview<Action extends 'submitted' | 'dismissed' | 'edited'> =
  HasStack<Schemas[`webhook-pull-request-review-${Action}`]['pull_request']>

export const list: HasStack<Schemas['pull-request-simple']> = 'yes'
export const closed: HasStack<Schemas['webhook-pull-request-closed']['pull_request']> = 'yes'
export const submitted: OfReview<'submitted'> = 'yes'
export const dismissed: OfReview<'dismissed'> = 'yes'
export const edited: OfReview<'edited'> = 'no'
EOF
node_modules/.bin/tsc --noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext seen.ts
echo 'REST: stack; closed, submitted, dismissed: stack; edited: none'
lines=$(grep -ciE '^ +stack|PullRequestStack' node_modules/@octokit/graphql-schema/schema.graphql || true)
echo "lines of GraphQL that name a stack: $lines"
test "$lines" = 0
