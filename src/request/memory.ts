import * as v from 'valibot'
import { issueNumber, listOf, nameUpTo, optional, textUpTo, whole } from '../json.ts'
import { CHECKS_STATUSES } from './checks-report.ts'
import { MOST_ASKS } from './daily-limit.ts'
import { JOB, jobWithId } from './job.ts'
import { OUTCOMES, REASONS } from './outcome.ts'

/**
 * What a thread knows. Each record carries it forward, so that no process needs all the comments that there ever were:
 * `latest` comes from the newest request, `grows` is the union over all records, because an older request can end after the
 * newest one was asked.
 */

/** A record has to fit into a comment. */
const MOST = { code: 3, sentFor: 6, setUp: 2, verdicts: 10, merged: 20, ended: 20 } as const

const digest = textUpTo(22)
const sha = textUpTo(64)
const link = nameUpTo(200)

const LATEST = v.object({
  /** The job to continue, with its pull request: the rest of it is read anew. */
  job: optional(
    v.pipe(
      JOB,
      v.transform(({ id, status, prLink, isEarlierLink }) => ({
        ...jobWithId(id),
        status,
        prLink,
        isEarlierLink,
      })),
    ),
  ),
  /** The code as the agent has it, by the step that brought it; '' for commands. */
  code: listOf(v.object({ step: digest, sha, digest }), MOST.code),
  /** A person said that the changes need no documentation, and no request came after that. */
  skip: optional(v.object({ requestedBy: textUpTo(60), why: textUpTo(360), url: textUpTo(200) })),
})
export type Latest = Readonly<v.InferOutput<typeof LATEST>>

/** How the request about some changes ended. */
const VERDICT = v.object({
  /** Of the request. */
  key: nameUpTo(22),
  /** Of the changes. */
  digest: nameUpTo(22),
  requestedAt: whole,
  /** The name of the commit status that says it, as a digest; '' for none. */
  status: digest,
  outcome: v.picklist(OUTCOMES),
  reason: v.picklist(REASONS),
  checks: optional(v.picklist(CHECKS_STATUSES)),
})
export type ChangesVerdict = Readonly<v.InferOutput<typeof VERDICT>>

const GROWS = v.object({
  /** SHAs of commits whose failed checks went back to the agent. */
  sentFor: listOf(nameUpTo(64), MOST.sentFor),
  /** The pull request of the agent of which a head had a check: a link, '' for none. */
  hadChecks: textUpTo(200),
  /** Links to the agent's pull requests that got reviewers and labels: what people take away stays away. */
  setUp: listOf(link, MOST.setUp),
  /** The newest request first. */
  verdicts: listOf(VERDICT, MOST.verdicts),
  /** The newest merge that a completed request covered, in ms since the epoch, and the numbers of the merges. */
  covered: v.fallback(v.object({ until: whole, merged: listOf(issueNumber, MOST.merged) }), {
    until: 0,
    merged: [],
  }),
  /** Requests that ended, by key: an older record of one of them counts for nothing, also when a bot posts it again. */
  ended: listOf(v.object({ key: nameUpTo(22), writtenAt: whole }), MOST.ended),
  /** For `daily-limit`, the newest first: a comment that a newer one replaced is deleted, and its asks count on. */
  asks: listOf(whole, MOST_ASKS),
})
export type Growing = Readonly<v.InferOutput<typeof GROWS>>

export const MEMORY = v.object({ latest: LATEST, grows: GROWS })
export type Memory = Readonly<v.InferOutput<typeof MEMORY>>

export const EMPTY_MEMORY: Memory = { latest: v.parse(LATEST, {}), grows: v.parse(GROWS, {}) }

/** What all of them know together. @param all those whose word goes first stand first */
export const union = (all: readonly Growing[]): Growing => ({
  sentFor: unique(
    all.flatMap(({ sentFor }) => sentFor),
    MOST.sentFor,
  ),
  hadChecks: all.find(({ hadChecks }) => hadChecks !== '')?.hadChecks ?? '',
  setUp: unique(
    all.flatMap(({ setUp }) => setUp),
    MOST.setUp,
  ),
  verdicts: firstOfEachKey(all.flatMap(({ verdicts }) => verdicts))
    .toSorted((a, b) => b.requestedAt - a.requestedAt)
    .slice(0, MOST.verdicts),
  covered: {
    until: Math.max(0, ...all.map(({ covered }) => covered.until)),
    merged: unique(
      all.flatMap(({ covered }) => covered.merged),
      Number.POSITIVE_INFINITY,
    )
      .toSorted((a, b) => b - a)
      .slice(0, MOST.merged),
  },
  ended: firstOfEachKey(
    all.flatMap(({ ended }) => ended).toSorted((a, b) => b.writtenAt - a.writtenAt),
  ).slice(0, MOST.ended),
  asks: unique(
    all.flatMap(({ asks }) => asks).toSorted((a, b) => b - a),
    MOST_ASKS,
  ),
})

const unique = <T>(all: readonly T[], most: number): T[] => [...new Set(all)].slice(0, most)

function firstOfEachKey<T extends { readonly key: string }>(all: readonly T[]): T[] {
  const byKey = new Map<string, T>()
  for (const one of all) if (!byKey.has(one.key)) byKey.set(one.key, one)
  return [...byKey.values()]
}
