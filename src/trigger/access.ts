import { PERMISSIONS, type Permission } from '../core/choices.ts'
import { object, text } from '../core/json.ts'
import { explainGitHub } from '../github/explain.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Account, Trigger } from './event.ts'
import { isPersonal } from './triage.ts'

export type Access = { readonly granted: true } | Denial

/** `has` is what the person has, '' when that could not be read; `login` is '' when the event names nobody. */
export interface Denial {
  readonly granted: false
  readonly login: string
  readonly has: string
  /** One sentence on why the permission could not be read. */
  readonly unread?: string
}

const GRANTED: Access = { granted: true }

/**
 * Whether those behind the event may use the action (contract 3.3): the sender and, of a comment, its author must
 * each hold the permission. Whatever cannot be read counts as denied. Bots have been dealt with before: one that is
 * still there is listed, and needs no level.
 */
export async function checkAccess(
  github: GitHub,
  repository: string,
  trigger: Trigger,
  needs: Inputs['minPermission'],
): Promise<Access> {
  if (!isPersonal(trigger) || needs === 'none') return GRANTED
  const accounts = [...trigger.authors, trigger.sender]
  for (const account of distinct(accounts)) {
    if (account === undefined) return { granted: false, login: '', has: '' }
    if (account.bot) continue
    const { login } = account
    const level = await permissionOf(github, repository, login)
    if ('unread' in level) return { granted: false, login, has: '', unread: level.unread }
    if (rank(level.has) < rank(needs)) return { granted: false, login, has: level.has }
  }
  return GRANTED
}

const distinct = (accounts: readonly (Account | undefined)[]): (Account | undefined)[] =>
  accounts.filter((account, at) => accounts.findIndex((other) => other?.login === account?.login) === at)

const rank = (permission: Permission): number => PERMISSIONS.indexOf(permission)

/**
 * `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
 * https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user
 */
async function permissionOf(
  github: GitHub,
  repository: string,
  username: string,
): Promise<{ readonly has: Permission } | { readonly unread: string }> {
  const doing = `read the permission of ${username}, which therefore counts as none`
  try {
    const { data } = await github.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
      ...repositoryParts(repository),
      username,
    })
    const { role_name, permission } = object(data)
    const has = known(role_name) ?? known(permission)
    return has === undefined ? { unread: `Could not ${doing}: GitHub's answer names none.` } : { has }
  } catch (error) {
    return { unread: explainGitHub(error, doing, '') }
  }
}

const known = (name: unknown): Permission | undefined => PERMISSIONS.find((level) => level === text(name))
