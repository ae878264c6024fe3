import type { Core } from '../base/deps.ts'
import { BadInput } from '../base/errors.ts'
import { isLoopback } from '../base/link.ts'
import { codeSpan, grouped, listedCode } from '../base/text.ts'
import { DEFAULT_BASE_URL, type ServiceAccess } from '../http/service.ts'
import { MOST_ASKS } from '../record/record.ts'

export type GetInput = Core['getInput']

/** `true` or `false`, in any letter case: the words that YAML 1.2 takes for a boolean. */
export function readFlag(input: GetInput, name: string, fallback: boolean): boolean {
  return choice(input, name, ['true', 'false'], fallback ? 'true' : 'false') === 'true'
}

export function choice<T extends string>(
  input: GetInput,
  name: string,
  words: readonly T[],
  fallback: NoInfer<T>,
): T {
  const value = input(name)
  if (value === '') return fallback
  const word = words.find((candidate) => candidate === value.toLowerCase())
  if (word !== undefined) return word
  throw new BadInput(name, `is ${codeSpan(value, 60)}`, `Write ${listedCode(words, 'disjunction')}.`)
}

interface Range {
  readonly min: number
  readonly max: number
  readonly whole?: boolean
  /** What one of it is, for the sentence: `minutes`. */
  readonly unit: string
}

/** A plain decimal number within a range; no sign, no exponent, no unit. */
export function numberIn<Fallback extends number | undefined>(
  input: GetInput,
  name: string,
  range: Range,
  fallback: Fallback,
): number | Fallback {
  const value = input(name)
  if (value === '') return fallback
  const { min, max, whole = false, unit } = range
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max && (!whole || Number.isInteger(number))) return number
  const kind = whole ? 'a whole number' : 'a number'
  const remedy = `Write ${kind} of ${unit} from ${min} to ${grouped(max)}.`
  throw new BadInput(name, `is ${codeSpan(value, 60)}`, remedy)
}

/** The input `timeout-minutes`, in ms: at most a day, because no runner waits longer. */
export const readTimeoutMs = (input: GetInput, min: number, fallback: number): number =>
  numberIn(input, 'timeout-minutes', { min, max: 1440, unit: 'minutes' }, fallback) * 60_000

/** The input `daily-limit`. */
export const readDailyLimit = (input: GetInput): number | undefined =>
  numberIn(input, 'daily-limit', { min: 1, max: MOST_ASKS, whole: true, unit: 'requests a day' }, undefined)

/** The input `fix-attempts`. */
export const readFixAttempts = (input: GetInput): number =>
  numberIn(input, 'fix-attempts', { min: 0, max: 5, whole: true, unit: 'attempts' }, 0)

/** By default separated by commas or line breaks; a path may hold a comma. */
export const list = (input: GetInput, name: string, separator = /[,\n]/): readonly string[] =>
  input(name)
    .split(separator)
    .map((item) => item.trim())
    .filter(Boolean)

/** Those of keyboards, and those that editors put in their place. */
const QUOTE = '["\'`\u00ab\u00bb\u2018-\u201e\u2039\u203a]'
const BEGINS_QUOTED = new RegExp(`^${QUOTE}`)
const ENDS_QUOTED = new RegExp(`${QUOTE}$`)

/** A text in quotation marks, as YAML or a shell takes them away but a secret or a block of lines does not. */
export const hasQuotes = (text: string): boolean =>
  text.length > 1 && BEGINS_QUOTED.test(text) && ENDS_QUOTED.test(text)

/** A key, a token or an id, none of which begins or ends with a quotation mark. @throws {BadInput} that does not show it */
export function readKey(input: GetInput, name: string): string {
  const key = input(name)
  const fault = faultOfQuotation(name, key)
  if (fault !== undefined) throw fault
  return key
}

function faultOfQuotation(name: string, key: string): BadInput | undefined {
  const where = BEGINS_QUOTED.test(key) ? 'begins' : ENDS_QUOTED.test(key) ? 'ends' : ''
  if (where === '') return undefined
  return new BadInput(
    name,
    `${where} with a quotation mark`,
    'Store it again without quotation marks around it.',
  )
}

