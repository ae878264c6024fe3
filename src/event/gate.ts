import { type GitHubError, isRefused } from '../base/errors.ts'
import type { SkipReason } from '../record/outcome.ts'
import { type Permission, suffices } from '../record/permission.ts'
import { carriesRecord } from '../record/signed-record.ts'
import type { Command } from './command.ts'
import type { Account } from './objects.ts'
import { COMMENT_EVENTS, type Trigger } from './trigger.ts'

export type Gate =
  | { readonly skip: SkipReason /** Of the bot that is not listed. */; readonly login?: string }
  | {
      readonly command: Command
      /** The person used the command, so hears of a denial; others get neither comment nor reaction. */
      readonly usedCommand: boolean
    }

interface GateInputs {
  readonly prompt: string | undefined
  readonly promptFile: string | undefined
  readonly allowedBots: readonly string[]
}

/** Who and what gets no further, as far as the event tells. @param command undefined where there is none */
export function gate(trigger: Trigger, inputs: GateInputs, command: Command | undefined): Gate {
  const comment = COMMENT_EVENTS.get(trigger.event)
  if (comment !== undefined && trigger.action !== comment.newAction) return { skip: 'not-a-new-comment' }
  const { sender, authors, subject } = trigger
  // People comment on issues that carry a record.
  const written = trigger.comment ?? (trigger.event === 'issues' ? subject : undefined)
  if (carriesRecord(written?.body ?? '')) return { skip: 'bot' }
  if (isPullRequestEvent(trigger) && unlistedBot(inputs, [subject?.author]) !== undefined)
    return { skip: 'agent-pull-request' }
  const bot = isPersonal(trigger) ? unlistedBot(inputs, [sender, ...authors]) : undefined
  if (bot !== undefined) return { skip: 'bot', login: bot.login }
  const usedCommand = command !== undefined
  const isAsked = inputs.prompt !== undefined || inputs.promptFile !== undefined
  if (comment === undefined || isAsked) return { command: { kind: 'input' }, usedCommand }
  // No thread takes the answer to a command in a discussion or on a commit.
  if (comment.kind === undefined && usedCommand) return { skip: 'help' }
  return command === undefined ? { skip: 'not-a-command' } : { command, usedCommand }
}

/** GitHub names a bot `Copilot` here and `renovate[bot]` there: neither letter case nor `[bot]` tells two of them apart. */
export const nameOf = (login: string): string => login.toLowerCase().replace(/\[bot\]$/, '')

export const isSameAccount = (one: Account | undefined, other: Account | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.bot === other.bot &&
  nameOf(one.login) === nameOf(other.login)

/** The first that `allowed-bots` does not name. */
export function unlistedBot(
  { allowedBots }: Pick<GateInputs, 'allowedBots'>,
  accounts: readonly (Account | undefined)[],
): Account | undefined {
  return accounts.find((account) => account?.bot === true && !isListed(allowedBots, account))
}

/** Whether `allowed-bots` names the account. */
export const isListed = (allowedBots: readonly string[], account: Account | undefined): boolean =>
  account !== undefined && allowedBots.some((one) => nameOf(one) === nameOf(account.login))

export const isPullRequestEvent = ({ event }: Pick<Trigger, 'event'>): boolean =>
  event === 'pull_request' || event === 'pull_request_target'

/** Events of an issue, pull request, comment or discussion: strangers can cause them, so permissions count. */
const isPersonal = (trigger: Trigger): boolean => PERSONAL.has(trigger.event) || trigger.subject !== undefined

/** A person behind a run of another workflow counts as well, and its bots pass. */
export const needsPermission = (trigger: Trigger): boolean =>
  isPersonal(trigger) || trigger.event === 'workflow_run'

/** By name too, so that an event whose payload cannot be read still needs the permission. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...COMMENT_EVENTS.keys(),
  'issues',
  'pull_request',
  'pull_request_target',
  'discussion',
])

/** Events that take write access; strangers star, fork, or cause the checks of their pull requests. */
const OF_WRITERS: ReadonlySet<string> = new Set([
  ...['push', 'release', 'workflow_dispatch', 'repository_dispatch', 'create', 'delete', 'deployment'],
  'page_build',
])

/** A login; '' for a bot, on a schedule, and for a person whose permission is not checked. */
export function requesterOf(trigger: Trigger): string {
  const account = trigger.comment?.author ?? trigger.sender
  const isChecked = needsPermission(trigger) || OF_WRITERS.has(trigger.event)
  return account === undefined || account.bot || !isChecked ? '' : account.login
}

/** GitHub gives no secrets to runs of these events when the pull request comes from a fork. */
const WITHOUT_SECRETS = new Set(['pull_request', 'pull_request_review', 'pull_request_review_comment'])

/** GitHub gives secrets neither to these, nor to Dependabot, nor to a fork, which inherits the workflows alone. */
export function secretsAreWithheld(trigger: Trigger, actor: string): boolean {
  const fork = WITHOUT_SECRETS.has(trigger.event) && trigger.subject?.fromFork === true
  return fork || trigger.inFork || actor === 'dependabot[bot]' || trigger.sender?.login === 'dependabot[bot]'
}

type Access =
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

type PermissionReader = { readonly permissionOf: (username: string) => Promise<Permission> }

/** Whether the person who re-ran a run may ask what may have been asked already. @param login as the runner names it @throws {GitHubError} where GitHub is away */
export async function checkReRun(
  github: PermissionReader,
  login: string,
  needs: Permission,
): Promise<Access | 'bot'> {
  if (/\[bot\]$/i.test(login)) return 'bot'
  if (login === '') return { granted: false, login, has: '' }
  return needs === 'none' ? GRANTED : await accessOf(github, login, needs)
}

/** @throws {GitHubError} where GitHub is away */
export async function accessOf(
  { permissionOf }: PermissionReader,
  login: string,
  needs: Permission,
): Promise<Access> {
  try {
    const has = await permissionOf(login)
    return suffices(has, needs) ? GRANTED : { granted: false, login, has }
  } catch (error) {
    if (!isRefused(error)) throw error
    return { granted: false, login, has: '', unreadable: error }
  }
}

/** Whether the account may use the action now: a bot that is listed, or a person with the permission. @throws {GitHubError} where GitHub is away */
export async function mayUse(
  github: PermissionReader,
  account: Account | undefined,
  { allowedBots, minPermission }: Pick<GateInputs, 'allowedBots'> & { readonly minPermission: Permission },
): Promise<boolean> {
  if (account === undefined) return false
  if (account.bot) return isListed(allowedBots, account)
  return minPermission === 'none' || (await accessOf(github, account.login, minPermission)).granted
}

/**
 * The sender and, of a comment, its author must each hold the permission. One that the token
 * may not read counts as none. A bot is listed, or behind the run of another workflow, and needs none.
 * @throws {GitHubError} where GitHub is away, which denies no person anything
 */
export async function checkAccess(
  github: PermissionReader,
  trigger: Trigger,
  needs: Permission,
): Promise<Access> {
  if (!needsPermission(trigger) || needs === 'none') return GRANTED
  const all = [...trigger.authors, trigger.sender]
  const accounts = all.filter(
    (account, at) => all.findIndex((other) => other === account || isSameAccount(other, account)) === at,
  )
  const decisions = await Promise.all(
    accounts.map(async (account): Promise<Access> => {
      if (account === undefined) return { granted: false, login: '', has: '' }
      return account.bot ? GRANTED : await accessOf(github, account.login, needs)
    }),
  )
  return decisions.find(({ granted }) => !granted) ?? GRANTED
}
