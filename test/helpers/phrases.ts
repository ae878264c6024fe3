/** How tests tell one comment from another. What all of them say stands in test/words/words.md. */
export const SAYS = {
  /** The status comment. */
  works: 'is working',
  opened: 'opened',
  cancelled: 'The run was cancelled',
  unsent: 'did not get the request',
  uncertain: 'It is not known whether a job was started',
  /** The end of the code's pull request. */
  merged: 'octo/app#30 is merged',
} as const
