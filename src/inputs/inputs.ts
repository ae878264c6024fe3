import { BadInput } from '../base/errors.ts'
import { withoutInvisible } from '../base/invisible.ts'
import { isLoopback } from '../base/link.ts'
import { codeSpan } from '../base/text.ts'
import type { Trigger } from '../event/trigger.ts'
import { DEFAULT_POLL_MS } from '../http/retry.ts'
import { isJobId } from '../record/job.ts'
import type { OnTimeout } from '../record/outcome.ts'
import { PERMISSIONS } from '../record/permission.ts'
import { MOST_NAMES } from '../record/record.ts'
import { readIgnore } from './ignore.ts'
import { readPaths } from './paths.ts'
import { parseDate } from './period.ts'
import {
  AUTHORS,
  choice,
  faultOfMemoryKey,
  type GetInput,
  hasQuotes,
  list,
  numberIn,
  REQUESTER,
  readAccess,
  readDailyLimit,
  readFixAttempts,
  readFlag,
  readKey,
  readTimeoutMs,
} from './readers.ts'

/** What to do when the thread already has a job. */
const CONVERSATIONS = ['continue', 'skip', 'new'] as const

export const COMMENT_MODES = ['recreate', 'update', 'off'] as const
export type CommentMode = (typeof COMMENT_MODES)[number]

const DEFAULT_GUIDELINES =
  'Work without asking questions: no person reads them. Where you can read the request in more than one way, choose the most reasonable reading and state the assumption in the pull request.'

const CONTEXTS = ['true', 'false', 'conversation'] as const

/** Those of the root action. */
export type Inputs = Readonly<ReturnType<typeof readInputs>>

/** @throws {BadInput} on the first input that cannot be used */
export function readInputs(input: GetInput) {
  const jobId = textOf(input, 'job-id', JOB_ID) || undefined
  const access = { ...readAccess(input), jobId }
  const [prompt, promptFile] = [input('prompt') || undefined, input('prompt-file') || undefined]
  if (prompt !== undefined && promptFile !== undefined) {
    throw new BadInput('prompt-file', 'is given together with `prompt`', 'Keep one of the two.')
  }
  const context = choice(input, 'context', CONTEXTS, 'true')
  const guidelines = input('guidelines') || DEFAULT_GUIDELINES
  const poll = { min: isLoopback(access.baseUrl) ? 0.01 : 1, max: 3600, unit: 'seconds' }
  const issue = { min: 1, max: 2 ** 31 - 1, whole: true, unit: 'an issue or a pull request (12, not #12)' }
  return {
    access,
    githubToken: readKey(input, 'github-token'),
    prompt,
    promptFile,
    jobId,
    conversation: choice(input, 'conversation', CONVERSATIONS, 'continue'),
    command: readCommand(input),
    minPermission: choice(input, 'min-permission', PERMISSIONS, 'write'),
    allowedBots: listOf(input, 'allowed-bots', LOGIN),
    /** '' for none. */
    guidelines: guidelines.toLowerCase() === 'none' ? '' : guidelines,
    context: context !== 'false',
    /** The conversation of a thread goes along also where not everybody can read it. */
    sendsPrivate: context === 'conversation',
    dryRun: readFlag(input, 'dry-run', false),
    wait: readFlag(input, 'wait', true),
    timeoutMs: readTimeoutMs(input, 0.001, 50),
    onTimeout: choice<OnTimeout>(input, 'on-timeout', ['fail', 'warn'], 'fail'),
    /** The longest pause between two reads of the job. */
    pollMs: numberIn(input, 'poll-interval-seconds', poll, DEFAULT_POLL_MS / 1000) * 1000,
    comment: choice(input, 'comment', COMMENT_MODES, 'recreate'),
    issueNumber: numberIn(input, 'issue-number', issue, undefined),
    issueTitle: textOf(input, 'issue-title', TITLE) || undefined,
    changesSince: readChangesSince(input),
    mergedLabels: readMergedLabels(input),
    paths: readPaths(input),
    ignore: readIgnore(input),
    /** Paths in the workspace. */
    referenceFiles: list(input, 'reference-file', /\n/),
    /** Logins, `org/team` for teams, `requester` for the person who asked, and `authors` of the code. */
    reviewers: readReviewers(input),
    labels: listOf(input, 'labels', LABEL),
    /** How often what fails of the agent's pull request goes back to the agent. */
    fixAttempts: readFixAttempts(input),
    /** What checks print goes back also from a repository that not everybody can read. */
    checkLogs: readFlag(input, 'check-logs', false),
    /** How many times the agent may be asked in 24 hours; undefined for no limit. */
    dailyLimit: readDailyLimit(input),
    /** The name of the commit status; '' for none. */
    commitStatus: textOf(input, 'commit-status', STATUS_NAME),
    /** Of the job in its matrix, as the runner fills it in; '' where the runner does not know it. */
    matrixIndex: input('matrix-index'),
  }
}

