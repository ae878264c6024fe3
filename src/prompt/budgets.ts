/** Characters of what goes to the agent: the one table of them. */
export const BUDGETS = {
  /** A request, and all that goes with it. */
  prompt: 200_000,
  /** What the event, or a list of merges, is about: texts, lists and patches together. */
  changes: 20_000,
  /** Of changed lines that an earlier request of the thread left out. */
  restOfChanges: 10_000,
  /** The same as `changes` for each more of several merged pull requests. */
  nextMerged: 5000,
  /** Of all of them. */
  mostMerged: 80_000,
  quotations: 20_000,
  belowMail: 20_000,
  /** The lines that a request or the comments of a review are about. */
  reviewLines: 12_000,
  /** Code that a request links to. */
  linkedCode: 12_000,
  /** The line comments of a review, which are part of the request. */
  reviewRequest: 20_000,
  conversation: 12_000,
  /** One remark of the conversation. */
  remark: 3000,
  /** All that checks say. */
  checks: 12_000,
  /** All reference files together. */
  references: 20_000,
} as const

/** @param pulls how many are merged */
export const budgetOfMerged = (pulls: number): number =>
  Math.min(BUDGETS.mostMerged, BUDGETS.changes + BUDGETS.nextMerged * Math.max(0, pulls - 1))
