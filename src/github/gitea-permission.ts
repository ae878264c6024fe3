import { type Permission, parseAccount } from '../event/account.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { RunContext } from '../event/run-context.ts'
import { asObject, isObject, type JsonObject } from '../json.ts'

/**
 * This decides who can start jobs, and is true of these two events only: on others `repository.permissions`
 * is that of the author of the issue or pull request, or missing.
 */
export function permissionOfSender({
  eventName,
  payload,
}: Pick<RunContext, 'eventName' | 'payload'>): { login: string; permission: Permission } | undefined {
  const { action, pull_request, repository } = payload
  const isNewComment = eventName === 'issue_comment' && action === 'created'
  const isMerge =
    isPullRequestEvent({ event: eventName }) && action === 'closed' && asObject(pull_request).merged === true
  const { permissions } = asObject(repository)
  const sender = parseAccount(payload.sender)
  if (!(isNewComment || isMerge) || !isObject(permissions) || sender === undefined) return undefined
  return { login: sender.login, permission: permissionIn(permissions) }
}

/** Each level holds the ones below it; where they disagree, the lower one counts. */
function permissionIn({ admin, push, pull }: JsonObject): Permission {
  if (pull !== true) return 'none'
  if (push !== true) return 'read'
  return admin === true ? 'admin' : 'write'
}
