import type { ThreadComment } from '../github/answers.ts'
import type { GitHub } from '../github/github.ts'
import type { RecordedComment } from '../record/fold.ts'
import { askedAt } from '../record/log.ts'
import { type ActionRecord, isRequestRecord } from '../record/record.ts'
import { lastRecord, type RepositoryScope } from '../record/signed-record.ts'
import { isDocsSkipped } from '../record/states.ts'

/** What comments say of this project. */
interface ReadRecords<C> {
  readonly recorded: readonly (C & { readonly record: ActionRecord })[]
  /** Of the account that writes here, and not as it wrote them: what they said is not known. */
  readonly unverified: readonly C[]
}

interface Reader {
  readonly github: Pick<GitHub, 'writerLogin'>
  readonly scope: RepositoryScope
}

/**
 * A record counts in a comment of the account that writes here wherever it stands, because people add lines below it; in one of
 * another bot, such as that of an earlier token, at its end; in any other for nothing. One that does not verify makes things not
 * known in a comment of the account that writes here, and counts for nothing in every other.
 */
export async function readRecords<C extends ThreadComment>(
  { github, scope }: Reader,
  comments: readonly C[],
  threadOf: (comment: C) => number,
): Promise<ReadRecords<C>> {
  const found = comments.flatMap((comment) => {
    const last = lastRecord(comment.body, { ...scope, thread: threadOf(comment) })
    return last === undefined ? [] : [{ comment, author: comment.author, ...last }]
  })
  const isOfBot = ({ author, record, isAtEnd }: (typeof found)[number]) =>
    author?.bot === true && record !== undefined && isAtEnd
  const others = found.filter((one) => !isOfBot(one))
  const own = await ofWriter(github, others)
  const counting = found.filter((one) => isOfBot(one) || own.includes(one))
  return {
    recorded: counting.flatMap(({ comment, record }) => (record === undefined ? [] : { ...comment, record })),
    unverified: counting.flatMap(({ comment, record }) => (record === undefined ? comment : [])),
  }
}

/** Those that the account of the token wrote. GitHub is asked for its name only where there is any comment. */
export async function ofWriter<T extends Pick<ThreadComment, 'author'>>(
  github: Reader['github'],
  all: readonly T[],
): Promise<readonly T[]> {
  if (all.length === 0) return all
  const login = await github.writerLogin()
  return all.filter(({ author }) => author?.login === login)
}

/** Those that the account of the token, or any bot, wrote: an earlier token may have been another bot's. */
export async function ofBotsAndWriter<T extends Pick<ThreadComment, 'author'>>(
  github: Reader['github'],
  all: readonly T[],
): Promise<readonly T[]> {
  const isBot = ({ author }: T): boolean => author?.bot === true
  const own = await ofWriter(
    github,
    all.filter((one) => !isBot(one)),
  )
  return all.filter((one) => isBot(one) || own.includes(one))
}

/**
 * Whether a thread has records that do not verify, and nobody has asked since: what it knew is not known, events ask nothing, and
 * a person decides.
 * @param unverifiedAt when the last of them changed, in ms since the epoch on GitHub's clock; 0 for none
 */
export const isNotKnown = (unverifiedAt: number, log: readonly RecordedComment[]): boolean =>
  unverifiedAt > 0 &&
  !log.some(
    ({ record, ...comment }) =>
      isRequestRecord(record) &&
      (record.asks.length > 0 || record.state === 'sending' || isDocsSkipped(record)) &&
      askedAt(comment, record) >= unverifiedAt,
  )

/** When the last of them changed; 0 for none. */
export const lastChangeOf = (comments: readonly Pick<ThreadComment, 'updatedAt'>[]): number =>
  Math.max(0, ...comments.map(({ updatedAt }) => updatedAt))
