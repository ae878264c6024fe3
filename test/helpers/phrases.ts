/** How tests tell one comment from another. What all of them say stands in test/words/words.md. */
export const SAYS = {
  /** The status comment. */
  works: 'is working',
  opened: 'opened',
  cancelled: 'The run was cut short',
  uncertain: 'It is not known whether a job was started',
} as const
