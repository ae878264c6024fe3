import { asArray, asObject, asString } from '../base/json.ts'
import type { PullRequestRef } from '../base/link.ts'
import type { Octokit } from './octokit.ts'
import { CONTEXT_MS } from './retry-budget.ts'

/** Pull requests of one query. */
const MOST_HEADS = 30

/** https://docs.github.com/graphql/reference/objects#statuscheckrollup */
const HEAD =
  'state mergeable commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { pageInfo { hasNextPage } nodes { __typename ... on CheckRun { status conclusion } ... on StatusContext { state } } } } } } }'

const headName = ({ owner, repo, number }: PullRequestRef): string =>
  `${owner}/${repo}#${number}`.toLowerCase()

/**
 * Of pull requests, those whose checks surely go on: some check of the head works or waits for a runner, none has failed, and there
 * is no conflict. One query tells that of thirty, where a reading of each takes four requests.
 * @returns whether a pull request is one of them; none is where GitHub gives no answer
 */
export async function readHeadsAtWork(
  octokit: Octokit,
  pulls: readonly PullRequestRef[],
): Promise<(pull: PullRequestRef) => boolean> {
  const all = [...new Map(pulls.map((pull) => [headName(pull), pull])).values()]
  const atWork = new Set<string>()
  for (let from = 0; from < all.length; from += MOST_HEADS) {
    const some = all.slice(from, from + MOST_HEADS)
    const answer = asObject(await queryHeads(octokit, some))
    for (const [at, pull] of some.entries())
      if (goesOn(asObject(answer[`p${at}`]).pullRequest)) atWork.add(headName(pull))
  }
  return (pull) => atWork.has(headName(pull))
}

/** What GitHub refuses to show of one is null beside the others. */
async function queryHeads(octokit: Octokit, pulls: readonly PullRequestRef[]): Promise<unknown> {
  const fields = pulls.map(({ owner, repo, number }, at) => {
    const [ofOwner, ofName] = [owner, repo].map((one) => JSON.stringify(one))
    return `p${at}: repository(owner: ${ofOwner}, name: ${ofName}) { pullRequest(number: ${number}) { ${HEAD} } }`
  })
  const request = { patienceMs: CONTEXT_MS }
  return await octokit
    .graphql(`query { ${fields.join(' ')} }`, { request })
    .catch((error: unknown) => asObject(error).data)
}

function goesOn(pullRequest: unknown): boolean {
  const { state, mergeable, commits } = asObject(pullRequest)
  const [node] = asArray(asObject(commits).nodes)
  const { contexts } = asObject(asObject(asObject(asObject(node).commit)).statusCheckRollup)
  const { nodes, pageInfo } = asObject(contexts)
  if (state !== 'OPEN' || mergeable === 'CONFLICTING' || asObject(pageInfo).hasNextPage !== false)
    return false
  const checks = asArray(nodes).map(asObject)
  return checks.some(isOpen) && checks.every((check) => isOpen(check) || isSound(check))
}

const isOpen = ({ status, state }: Readonly<Record<string, unknown>>): boolean =>
  ['QUEUED', 'IN_PROGRESS', 'PENDING', 'REQUESTED'].includes(asString(status)) ||
  ['PENDING', 'EXPECTED'].includes(asString(state))

const isSound = ({ conclusion, state }: Readonly<Record<string, unknown>>): boolean =>
  ['SUCCESS', 'NEUTRAL', 'SKIPPED'].includes(asString(conclusion)) || state === 'SUCCESS'
