import {
  COMMENT_MODES,
  CONVERSATIONS,
  type CommentMode,
  type Conversation,
  PERMISSIONS,
  type Permission,
} from '../core/choices.ts'
import { BadInput } from '../core/errors.ts'
import { isJobId } from '../core/job.ts'
import type { OnTimeout } from '../core/outcome.ts'
import { code } from '../core/text.ts'
import type { ServiceAccess } from '../http/service.ts'
import { choice, flag, numberIn, optionalNumberIn, type RawInputs } from './read.ts'
import { isLoopback, readAccess } from './service.ts'

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
  readonly githubToken: string
}

export const DEFAULT_GUIDELINES =
  'Work without asking questions: nobody sees them. Where the request can be read in more than one way, choose the most reasonable reading and say so in the pull request.'

/** A day; no runner waits longer than that. */
const MAX_TIMEOUT_MINUTES = 1440

/** @throws {BadInput} on the first input that cannot be used */
export function readInputs(inputs: RawInputs): Inputs {
  const access = readAccess(inputs)
  const guidelines = inputs('guidelines') ?? DEFAULT_GUIDELINES
  const timeout = { min: 0.001, max: MAX_TIMEOUT_MINUTES, unit: 'minutes' }
  const poll = { min: isLoopback(access.baseUrl) ? 0.01 : 1, max: 3600, unit: 'seconds' }
  return {
    access,
    ...readPrompt(inputs),
    jobId: readJobId(inputs),
    conversation: choice(inputs, 'conversation', CONVERSATIONS, 'continue'),
    command: readCommand(inputs),
    minPermission: choice(inputs, 'min-permission', PERMISSIONS, 'write'),
    allowedBots: readLogins(inputs, 'allowed-bots'),
    guidelines: guidelines.toLowerCase() === 'none' ? '' : guidelines,
    context: flag(inputs, 'context', true),
    dryRun: flag(inputs, 'dry-run', false),
    wait: flag(inputs, 'wait', true),
    timeoutMs: numberIn(inputs, 'timeout-minutes', timeout, 30) * 60_000,
    onTimeout: choice(inputs, 'on-timeout', ['fail', 'warn'], 'fail'),
    pollMs: numberIn(inputs, 'poll-interval-seconds', poll, 15) * 1000,
    comment: choice(inputs, 'comment', COMMENT_MODES, 'recreate'),
    issueNumber: optionalNumberIn(inputs, 'issue-number', {
      min: 1,
      max: 2 ** 31 - 1,
      whole: true,
      unit: 'an issue or a pull request (12, not #12)',
    }),
    githubToken: inputs('github-token') ?? '',
  }
}

function readPrompt(inputs: RawInputs): Pick<Inputs, 'prompt' | 'promptFile'> {
  const [prompt, promptFile] = [inputs('prompt'), inputs('prompt-file')]
  if (prompt !== undefined && promptFile !== undefined) {
    throw new BadInput('prompt-file', 'is given together with `prompt`', 'Keep one of the two.')
  }
  return { prompt, promptFile }
}

function readJobId(inputs: RawInputs): string | undefined {
  const jobId = inputs('job-id')
  if (jobId === undefined || isJobId(jobId)) return jobId
  throw new BadInput(
    'job-id',
    `(${code(jobId, 60)}) is not an id`,
    'Pass the `job-id` output of an earlier run.',
  )
}

function readCommand(inputs: RawInputs): string {
  const command = inputs('command') ?? '/docs'
  if (/^\S{1,50}$/u.test(command)) return command
  throw new BadInput('command', 'is not one word of at most 50 characters', 'Write one such as `/docs`.')
}

function readLogins(inputs: RawInputs, name: string): string[] {
  const logins = (inputs(name) ?? '').split(/[,\n]/).map((login) => login.trim())
  const odd = logins.find((login) => !/^([\w-]+(\[bot\])?)?$/.test(login))
  if (odd === undefined) return logins.filter(Boolean)
  throw new BadInput(
    name,
    `holds ${code(odd, 60)}, which is no login`,
    'Write logins such as `renovate[bot]`, one a line.',
  )
}
