import { GitHubError, isRefused } from '../../base/errors.ts'
import { isSameAccount, nameOf } from '../../event/gate.ts'
import type { Account } from '../../event/objects.ts'
import { type Permission, suffices } from '../../record/permission.ts'
import type { Remark } from './remarks.ts'

/** Why a remark does not go to the agent. */
export type RemarkOmission =
  | 'strangers'
  | 'gone'
  | 'bots'
  | 'hidden'
  | 'resolved'
  | 'changed'
  | 'further'
  | 'unread'

export interface Judged {
  readonly remark: Remark
  /** Undefined for one that goes. */
  readonly omission: RemarkOmission | undefined
}

interface AskRules {
  /** Of the command. */
  readonly author: Account | undefined
  readonly commandAt: number
  readonly needs: Permission
  /** @throws {GitHubError} */
  readonly permissionOf: (login: string) => Promise<Permission>
}

/** Each further one takes a request. */
const MOST_PEOPLE = 10

/** Which remarks go: those of the person who asks, and of people who may ask. */
export async function judgeRemarks(remarks: readonly Remark[], rules: AskRules): Promise<readonly Judged[]> {
  const plain = remarks.map((remark) => ({ remark, omission: ofItself(remark, rules) }))
  const others = plain.flatMap(({ remark: { author }, omission }) =>
    omission !== undefined || author === undefined || isSameAccount(author, rules.author)
      ? []
      : [nameOf(author.login)],
  )
  const newest = [...new Set(others.toReversed())]
  const people = new Map(
    await Promise.all(
      newest.slice(0, MOST_PEOPLE).map(async (name) => [name, await mayAsk(name, rules)] as const),
    ),
  )
  return plain.map(({ remark, omission }): Judged => {
    const { author } = remark
    if (omission !== undefined || author === undefined || isSameAccount(author, rules.author))
      return { remark, omission }
    const name = nameOf(author.login)
    return { remark, omission: people.has(name) ? people.get(name) : 'further' }
  })
}

function ofItself(
  { author, isHidden, isResolved, isNear, changedAt }: Remark,
  { author: asking, commandAt }: AskRules,
): RemarkOmission | undefined {
  if (author === undefined) return 'gone'
  if (author.bot && !isSameAccount(author, asking)) return 'bots'
  if (isHidden) return 'hidden'
  // A command in a resolved thread is about that thread.
  if (isResolved && !isNear) return 'resolved'
  return changedAt > commandAt ? 'changed' : undefined
}

async function mayAsk(login: string, { needs, permissionOf }: AskRules): Promise<RemarkOmission | undefined> {
  if (needs === 'none') return undefined
  try {
    const has = await permissionOf(login)
    return suffices(has, needs) ? undefined : 'strangers'
  } catch (error) {
    // As for a command, one that the token may not read counts as none.
    if (isRefused(error)) return 'strangers'
    if (error instanceof GitHubError) return 'unread'
    throw error
  }
}
