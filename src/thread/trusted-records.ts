import type { Account } from '../event/objects.ts'
import type { ThreadComment } from '../github/answers.ts'
import type { GitHub } from '../github/github.ts'
import type { OtherKeys } from '../messages/phrases.ts'
import type { ActionRecord } from '../request/record.ts'
import { isForeignRecord, type SigningContext, verifyRecord } from '../request/signed-record.ts'

/** A record counts only in a comment of a bot or of the token's own account. */
export async function trustedRecords<C extends ThreadComment>(
  github: GitHub,
  comments: readonly C[],
  signingOf: (comment: C) => SigningContext,
): Promise<readonly (C & { readonly record: ActionRecord })[]> {
  const recorded = comments.flatMap((comment) => {
    const record = verifyRecord(comment.body, signingOf(comment))
    return record === undefined ? [] : [{ ...comment, record }]
  })
  const isBot = (author: Account | undefined): boolean => author?.bot === true
  // No request asks for the own account where nothing depends on it.
  if (recorded.every(({ author }) => isBot(author))) return recorded
  const own = await github.ownLogin()
  return recorded.filter(({ author }) => isBot(author) || (own !== undefined && author?.login === own))
}

/** Comments of bots that no key at hand signed. */
export function otherKeysOf(
  comments: readonly ThreadComment[],
  scope: Pick<SigningContext, 'projectId'>,
): OtherKeys {
  return { count: comments.filter(({ body }) => isForeignRecord(body, scope)).length, isCertain: true }
}
