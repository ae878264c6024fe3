import { count } from '../base/text.ts'
import type { Account } from '../event/objects.ts'
import type { Permission } from '../record/permission.ts'

/** What a pull request or a push changes. */
export type ChangesOf =
  | {
      readonly of: 'pull request'
      readonly number: number
      readonly by: Account | undefined
      /** SHA of the head since which it changes this; '' for the whole. */
      readonly since: string
    }
  | { readonly of: 'push' }
  | { readonly of: 'merged pull requests' }

/** What a part is, and whose words it holds. */
export type PartSource =
  | {
      readonly kind: 'body'
      readonly of: 'issue' | 'pull request' | 'release'
      /** Of a release: undefined. */
      readonly number?: number
      readonly by: Account | undefined
    }
  | ({ readonly kind: 'comparison' | 'commits' | 'files' | 'patches' } & ChangesOf)
  | {
      readonly kind: 'merged titles'
      /** Undefined where it is not known. */
      readonly count: number | undefined
    }
  | {
      readonly kind: 'merged texts' | 'quotations' | 'review lines' | 'linked code' | 'checks' | 'references'
    }
  | {
      readonly kind: 'below the request'
      /** As GitHub says; else it does not say. */
      readonly cameByMail: boolean
    }
  | {
      readonly kind: 'conversation'
      /** Login of the person who asks; '' where it is not known. */
      readonly asking: string
      /** Of all others in it. */
      readonly permission: Permission
    }

const byName = (by: Account | undefined): string =>
  by === undefined ? ', by an account that GitHub does not show' : `, by @${by.login}`

function nameOfChanges(changes: ChangesOf): string {
  if (changes.of !== 'pull request') return `the ${changes.of}`
  const since = changes.since === '' ? '' : `, since the commit ${changes.since.slice(0, 7)} that you know`
  return `pull request #${changes.number}${byName(changes.by)}${since}`
}

/** Words of our own, and logins, which need no fence: they are letters, digits, `-`, `_` and `.` */
export function describeSource(source: PartSource): string {
  switch (source.kind) {
    case 'body':
      return `the text of ${source.of === 'release' ? 'a release' : `${source.of} #${source.number}`}${byName(source.by)}`
    case 'comparison':
      return `the title and branches of ${nameOfChanges(source)}`
    case 'commits':
      return `the first lines of the commits of ${nameOfChanges(source)}`
    case 'files':
      return `the list of files of ${nameOfChanges(source)}`
    case 'patches':
      return `the patches of ${nameOfChanges(source)}`
    case 'merged titles':
      return `the titles of ${source.count === undefined ? 'the merged pull requests' : count(source.count, 'merged pull request')}, by their authors`
    case 'merged texts':
      return 'the texts of merged pull requests, each by the author that its heading names'
    case 'quotations':
      return 'what the request quotes: words of other people, or of older comments'
    case 'review lines':
      return 'lines of changed files, which the request is about'
    case 'linked code':
      return 'code of this repository, which the request links to'
    case 'below the request':
      return `what stood below the first paragraph of the request, ${source.cameByMail ? 'which came by mail' : 'of which GitHub does not say whether it came by mail'}: as a rule a signature, or a mail of somebody else`
    case 'conversation':
      return conversationOf(source)
    case 'checks':
      return 'what the checks say'
    case 'references':
      return 'the files that the workflow passes along'
  }
}

function conversationOf({
  asking: login,
  permission,
}: Extract<PartSource, { kind: 'conversation' }>): string {
  const asking = login === '' ? 'the person who asks' : `@${login}, who asks,`
  const others = permission === 'none' ? 'other people' : `people with \`${permission}\` permission`
  return `the conversation above the request, of ${asking} and ${others}; lines with \`>\` are quotations, which anybody may have written`
}
