import { PERMISSIONS, type Permission } from '../core/choices.ts'
import { object, text } from '../core/json.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Account, Trigger } from './event.ts'
import { isPersonal } from './triage.ts'

/** `has` is what the person has, '' when that could not be read; `login` is '' when the event names nobody. */
export type Access =
  | { readonly granted: true }
  | { readonly granted: false; readonly login: string; readonly has: string }

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
    const has = await permissionOf(github, repository, account.login)
    if (has === '' || rank(has) < rank(needs)) return { granted: false, login: account.login, has }
  }
  return GRANTED
}

const distinct = (accounts: readonly (Account | undefined)[]): (Account | undefined)[] =>
  accounts.filter((account, at) => accounts.findIndex((other) => other?.login === account?.login) === at)

const rank = (permission: Permission): number => PERMISSIONS.indexOf(permission)

/**
 * `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
 * https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user
 * @returns '' when it cannot be read
 */
async function permissionOf(github: GitHub, repository: string, username: string): Promise<Permission | ''> {
  try {
    const { data } = await github.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
      ...repositoryParts(repository),
      username,
    })
    const { role_name, permission } = object(data)
    return known(role_name) ?? known(permission) ?? ''
  } catch {
    return ''
  }
}

const known = (name: unknown): Permission | undefined => PERMISSIONS.find((level) => level === text(name))