interface TextRule {
  isUsable(text: string): boolean
  readonly fault: string
  /** The error shows the value. */
  readonly isShown?: boolean
  readonly remedy: string
}

const JOB_ID: TextRule = {
  isUsable: (id) => isJobId(id) && !hasQuotes(id),
  fault: 'is not an id',
  isShown: true,
  remedy: 'Pass the `job-id` output of an earlier run.',
}

const TITLE: TextRule = {
  isUsable: (title) => title.length <= 256 && !/[\p{Cc}\u2028\u2029]/u.test(title),
  fault: 'is not one line of at most 256 characters',
  remedy: 'Write a short title.',
}

/** As many characters as GitHub takes: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
const STATUS_NAME: TextRule = {
  // Some letters and signs have no shape: U+3164, U+2800.
  isUsable: (name) =>
    /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{0,255}$/u.test(name) &&
    withoutInvisible(name).trim() !== '' &&
    !hasQuotes(name),
  fault: 'is not one printable line of at most 255 characters without quotation marks around it',
  remedy: 'Write a short name such as `docs`.',
}

/** '' where it is not given. */
function textOf(input: GetInput, name: string, { isUsable, fault, isShown, remedy }: TextRule): string {
  const text = input(name)
  if (text === '' || isUsable(text)) return text
  throw new BadInput(name, isShown === true ? `(${codeSpan(text, 60)}) ${fault}` : fault, remedy)
}

function readCommand(input: GetInput): string {
  const command = input('command') || '/docs'
  if (!/^\S{1,50}$/u.test(command))
    throw new BadInput('command', 'is not one word of at most 50 characters', 'Write one such as `/docs`.')
  if (COMMAND.test(command) && !LINKED.test(command)) return command
  const fault = `(${codeSpan(command)}) is not a word that Markdown shows as it is written`
  throw new BadInput('command', fault, 'Write one such as `/docs`, `!docs`, `docs` or `@docs-bot`.')
}

/** Letters and digits, with single signs between them; other signs at the beginning can make a list, code, a link, … */
const COMMAND = /^[/!.@]?(?!(?:https?|ftp|www)\b)\p{L}[\p{M}\p{Nd}]*(?:[-_./]?[\p{L}\p{M}\p{Nd}])*$/u

/** GitHub links the numbers of issues and the names of commits. */
const LINKED = /^(?:gh-\d+|[\da-f]{7,40})$/i

/** What each item of a list must be; `fault` follows one that is not. */
interface Item {
  readonly pattern: RegExp
  readonly fault: string
  readonly remedy: string
  readonly most?: number
}

const LOGIN: Item = {
  pattern: /^[\w.-]+(\[bot\])?$/i,
  fault: ', which is not a login',
  remedy: 'Write logins such as `renovate[bot]`, one per line.',
}

/** As of logins, the letter case of the two words does not count. */
const readReviewers = (input: GetInput): readonly string[] =>
  listOf(input, 'reviewers', REVIEWER).map(
    (name) => [REQUESTER, AUTHORS].find((word) => word === name.toLowerCase()) ?? name,
  )

