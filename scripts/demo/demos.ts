import { exported, INSIGHTS, VISITORS } from './analytics.ts'
import { collected } from './collect.ts'
import { conversation } from './conversation.ts'
import { refreshes } from './refresh.ts'
import { CONVERSATION, FAILURE, TIMEOUT } from './scenes.ts'
import type { Stage } from './stage.ts'

interface Demo {
  /** For `--help`. */
  readonly about: string
  readonly play: (stage: Stage) => Promise<void>
}

/** The agent's pull requests are in the repository of the workflow. */
export const SAME_REPOSITORY = { docsRepository: 'octo/app' }

/** What `npm run demo -- NAME` plays; the name '' is the conversation. */
export const DEMOS = {
  '': {
    about: 'A conversation: a request, checks that fail, a review, and a stranger',
    play: (stage) => stage.play('A conversation', conversation(CONVERSATION), SAME_REPOSITORY),
  },
  refresh: {
    about: 'Weekly refreshes: one issue, one pull request',
    play: (stage) => stage.play('Weekly refreshes', refreshes, SAME_REPOSITORY),
  },
  visitors: {
    about: 'The visitors of the docs, as a file and a summary',
    play: (stage) => stage.play(VISITORS.title, exported(VISITORS)),
  },
  insights: {
    about: 'What readers miss, as reference material for a job',
    play: (stage) => stage.play(INSIGHTS.title, exported(INSIGHTS)),
  },
  collect: {
    about: 'Jobs that no runner waits for',
    play: (stage) => stage.play('Jobs that no runner waits for', collected),
  },
  '--fail': {
    about: 'A job that fails',
    play: (stage) => stage.play('A job that fails', conversation(FAILURE), SAME_REPOSITORY),
  },
  '--timeout': {
    about: 'A job that takes longer than the run waits',
    play: (stage) => stage.play('A job that takes too long', conversation(TIMEOUT), SAME_REPOSITORY),
  },
} as const satisfies Readonly<Record<string, Demo>>

export type DemoName = keyof typeof DEMOS

/** What the page shows when you name no demo. */
export const ALL: readonly DemoName[] = ['', 'refresh', 'visitors', 'insights', 'collect']

export const isDemo = (name: string): name is DemoName => Object.hasOwn(DEMOS, name)
