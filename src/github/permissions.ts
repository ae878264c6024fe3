import { type ForgeError, isRefused, unusableAnswer } from '../errors.ts'
import { isPullRequestEvent, needsPermission } from '../event/gate.ts'
import { PERMISSIONS, type Permission, parseAccount } from '../event/objects.ts'
import type { RunContext, Trigger } from '../event/trigger.ts'
import { asObject, isObject } from '../json.ts'
import type { Forge } from './forge.ts'

export type Access =
  | { readonly granted: true }
  | {
      readonly granted: false
      /** '' where the event names no person. */
      readonly login: string
      /** '' where it cannot be read. */
      readonly has: Permission | ''
      readonly unreadable?: ForgeError
    }

const GRANTED: Access = { granted: true }

/**
 * The sender and, of a comment, its author must each hold the permission (contract 3.3). One that the token
 * may not read counts as none. A bot that passed the gate is listed, and needs none.
 * @throws {ForgeError} where the forge is away, which denies no person anything (contract 5.7)
 */
export async function checkAccess(
  forge: Pick<Forge, 'permissionOf'>,
  trigger: Trigger,
  needs: Permission,
): Promise<Access> {
  if (!needsPermission(trigger) || needs === 'none') return GRANTED
  const all = [...trigger.authors, trigger.sender]
  const accounts = all.filter(
    (account, at) => all.findIndex((other) => other?.login === account?.login) === at,
  )
  const decisions = await Promise.all(
    accounts.map(async (account): Promise<Access> => {
      if (account === undefined) return { granted: false, login: '', has: '' }
      if (account.bot) return GRANTED
      const { login } = account
      try {
        const has = await forge.permissionOf(login)
        const suffices = PERMISSIONS.indexOf(has) >= PERMISSIONS.indexOf(needs)
        return suffices ? GRANTED : { granted: false, login, has }
      } catch (error) {
        if (!isRefused(error)) throw error
        return { granted: false, login, has: '', unreadable: error }
      }
    }),
  )
  return decisions.find(({ granted }) => !granted) ?? GRANTED
}

export function parsePermission(
  value: unknown,
  username: string,
  permissionNamed: typeof permissionOnGitHub,
): Permission {
  const { role_name, permission, user } = asObject(value)
  const { login } = asObject(user)
  if (typeof login === 'string' && login.toLowerCase() !== username.toLowerCase())
    throw unusableAnswer('one about another person')
  const [role, level] = [permissionNamed(role_name), permissionNamed(permission)]
  // `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
  if (role !== undefined && (COARSE[role] ?? role) === level) return role
  const lowest = PERMISSIONS.find((known) => known === role || known === level)
  if (lowest === undefined) throw unusableAnswer('one that names no permission')
  return lowest
}

/** What `permission` calls the roles that only `role_name` knows. */
const COARSE: Readonly<Partial<Record<Permission, Permission>>> = { triage: 'read', maintain: 'write' }

/** @returns undefined for every other name, such as that of a custom role */
export const permissionOnGitHub = (name: unknown): Permission | undefined =>
  PERMISSIONS.find((level) => level === name)

/** The permission of a sender who lacks `pull`, `push` or `admin`, in this order. */
const SENDERS = ['none', 'read', 'write'] as const

/**
 * For Gitea, which tells permissions to an administrator's token only. This decides who can start jobs. Only a new
 * comment and a merge tell the sender's permission: on other events, `repository.permissions` is that of the author of
 * the issue or pull request, or missing.
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
  // Each level holds the ones below it; where they disagree, the lower one counts.
  const { admin, push, pull } = permissions
  const lacks = [pull, push, admin].findIndex((level) => level !== true)
  return { login: sender.login, permission: SENDERS[lacks] ?? 'admin' }
}
