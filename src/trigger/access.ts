import { type Account, PERMISSIONS, type Permission } from '../github/answers.ts'
import type { Forge } from '../github/forge.ts'
import type { Inputs } from '../inputs.ts'
import { explainGitHub } from '../messages/errors.ts'
import type { Trigger } from './event.ts'
import { isPersonal } from './gate.ts'

export type Access = { readonly granted: true } | Denial

/** `has` is '' when the permission could not be read; `login` is '' when the event names no person. */
export interface Denial {
  readonly granted: false
  readonly login: string
  readonly has: string
  /** One sentence on why the permission could not be read. */
  readonly unread?: string
}

const GRANTED: Access = { granted: true }

/**
 * Whether the people behind the event may use the action (contract 3.3): the sender and, of a comment, its author must
 * each hold the permission. A permission that cannot be read counts as denied. A bot that passed the gate is listed,
 * and needs no permission.
 */
export async function checkAccess(
  forge: Forge,
  trigger: Trigger,
  needs: Inputs['minPermission'],
): Promise<Access> {
  if (!isPersonal(trigger) || needs === 'none') return GRANTED
  const accounts = distinct([...trigger.authors, trigger.sender])
  const decisions = await Promise.all(accounts.map((account) => decide(forge, account, needs)))
  return decisions.find(({ granted }) => !granted) ?? GRANTED
}

const distinct = (accounts: readonly (Account | undefined)[]): (Account | undefined)[] =>
  accounts.filter((account, at) => accounts.findIndex((other) => other?.login === account?.login) === at)

const rank = (permission: Permission): number => PERMISSIONS.indexOf(permission)

async function decide(forge: Forge, account: Account | undefined, needs: Permission): Promise<Access> {
  if (account === undefined) return { granted: false, login: '', has: '' }
  if (account.bot) return GRANTED
  const { login } = account
  try {
    const has = await forge.permissionOf(login)
    return rank(has) >= rank(needs) ? GRANTED : { granted: false, login, has }
  } catch (error) {
    const doing = `read the permission of ${login}, so it counts as none`
    return { granted: false, login, has: '', unread: explainGitHub(error, doing, '') }
  }
}
