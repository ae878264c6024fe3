import { codeSpan, count, joined, listed } from '../base/text.ts'

/** Merges that do not count, each by the first of these that leaves it out. The docs agent's own are none of them. */
export interface UncountedMerges {
  readonly ignored: number
  readonly unlabelled: number
  /** Logins of their authors, one for each merge. */
  readonly bots: readonly string[]
  /** Numbers of those that count, and that their own events ask about. */
  readonly leftToEvents: readonly number[]
}

const MOST_NAMED = 5

/** How many, by what, and what takes them in: inline Markdown, '' for none. */
export const describeUncounted = (uncounted: UncountedMerges): string =>
  joined(' ', describeLeftOut(uncounted), describeLeftToEvents(uncounted))

/** Whether the workflow listens to `closed`, and whether that may ask, the push does not know. */
const describeLeftToEvents = ({ leftToEvents }: UncountedMerges): string =>
  leftToEvents.length === 0
    ? ''
    : `Changes of ${listed(leftToEvents.map((number) => `#${number}`))} that the agent lacks are left to the events of ${leftToEvents.length === 1 ? 'that pull request' : 'these pull requests'}. If no run of \`closed\` asks about them, comment a command there.`

function describeLeftOut({ ignored, unlabelled, bots }: UncountedMerges): string {
  const names = [...new Set(bots)]
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : []
  const named = listed([...names.slice(0, MOST_NAMED).map((name) => codeSpan(name, 100)), ...more])
  const kinds = [
    ...(bots.length === 0 ? [] : [`${count(bots.length, 'merge of a bot', 'merges of bots')} (${named})`]),
    ...(ignored === 0 ? [] : [`${count(ignored, 'merge')} that \`ignore\` names`]),
    ...(unlabelled === 0
      ? []
      : [`${count(unlabelled, 'merge')} whose labels do not count (\`merged-labels\`)`]),
  ]
  if (kinds.length === 0) return ''
  const total = bots.length + ignored + unlabelled
  const whose = kinds.length > 1 ? 'those of bots' : total === 1 ? 'it' : 'them'
  return joined(
    ' ',
    `${listed(kinds)} ${total === 1 ? 'is' : 'are'} left out.`,
    bots.length === 0
      ? ''
      : `To send ${whose}, list the bot${names.length === 1 ? '' : 's'} in \`allowed-bots\`.`,
  )
}
