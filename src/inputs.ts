import { isJobId } from './agent/job.ts'
import { BadInput } from './errors.ts'
import { PERMISSIONS, type Permission } from './github/answers.ts'
import type { ServiceAccess } from './http/service.ts'
import { choice, flag, type GetInput, lines, list, numberIn, optionalNumberIn } from './input-readers.ts'
import { isLoopback } from './link.ts'
import type { OnTimeout } from './request/outcome.ts'
import { CONVERSATIONS, type Conversation } from './request/plan.ts'
import { readAccess } from './service-access.ts'
import { code } from './text.ts'
import { type ChangesSince, readChangesSince } from './trigger/changes-since.ts'

export const COMMENT_MODES = ['recreate', 'update', 'off'] as const
export type CommentMode = (typeof COMMENT_MODES)[number]

/** The inputs of the root action, checked and typed (contract 1). */
export interface Inputs {
  readonly access: ServiceAccess
  readonly prompt: string | undefined
  readonly promptFile: string | undefined
  readonly jobId: string | undefined
  readonly conversation: Conversation
  readonly command: string
  readonly minPermission: Permission
  /** Compared letter by letter. */
  readonly allowedBots: readonly string[]
  /** '' for none. */
  readonly guidelines: string
  readonly context: boolean
  readonly dryRun: boolean
  readonly wait: boolean
  readonly timeoutMs: number
  readonly onTimeout: OnTimeout
  readonly pollMs: number
  readonly comment: CommentMode
  readonly issueNumber: number | undefined
  readonly issueTitle: string | undefined
  readonly changesSince: ChangesSince | undefined
  /** Paths in the workspace. */
  readonly referenceFiles: readonly string[]
  readonly preview: boolean
  /** Logins, `org/team` for teams, and `requester` for the person who asked. */
  readonly reviewers: readonly string[]
  readonly labels: readonly string[]
  readonly githubToken: string
}

export const DEFAULT_GUIDELINES =
  'Work without asking questions: no person reads them. Where you can read the request in more than one way, choose the most reasonable reading and state the assumption in the pull request.'

/** A day: no runner waits longer. */
const MAX_TIMEOUT_MINUTES = 1440

/** @throws {BadInput} on the first input that cannot be used */
export function readInputs(input: GetInput): Inputs {
  const access = readAccess(input)
  const guidelines = input('guidelines') || DEFAULT_GUIDELINES
  const timeout = { min: 0.001, max: MAX_TIMEOUT_MINUTES, unit: 'minutes' }
  const poll = { min: isLoopback(access.baseUrl) ? 0.01 : 1, max: 3600, unit: 'seconds' }
  return {
    access,
    ...readPrompt(input),
    jobId: readJobId(input),
    conversation: choice(input, 'conversation', CONVERSATIONS, 'continue'),
    command: readCommand(input),
    minPermission: choice(input, 'min-permission', PERMISSIONS, 'write'),
    allowedBots: readLogins(input, 'allowed-bots'),
    guidelines: guidelines.toLowerCase() === 'none' ? '' : guidelines,
    context: flag(input, 'context', true),
    dryRun: flag(input, 'dry-run', false),
    wait: flag(input, 'wait', true),
    timeoutMs: numberIn(input, 'timeout-minutes', timeout, 30) * 60_000,
    onTimeout: choice(input, 'on-timeout', ['fail', 'warn'], 'fail'),
    pollMs: numberIn(input, 'poll-interval-seconds', poll, 15) * 1000,
    comment: choice(input, 'comment', COMMENT_MODES, 'recreate'),
    issueNumber: optionalNumberIn(input, 'issue-number', {
      min: 1,
      max: 2 ** 31 - 1,
      whole: true,
      unit: 'an issue or a pull request (12, not #12)',
    }),
    issueTitle: readIssueTitle(input),
    changesSince: readChangesSince(input),
    referenceFiles: lines(input, 'reference-file'),
    preview: flag(input, 'preview', false),
    reviewers: readReviewers(input),
    labels: readLabels(input),
    githubToken: input('github-token'),
  }
}

function readPrompt(input: GetInput): Pick<Inputs, 'prompt' | 'promptFile'> {
  const [prompt, promptFile] = [input('prompt') || undefined, input('prompt-file') || undefined]
  if (prompt !== undefined && promptFile !== undefined) {
    throw new BadInput('prompt-file', 'is given together with `prompt`', 'Keep one of the two.')
  }
  return { prompt, promptFile }
}

function readJobId(input: GetInput): string | undefined {
  const jobId = input('job-id')
  if (jobId === '') return undefined
  if (isJobId(jobId)) return jobId
  const fault = `(${code(jobId, 60)}) is not an id`
  throw new BadInput('job-id', fault, 'Pass the `job-id` output of an earlier run.')
}

function readCommand(input: GetInput): string {
  const command = input('command') || '/docs'
  if (/^\S{1,50}$/u.test(command)) return command
  throw new BadInput('command', 'is not one word of at most 50 characters', 'Write one such as `/docs`.')
}

/** GitHub's longest title. */
const MAX_TITLE = 256

function readIssueTitle(input: GetInput): string | undefined {
  const title = input('issue-title')
  if (title === '') return undefined
  if (title.length <= MAX_TITLE && !/[\p{Cc}\u2028\u2029]/u.test(title)) return title
  throw new BadInput(
    'issue-title',
    `is not one line of at most ${MAX_TITLE} characters`,
    'Write a short title.',
  )
}

/** The record of the request holds them, so they are bounded. */
const MOST_NAMES = 20

function readReviewers(input: GetInput): readonly string[] {
  const reviewers = list(input, 'reviewers')
  const odd = reviewers.find((name) => !/^([\w.-]{1,50}\/)?[\w.-]{1,100}(\[bot\])?$/.test(name))
  if (odd !== undefined) {
    const fault = `contains ${code(odd, 60)}, which is neither a login nor a team`
    throw new BadInput(
      'reviewers',
      fault,
      'Write `requester`, logins, or teams such as `org/writers`, one a line.',
    )
  }
  return atMost('reviewers', reviewers)
}

function readLabels(input: GetInput): readonly string[] {
  const labels = list(input, 'labels')
  const long = labels.find((label) => label.length > 50)
  if (long === undefined) return atMost('labels', labels)
  throw new BadInput(
    'labels',
    `contains ${code(long, 60)}`,
    'Write labels of at most 50 characters, one a line.',
  )
}

function atMost(name: string, items: readonly string[]): readonly string[] {
  if (items.length <= MOST_NAMES) return [...new Set(items)]
  throw new BadInput(name, `has ${items.length} items`, `Write at most ${MOST_NAMES}.`)
}

function readLogins(input: GetInput, name: string): readonly string[] {
  const logins = list(input, name)
  const odd = logins.find((login) => !/^[\w.-]+(\[bot\])?$/.test(login))
  if (odd === undefined) return logins
  const fault = `contains ${code(odd, 60)}, which is not a login`
  throw new BadInput(name, fault, 'Write logins such as `renovate[bot]`, one a line.')
}
