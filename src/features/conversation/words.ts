import { codeSpan, count, joined, listed } from '../../base/text.ts'
import { MOST_REVIEWS } from '../../github/discussion.ts'
import { type Part, partOf, type Section } from '../../prompt/parts.ts'
import type { Permission } from '../../record/permission.ts'
import type { RemarkOmission } from './judge.ts'

/** What is left out of the conversation, and why. */
export type ConversationOmission = RemarkOmission | 'room' | 'reviews' | 'older-reviews' | 'all' | 'private'

/** A list such as ``3 comments by people without `write` permission and 1 hidden comment``. */
export function describeOmissions(
  omissions: ReadonlyMap<ConversationOmission, number>,
  minPermission: string,
): string {
  const describe: Readonly<Record<ConversationOmission, (n: number) => string>> = {
    strangers: (n) => `${count(n, 'comment')} by people without \`${minPermission}\` permission`,
    gone: (n) => `${count(n, 'comment')} by accounts that GitHub no longer shows`,
    bots: (n) => `${count(n, 'comment')} by bots`,
    hidden: (n) => count(n, 'hidden comment'),
    resolved: (n) => `${count(n, 'comment')} in resolved review threads`,
    changed: (n) => `${count(n, 'comment')} that changed after the command`,
    further: (n) => `${count(n, 'comment')} by people beyond the ten who wrote last`,
    unread: (n) => `${count(n, 'comment')} by people whose permission GitHub did not tell`,
    room: (n) => `${count(n, 'older comment')} without room`,
    'older-reviews': () => `reviews before the newest ${MOST_REVIEWS}`,
    reviews: () => 'reviews and their lines, which GitHub did not show',
    all: (n) => `${count(n, 'comment')}, because GitHub did not show the text`,
    private: (n) =>
      `${count(n, 'comment')}, because the repository is not public (\`context: conversation\` sends them)`,
  }
  const parts = Object.entries(describe).flatMap(([name, words]) => {
    const n = omissions.get(name as ConversationOmission) ?? 0
    return n === 0 ? [] : [words(n)]
  })
  return parts.length === 0 ? '' : listed(parts)
}

const describeOutdated = (comments: number): string =>
  `${count(comments, 'comment')} ${comments === 1 ? 'is' : 'are'} outdated: newer commits changed the lines.`

const NEAR = 'The conversation at the line of the request:'
const REST = 'Elsewhere:'

export interface Shown extends Section {
  readonly pictures: number
  readonly isNear: boolean
  readonly isOutdated: boolean
  readonly isCommand: boolean
}

export interface Asking {
  /** Login of the person who asks. */
  readonly asking: string
  /** The command word. */
  readonly command: string
  /** Of all others in it. */
  readonly minPermission: Permission
}

/** @param shown the oldest first @param left in words, what is left out */
export function describeConversation(
  shown: readonly Shown[],
  left: string,
  { asking, command, minPermission: permission }: Asking,
): Part {
  const near = shown.filter(({ isNear }) => isNear)
  const rest = shown.filter(({ isNear }) => !isNear)
  const headingOf = (heading: string): Section => ({ heading, text: '' })
  const sections =
    near.length === 0
      ? rest
      : [headingOf(NEAR), ...near, ...(rest.length === 0 ? [] : [headingOf(REST), ...rest])]
  const outdated = shown.filter(({ isOutdated }) => isOutdated).length
  const isAlso = shown.some(({ isCommand }) => isCommand)
  const note = joined(
    ' ',
    shown.length > 1 ? 'The oldest comment stands first.' : '',
    isAlso ? `A comment that begins with ${codeSpan(command)} is a request of its own.` : '',
    outdated === 0 ? '' : describeOutdated(outdated),
    left === '' ? '' : `Left out: ${left}.`,
  )
  const omissions = left === '' ? [] : [{ kind: 'conversation', what: left } as const]
  const pictures = shown.reduce((sum, one) => sum + one.pictures, 0)
  return partOf({ kind: 'conversation', asking, permission }, sections, { note, omissions, pictures })
}