const REVIEWER: Item = {
  pattern: /^([\w.-]{1,40}\/)?[\w.-]{1,75}(\[bot\])?$/i,
  fault: ', which is neither a login nor a team',
  remedy: 'Write `requester`, `authors`, logins, or teams such as `org/writers`, one per line.',
  most: MOST_NAMES,
}

const LABEL: Item = {
  pattern: /^.{1,50}$/s,
  fault: '',
  remedy: 'Write labels of at most 50 characters, one per line.',
  most: MOST_NAMES,
}

function listOf(input: GetInput, name: string, item: Item): readonly string[] {
  const { pattern, fault, remedy, most = Number.POSITIVE_INFINITY } = item
  const items = unquotedOf(name, list(input, name))
  const odd = items.find((one) => !pattern.test(one))
  if (odd !== undefined) throw new BadInput(name, `contains ${codeSpan(odd, 60)}${fault}`, remedy)
  if (items.length <= most) return [...new Set(items)]
  throw new BadInput(name, `has ${items.length} items`, `Write at most ${most}.`)
}

/** Labels may hold quotation marks, and GitHub takes those around a name for a part of it. */
function unquotedOf(name: string, items: readonly string[]): readonly string[] {
  const quoted = items.find((item) => hasQuotes(item) || hasQuotes(item.replace(/^!\s*/, '')))
  if (quoted === undefined) return items
  throw new BadInput(
    name,
    `contains ${codeSpan(quoted, 60)} in quotation marks`,
    'Leave the quotation marks out.',
  )
}

/** The input `changes-since`; `at` is in ms since the epoch. */
export type ChangesSince = 'last-run' | { readonly days: number } | { readonly at: number }

function readChangesSince(input: GetInput): ChangesSince | undefined {
  const value = input('changes-since')
  if (value === '') return undefined
  if (value.toLowerCase() === 'last-run') return 'last-run'
  const [, days] = /^([1-9]\d{0,3})d$/i.exec(value) ?? []
  if (days !== undefined) return { days: Number(days) }
  const at = parseDate(value)
  if (at !== undefined && at >= 0) return { at }
  const remedy = 'Write `last-run`, days such as `7d`, or an ISO 8601 time such as `2026-07-01T06:00Z`.'
  throw new BadInput('changes-since', `is ${codeSpan(value, 60)}`, remedy)
}

/** The input `merged-labels`, in lower case: forges do not tell letter cases of labels apart. */
export interface MergedLabels {
  /** A pull request needs one of them; empty where it needs none. */
  readonly included: readonly string[]
  /** It may have none of these, which the input writes with a `!` before them. */
  readonly excluded: readonly string[]
}

function readMergedLabels(input: GetInput): MergedLabels | undefined {
  const names = unquotedOf('merged-labels', list(input, 'merged-labels')).map((name) => name.toLowerCase())
  if (names.length === 0) return undefined
  const [included, excluded] = [new Set<string>(), new Set<string>()]
  for (const name of names) {
    const label = name.replace(/^!\s*/, '')
    if (label === '') throw new BadInput('merged-labels', 'contains `!` without a label', REMEDY)
    const set = name.startsWith('!') ? excluded : included
    set.add(label)
  }
  return { included: [...included], excluded: [...excluded] }
}

const REMEDY = 'Write labels such as `feature`, or `!internal` for one that must be missing, one per line.'

/**
 * Why `memory-key` cannot be used, where a comment would be written or read; undefined where it can, or is not looked at.
 */
export function memoryKeyFault(
  { access, comment, issueNumber, issueTitle, changesSince }: Inputs,
  { subject, push }: Pick<Trigger, 'subject' | 'push'>,
): BadInput | undefined {
  const places = [subject, push, issueNumber, issueTitle, changesSince]
  const isNeeded = comment !== 'off' && places.some((place) => place !== undefined)
  return isNeeded ? faultOfMemoryKey(access) : undefined
}
