import { showCollect } from './collect.ts'
import { showConversation } from './conversation.ts'
import { CONVERSATION, FAILURE, TIMEOUT } from './scenes.ts'
import type { Stage } from './stage.ts'
import { showVisitors } from './visitors.ts'

export interface Telling {
  /** @returns what is wrong with its end, or '' */
  readonly play: (stage: Stage) => Promise<string>
  /** What is said when all is well. */
  readonly verdict: string
  /** What to do now, as part of a sentence. */
  readonly next: string
}

const ONE = 'It ended as it should.'
const WHOLE = '`npm run demo` shows a whole conversation'
const ON_A_PAGE = `${WHOLE}, \`npm run demo -- --open\` everything on a page`

/** What `npm run demo -- NAME` plays; the name '' is the conversation. */
export const STORIES = {
  '': {
    play: (stage) => showConversation(stage, 'A conversation', CONVERSATION),
    verdict: 'All ended as they should.',
    next: '`npm run demo -- --fail` or `-- --timeout` show other endings, `-- collect` and `-- visitors` the sub-actions',
  },
  '--fail': {
    play: (stage) => showConversation(stage, 'A job that fails', FAILURE),
    verdict: ONE,
    next: WHOLE,
  },
  '--timeout': {
    play: (stage) => showConversation(stage, 'A job that takes too long', TIMEOUT),
    verdict: ONE,
    next: WHOLE,
  },
  collect: { play: showCollect, verdict: ONE, next: ON_A_PAGE },
  visitors: { play: showVisitors, verdict: ONE, next: ON_A_PAGE },
} as const satisfies Readonly<Record<string, Telling>>

export type StoryName = keyof typeof STORIES

/** What the page shows where no story is named. */
export const ALL: readonly StoryName[] = ['', 'collect', 'visitors']

export const isStory = (name: string): name is StoryName => Object.hasOwn(STORIES, name)
