import { carriesMarker } from '../core/marker.ts'
import type { SkipReason } from '../core/outcome.ts'
import type { Inputs } from '../inputs/inputs.ts'
import { type Command, parseCommand } from './command.ts'
import type { Account, Trigger } from './event.ts'

/** What the event alone says, before anyone is asked anything. */
export type Triage = { readonly skip: SkipReason } | { readonly command: Command | 'input' }

/** The one action of each comment event that is somebody saying something new. */
const NEW_COMMENT: Readonly<Record<string, string>> = {
  issue_comment: 'created',
  pull_request_review_comment: 'created',
  pull_request_review: 'submitted',
}

/** Comments that have no thread here; they work with a `prompt` only. */
const OTHER_COMMENTS: ReadonlySet<string> = new Set(['commit_comment', 'discussion_comment'])

type Asked = Pick<Inputs, 'prompt' | 'promptFile' | 'command' | 'allowedBots'>

/** Contract 3.1, 3.4 and 3.5, as far as the event tells. Sends nothing. */
export function triage(trigger: Trigger, inputs: Asked): Triage {
  const newAction = NEW_COMMENT[trigger.event]
  if (newAction !== undefined && trigger.action !== newAction) return { skip: 'not-a-new-comment' }
  if (OTHER_COMMENTS.has(trigger.event) && trigger.action !== 'created') return { skip: 'not-a-new-comment' }
  if (carriesMarker(trigger.comment?.body ?? '')) return { skip: 'bot' }
  const stranger = (account: Account | undefined) =>
    account?.bot === true && !inputs.allowedBots.includes(account.login)
  if (isPullRequestEvent(trigger) && stranger(trigger.subject?.author)) return { skip: 'agent-pull-request' }
  if (isPersonal(trigger) && [trigger.sender, ...trigger.authors].some(stranger)) return { skip: 'bot' }
  if (newAction === undefined || inputs.prompt !== undefined || inputs.promptFile !== undefined) {
    return { command: 'input' }
  }
  const command = parseCommand(trigger.comment?.body ?? '', inputs.command)
  return command === undefined ? { skip: 'not-a-command' } : { command }
}

export const isPullRequestEvent = (trigger: Trigger): boolean =>
  trigger.event === 'pull_request' || trigger.event === 'pull_request_target'

/** Events of an issue, a pull request or a comment: strangers can cause them, so someone's permission counts (3.3). */
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

/** The login to address, if a person asked. */
export function askerOf(trigger: Trigger): string {
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
