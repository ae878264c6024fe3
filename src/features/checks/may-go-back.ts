import type { PullRequestRef } from '../../base/link.ts'
import type { Ending } from '../../record/outcome.ts'
import { skippedFixes, WENT_BEFORE } from '../../words/checks-words.ts'
import { skipSentence } from '../../words/comments.ts'
import type { RequestsOfJob } from './requests-of-job.ts'

/** What is read, and asked, before failures go back to the agent. */
export interface GoingBack {
  /** Reads what other requests did about the job. @throws {GitHubError} */
  readonly others: (pull: PullRequestRef) => Promise<RequestsOfJob>
  /** Of a sweep: see `ChecksSweep`. */
  readonly sweep?: { readonly objection: () => Promise<string | undefined> } | undefined
  /** What the day allows: what goes back counts, too. */
  readonly quota?: {
    /** @returns how the run ends where the agent was asked too often */
    end(): Promise<Ending | undefined>
    /** The agent is asked, or may have been. */
    count(): void
  }
}

type Going =
  | { readonly kind: 'goes'; readonly prompt: string }
  /** A later request follows the checks. */
  | { readonly kind: 'followed'; readonly by: string }
  | { readonly kind: 'stays'; readonly why: string }
  /** It is not known now: the next process asks again. */
  | { readonly kind: 'left' }

/**
 * Whether failures go back, as everything stands right before they do.
 * @param sha of the head that fails @param writing makes the message @throws {GitHubError} where GitHub does not answer
 */
export async function mayGoBack(
  { others, sweep, quota }: GoingBack,
  pull: PullRequestRef,
  sha: string,
  writing: () => Promise<string>,
): Promise<Going> {
  const { followedBy, sentFor, skip } = await others(pull)
  if (followedBy !== undefined) return { kind: 'followed', by: followedBy }
  if (sentFor.includes(sha)) return { kind: 'stays', why: WENT_BEFORE }
  if (skip !== undefined) return { kind: 'stays', why: skippedFixes(skipSentence(skip)) }
  const objection = await sweep?.objection()
  if (objection !== undefined) return { kind: 'stays', why: objection }
  const prompt = await writing()
  const full = await quota?.end()
  if (full === undefined) return { kind: 'goes', prompt }
  if (sweep !== undefined && full.reason !== 'daily-limit') return { kind: 'left' }
  return { kind: 'stays', why: full.message }
}