/**
 * Both keys may be '' (see `requireKey` and `faultOfMemoryKey`), and without `api-key` the project too: where GitHub withholds
 * secrets it withholds repository variables as well.
 */
export function readAccess(input: GetInput): ServiceAccess {
  const apiKey = readKey(input, 'api-key')
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new BadInput(
      'api-key',
      'holds white space, a control character or a character outside ASCII',
      'Store the key in its secret again, alone on one line.',
    )
  }
  const projectId = readProject(input, apiKey !== '')
  return { apiKey, memoryKey: input('memory-key'), projectId, baseUrl: readBaseUrl(input) }
}

export function requireKey(access: ServiceAccess): void {
  if (access.apiKey !== '') return
  const project =
    access.projectId === '' ? ', and so does the variable of `project-id`, which is missing too' : ''
  throw new BadInput(
    'api-key',
    'is missing',
    `Make an admin key in the dashboard under Settings → API keys, add it as a repository secret (Settings → Secrets and variables → Actions) and pass it: \`api-key: $\{{ secrets.MINTLIFY_API_KEY }}\`. A secret that does not exist reads as empty${project}.`,
  )
}

export const isMemoryKey = (text: string): boolean => /^[^\s\p{Cc}]{16,}$/u.test(text)

/** Undefined where it can be used. */
export function faultOfMemoryKey({ memoryKey }: Pick<ServiceAccess, 'memoryKey'>): BadInput | undefined {
  if (memoryKey === '')
    return new BadInput(
      'memory-key',
      'is missing',
      `Add one line that you make up, such as the output of \`openssl rand -hex 32\`, as a repository secret (Settings → Secrets and variables → Actions) and pass it: \`memory-key: $\{{ secrets.DOCS_AGENT_MEMORY_KEY }}\`. A secret that does not exist reads as empty.`,
    )
  const quoted = faultOfQuotation('memory-key', memoryKey)
  if (quoted !== undefined || isMemoryKey(memoryKey)) return quoted
  return new BadInput(
    'memory-key',
    'has fewer than 16 characters, or holds white space or a control character',
    'Store one line in its secret, such as the output of `openssl rand -hex 32`.',
  )
}

const WHERE_PROJECT = 'Copy it from the dashboard under Settings → API keys'

function readProject(input: GetInput, required: boolean): string {
  const project = required ? readKey(input, 'project-id') : input('project-id')
  if (!required || /^(?!\.{1,2}$|https?:)[^\s\p{Cc}]{1,200}$/u.test(project)) return project
  if (project === '') {
    throw new BadInput(
      'project-id',
      'is missing',
      `${WHERE_PROJECT}, add it as a repository variable (Settings → Secrets and variables → Actions → Variables) and pass it: \`project-id: $\{{ vars.MINTLIFY_PROJECT_ID }}\`.`,
    )
  }
  const fault = /^https?:/.test(project) ? 'is a URL, not an id' : 'is not an id'
  throw new BadInput('project-id', fault, `${WHERE_PROJECT}, the id alone.`)
}

/** `fetch` sends nothing there: https://fetch.spec.whatwg.org/#port-blocking */
const BLOCKED_PORTS: ReadonlySet<string> = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 ' +
    '139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 ' +
    '1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
)

/** @returns the URL without a slash at its end, a path prefix kept */
function readBaseUrl(input: GetInput): string {
  const value = input('base-url') || DEFAULT_BASE_URL
  const refuse = (fault: string): never => {
    throw new BadInput('base-url', fault, `Write an https: URL such as \`${DEFAULT_BASE_URL}\`.`)
  }
  if (!URL.canParse(value)) return refuse('is not a URL')
  const url = new URL(value)
  if (url.username !== '' || url.password !== '') return refuse('holds credentials')
  if (/[?#]/.test(value)) return refuse('holds a query or a fragment')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(value))) {
    return refuse('is neither an https: URL nor http: on a loopback host')
  }
  if (BLOCKED_PORTS.has(url.port)) return refuse(`names a port, ${url.port}, that HTTP clients block`)
  return url.href.replace(/\/+$/, '')
}

/** What the input `reviewers` takes beside names: who asked, and who wrote the code that the request is for. */
export const REQUESTER = 'requester'
export const AUTHORS = 'authors'
