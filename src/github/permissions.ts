import { type GitHubError, isRefused, unusableAnswer } from '../errors.ts'
import { needsPermission } from '../event/gate.ts'
import { PERMISSIONS, type Permission } from '../event/objects.ts'
import type { Trigger } from '../event/trigger.ts'
import { asObject } from '../json.ts'

export type Access =
  | { readonly granted: true }
  | {
      readonly granted: false
      /** '' where the event names no person. */
      readonly login: string
      /** '' where it cannot be read. */
      readonly has: Permission | ''
      readonly unreadable?: GitHubError
    }

const GRANTED: Access = { granted: true }

/**
 * The sender and, of a comment, its author must each hold the permission. One that the token
 * may not read counts as none. A bot that passed the gate is listed, and needs none.
 * @throws {GitHubError} where GitHub is away, which denies no person anything
 */
export async function checkAccess(
  { permissionOf }: { readonly permissionOf: (username: string) => Promise<Permission> },
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
        const has = await permissionOf(login)
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

export function parsePermission(value: unknown, username: string): Permission {
  const { role_name, permission, user } = asObject(value)
  const { login } = asObject(user)
  if (typeof login === 'string' && login.toLowerCase() !== username.toLowerCase())
    throw unusableAnswer('one about another person')
  const role = PERMISSIONS.find((known) => known === role_name)
  const level = PERMISSIONS.find((known) => known === permission)
  // `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
  if (role !== undefined && (COARSE[role] ?? role) === level) return role
  const lowest = PERMISSIONS.find((known) => known === role || known === level)
  if (lowest === undefined) throw unusableAnswer('one that names no permission')
  return lowest
}

/** What `permission` calls the roles that only `role_name` knows. */
const COARSE: Readonly<Partial<Record<Permission, Permission>>> = { triage: 'read', maintain: 'write' }
