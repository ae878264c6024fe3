import type { Account } from '../event/account.ts'
import type { ThreadComment } from '../github/answers.ts'
import type { Forge } from '../github/forge.ts'
import { type History, historyOf, type RequestId } from '../request/history.ts'
import type { ActionRecord } from '../request/record.ts'
import { type SigningContext, verifyRecord } from '../request/signed-record.ts'

/** A record counts only in a comment of a bot or of the token's own account (contract 5.1). */
export async function trustedRecords<C extends ThreadComment>(
  forge: Forge,
  comments: readonly C[],
  signingOf: (comment: C) => SigningContext,
): Promise<readonly (C & { readonly record: ActionRecord })[]> {
  const recorded = comments.flatMap((comment) => {
    const record = verifyRecord(comment.body, signingOf(comment))
    return record === undefined ? [] : [{ ...comment, record }]
  })
  // No request asks for the own account where nothing depends on it.
  if (recorded.every(({ author }) => isBot(author))) return recorded
  const own = await forge.ownLogin()
  return recorded.filter(({ author }) => isBot(author) || (own !== undefined && author?.login === own))
}

const isBot = (author: Account | undefined): boolean => author?.bot === true

/**
 * What the comments of a thread tell about a request.
 * @param since only comments updated since then, in ms since the epoch
 * @throws {ForgeError} where GitHub does not answer, or refuses
 */
export async function readHistory(
  forge: Forge,
  signing: SigningContext,
  request: RequestId,
  since?: number,
): Promise<History> {
  const from = since === undefined ? undefined : new Date(since).toISOString()
  const comments = await forge.listComments(signing.thread, from)
  return historyOf(await trustedRecords(forge, comments, () => signing), request)
}
