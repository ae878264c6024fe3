import type { World } from './world.ts'

/** A pull request, and the three places in it that take a command: the conversation, a review, and a line. */
export const PULL = 30
export const PLACES = ['issue_comment', 'pull_request_review', 'pull_request_review_comment'] as const
export type Place = (typeof PLACES)[number]

interface Written {
  readonly by?: string
  readonly isMail?: boolean
  /** Of a line comment: the first one of the thread that it replies to. */
  readonly thread?: number
}

/** The event of what a person writes there. */
export function writtenIn(
  { github, shown, say }: World,
  place: Place,
  body: string,
  { by = 'alice', isMail = false, ...at }: Written = {},
): { readonly name: string; readonly payload: Readonly<Record<string, unknown>> } {
  if (place === 'issue_comment') return say(body, { by, on: PULL, isMail })
  const part =
    place === 'pull_request_review'
      ? { action: 'submitted', review: shown.review(github.addReview(PULL, { login: by, body })) }
      : {
          action: 'created',
          comment: shown.comment(github.addReviewComment(PULL, { login: by, body, line: 7, isMail, ...at })),
        }
  const common = { pull_request: shown.pull(PULL), repository: shown.repository(), sender: shown.user(by) }
  return { name: place, payload: { ...common, ...part } }
}
