import type { Account } from '../github/answers.ts'
import type { Inputs } from '../inputs.ts'
import type { SkipReason } from '../request/outcome.ts'
import { carriesRecord } from '../request/record.ts'
import { type Command, parseCommand } from './command.ts'
import type { Trigger } from './event.ts'

/** What the event alone decides, before any request. */
export type Gate = { readonly skip: SkipReason } | { readonly command: Command | 'input' }

/** The action of each comment event that stands for a new comment. */
const NEW_COMMENT: Readonly<Record<string, string>> = {
  issue_comment: 'created',
  pull_request_review_comment: 'created',
  pull_request_review: 'submitted',
}

/** Comments that have no thread here; they work with a `prompt` only. */
const OTHER_COMMENTS: ReadonlySet<string> = new Set(['commit_comment', 'discussion_comment'])

type GateInputs = Pick<Inputs, 'prompt' | 'promptFile' | 'command' | 'allowedBots'>

/** Contract 3.1, 3.4 and 3.5, as far as the event tells. */
export function gate(trigger: Trigger, inputs: GateInputs): Gate {
  const newAction = NEW_COMMENT[trigger.event]
  if (newAction !== undefined && trigger.action !== newAction) return { skip: 'not-a-new-comment' }
  if (OTHER_COMMENTS.has(trigger.event) && trigger.action !== 'created') return { skip: 'not-a-new-comment' }
  if (carriesRecord(trigger.comment?.body ?? '')) return { skip: 'bot' }
  const unlistedBot = (account: Account | undefined) =>
    account?.bot === true && !inputs.allowedBots.includes(account.login)
  if (isPullRequestEvent(trigger) && unlistedBot(trigger.subject?.author))
    return { skip: 'agent-pull-request' }
  if (isPersonal(trigger) && [trigger.sender, ...trigger.authors].some(unlistedBot)) return { skip: 'bot' }
  if (newAction === undefined || inputs.prompt !== undefined || inputs.promptFile !== undefined) {
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
  ...Object.keys(NEW_COMMENT),
  ...OTHER_COMMENTS,
  'issues',
  'pull_request',
  'pull_request_target',
  'discussion',
])

/** Login of the person who asked, '' for a bot or a schedule. */
export function requesterOf(trigger: Trigger): string {
  const account = trigger.comment?.author ?? trigger.sender
  return account === undefined || account.bot || trigger.event === 'schedule' ? '' : account.login
}

/** GitHub gives no secrets to runs of these events when the pull request comes from a fork, nor to Dependabot (1.3). */
const WITHOUT_SECRETS: ReadonlySet<string> = new Set([
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
])

export function secretsAreWithheld(trigger: Trigger, actor: string): boolean {
  const fork = WITHOUT_SECRETS.has(trigger.event) && trigger.subject?.fromFork === true
  return fork || actor === 'dependabot[bot]' || trigger.sender?.login === 'dependabot[bot]'
}
