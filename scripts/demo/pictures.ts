import { ISSUE } from './changes.ts'
import { showConversation } from './conversation.ts'
import { showInsights } from './insights.ts'
import { PICTURE } from './scenes.ts'
import type { Stage, Story } from './stage.ts'
import { showVisitors } from './visitors.ts'

/** A picture of the documentation: `.github/NAME-light.webp`, `.github/NAME-dark.webp`, and its words in `.github/NAME.txt`. */
export interface Picture {
  readonly name: string
  /** @returns what is wrong with its end, or '' */
  readonly play: (stage: Stage) => Promise<string>
  /** The words of what it shows, in Markdown. */
  readonly words: (story: Story) => string
  /** Where the demo's page shows it. */
  readonly path: string
  /** The page of a pull request whose files stand below. */
  readonly pullRequest?: string
  /** Of the window, in pixels. */
  readonly width: number
  /** What the picture reaches around: from the first of these elements to the last. */
  readonly shown: string
}

const REPOSITORY = 'octo/app'
/** Pictures show days that stay the same, so that their words do, too. */
const OCTOBER = { 'date-from': '2026-10-01', 'date-to': '2026-11-01' }
/** Leaves the main column as wide as text is read well. */
const WIDE = 1280
/** Leaves the diff as wide as its lines, so that the README shows a picture that is small, and sharp on a phone. */
const NARROW = 556
const WEEK = { 'date-from': '2026-10-05', 'date-to': '2026-10-12' }

export const PICTURES: readonly Picture[] = [
  {
    name: 'thread',
    play: (stage) => showConversation(stage, 'A conversation', PICTURE),
    words: threadWords,
    path: `1/${REPOSITORY}/${ISSUE.number}`,
    pullRequest: `1/${REPOSITORY}/77`,
    width: NARROW,
    shown: 'main .post:nth-child(n + 3), .file',
  },
  {
    name: 'visitors',
    play: (stage) =>
      showVisitors(stage, {
        title: 'Visitors',
        heading: 'The visitors of October',
        inputs: { ...OCTOBER, compare: 'true', top: '5' },
      }),
    words: summaryWords,
    path: '1/run/9000201',
    width: WIDE,
    shown: 'main .summary .markdown-body > :nth-child(-n + 5)',
  },
  {
    name: 'insights',
    play: (stage) =>
      showInsights(
        stage,
        { title: 'Insights', heading: 'What readers missed in a week', inputs: WEEK },
        Date.parse(WEEK['date-to']),
      ),
    words: summaryWords,
    path: '1/run/9000301',
    width: WIDE,
    shown: 'main .summary .markdown-body > :nth-child(-n + 5)',
  },
]

/** The comments of the thread that the demo begins with, without what GitHub hides. */
function threadWords({ emulator }: Story): string {
  const comments = emulator.github.comments(ISSUE.number, REPOSITORY)
  return steady(
    comments
      .map(({ user, body }) => `${user.login}:\n\n${body.replace(/<!--[\s\S]*?-->/g, '').trim()}\n`)
      .join('\n'),
  )
}

function summaryWords({ runs }: Story): string {
  return steady(`${runs.at(-1)?.result?.summary.trim()}\n`)
}

/** How long a run takes is never the same. */
function steady(text: string): string {
  return text.replace(/ · \d+ s\b/g, ' · N s')
}
