import type { Inputs } from '../inputs.ts'
import { explainGitHub } from '../messages/errors.ts'
import type { Denied } from '../messages/report.ts'
import { type Command, parseCommand } from '../prompt/command.ts'
import type { SkipReason } from '../request/outcome.ts'
import { carriesRecord } from '../request/record.ts'
import { type Account, PERMISSIONS, type Permission } from './account.ts'
import { COMMENT_EVENTS, type Trigger } from './trigger.ts'

/** What the event alone decides, before any request. */
export type Gate = { readonly skip: SkipReason } | { readonly command: Command | 'input' }

type GateInputs = Pick<Inputs, 'prompt' | 'promptFile' | 'command' | 'allowedBots'>

/** Contract 3.1, 3.4 and 3.5, as far as the event tells. */
export function gate(trigger: Trigger, inputs: GateInputs): Gate {
  const comment = COMMENT_EVENTS.get(trigger.event)
  if (comment !== undefined && trigger.action !== comment.newAction) return { skip: 'not-a-new-comment' }
  if (carriesRecord(trigger.comment?.body ?? '')) return { skip: 'bot' }
  const unlistedBot = (account: Account | undefined) =>
    account?.bot === true && !inputs.allowedBots.includes(account.login)
  if (isPullRequestEvent(trigger) && unlistedBot(trigger.subject?.author))
    return { skip: 'agent-pull-request' }
  if (isPersonal(trigger) && [trigger.sender, ...trigger.authors].some(unlistedBot)) return { skip: 'bot' }
  if (comment?.kind === undefined || inputs.prompt !== undefined || inputs.promptFile !== undefined) {
    return { command: 'input' }
  }
  const command = parseCommand(trigger.comment?.body ?? '', inputs.command)
  return command === undefined ? { skip: 'not-a-command' } : { command }
}

export const isPullRequestEvent = (trigger: Trigger): boolean =>
  trigger.event === 'pull_request' || trigger.event === 'pull_request_target'

/** Events of an issue, pull request, comment or discussion: strangers can cause them, so permissions count (3.3). */
export const isPersonal = (trigger: Trigger): boolean =>
  PERSONAL.has(trigger.event) || trigger.subject !== undefined

/** By name, so that a payload in which nothing can be read opens no door. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...COMMENT_EVENTS.keys(),
  'issues',
  'pull_request',
  'pull_request_target',
  'discussion',
])

/** `unread` is a sentence on why the permission could not be read. */
export type Access =
  | { readonly granted: true }
  | (Denied & { readonly granted: false; readonly unread?: string })

/** The call of the forge that tells what a person may do on the repository. */
interface PermissionReader {
  permissionOf(login: string): Promise<Permission>
}

const GRANTED: Access = { granted: true }

/**
 * Whether the people behind the event may use the action (contract 3.3): the sender and, of a comment, its author must
 * each hold the permission. A permission that cannot be read counts as denied. A bot that passed the gate is listed,
 * and needs no permission.
 */
export async function checkAccess(
  forge: PermissionReader,
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

async function decide(
  forge: PermissionReader,
  account: Account | undefined,
  needs: Permission,
): Promise<Access> {
  if (account === undefined) return { granted: false, login: '', has: '' }
  if (account.bot) return GRANTED
  const { login } = account
  try {
    const has = await forge.permissionOf(login)
    const suffices = PERMISSIONS.indexOf(has) >= PERMISSIONS.indexOf(needs)
    return suffices ? GRANTED : { granted: false, login, has }
  } catch (error) {
    const doing = `read the permission of ${login}, so it counts as none`
    return { granted: false, login, has: '', unread: explainGitHub(error, doing, '') }
  }
}

/** Login of the person who asked, '' for a bot or a schedule. */
export function requesterOf(trigger: Trigger): string {
  const account = trigger.comment?.author ?? trigger.sender
  return account === undefined || account.bot || trigger.event === 'schedule' ? '' : account.login
}

/** GitHub gives no secrets to runs of these events when the pull request comes from a fork, nor to Dependabot (1.3). */
const WITHOUT_SECRETS = new Set(['pull_request', 'pull_request_review', 'pull_request_review_comment'])

export function secretsAreWithheld(trigger: Trigger, actor: string): boolean {
  const fork = WITHOUT_SECRETS.has(trigger.event) && trigger.subject?.fromFork === true
  return fork || actor === 'dependabot[bot]' || trigger.sender?.login === 'dependabot[bot]'
}
