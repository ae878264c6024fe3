import { BadInput } from '../base/errors.ts'
import { codeSpan } from '../base/text.ts'
import { nameOf } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { type GetInput, hasQuotes, list } from './readers.ts'

/** The input `ignore`: pull requests whose events ask nothing, and whose merges do not count. Names are in lower case. */
export interface Ignore {
  readonly authors: readonly string[]
  readonly labels: readonly string[]
}

/** @throws {BadInput} on the first line that names neither */
export function readIgnore(input: GetInput): Ignore {
  const lines = list(input, 'ignore', /\n/).map(parseLine)
  const namesOf = (kind: Line['kind']) => [
    ...new Set(lines.flatMap((line) => (line.kind === kind ? line.name.toLowerCase() : []))),
  ]
  return { authors: namesOf('author'), labels: namesOf('label') }
}

interface Line {
  readonly kind: 'author' | 'label'
  readonly name: string
}

function parseLine(line: string): Line {
  const [, kind = '', given = ''] = /^(author|label):(.*)$/isu.exec(line) ?? []
  const name = given.trim()
  const refuse = (fault: string, remedy: string): never => {
    throw new BadInput('ignore', `contains ${codeSpan(line, 60)}${fault}`, remedy)
  }
  if (kind === '' || name === '')
    return refuse(
      ', which is neither `author:LOGIN` nor `label:NAME`',
      'Write one of the two a line, without dashes and quotation marks. Titles do not count: anyone can write them.',
    )
  if (hasQuotes(name)) return refuse(' in quotation marks', 'Leave the quotation marks out.')
  if (kind.toLowerCase() === 'author')
    return LOGIN.test(name)
      ? { kind: 'author', name }
      : refuse(', whose `author:` is no login', 'Write one login a line, such as `author:translations-bot`.')
  if (LABEL.test(name)) return { kind: 'label', name }
  return refuse(
    ', whose `label:` is no name of a label',
    'Write one label of at most 50 characters a line, such as `label:no-docs`.',
  )
}

const LOGIN = /^[\w.-]{1,100}(\[bot\])?$/i

/** Two in one line would be one label, which no pull request has. */
const LABEL = /^(?!.*,\s*(?:author|label):)[^\p{Cc}]{1,50}$/isu

/** By what of a pull request the input names it. */
export interface IgnoredBy {
  readonly isByAuthor: boolean
  /** In lower case. */
  readonly labels: readonly string[]
}

/**
 * A line with `[bot]` means a bot alone: a person can have a login that is the rest of its name.
 * @returns undefined where the input does not name it
 */
export function ignoredBy(
  { authors, labels: named }: Ignore,
  { author, labels: given }: Pick<PullRequest, 'author' | 'labels'>,
): IgnoredBy | undefined {
  const isByAuthor =
    author !== undefined &&
    authors.some((one) => nameOf(one) === nameOf(author.login) && (author.bot || !one.endsWith('[bot]')))
  const has = new Set(given.map((label) => label.toLowerCase()))
  const labels = named.filter((label) => has.has(label))
  return isByAuthor || labels.length > 0 ? { isByAuthor, labels } : undefined
}
