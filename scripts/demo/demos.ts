import { exported, INSIGHTS, VISITORS } from './analytics.ts'
import { docsWithTheCode } from './code.ts'
import { collected } from './collect.ts'
import { conversation } from './conversation.ts'
import { refreshes } from './refresh.ts'
import { type Story, told } from './story.ts'

interface Demo {
  /** For `--help`. */
  readonly about: string
  readonly play: () => Promise<Story>
}

/** The agent's pull requests are in the repository of the workflow. */
export const SAME_REPOSITORY = { docsRepository: 'octo/app', permissions: { statuses: 'write' } } as const

/** What `npm run demo -- NAME` plays; the name '' is the conversation. */
export const DEMOS: Readonly<Record<string, Demo>> = {
  '': {
    about: 'A conversation: a request, a check that fails late, a review, and a stranger',
    play: () => told('A conversation', conversation(3), SAME_REPOSITORY),
  },
  refresh: {
    about: 'Weekly refreshes: one issue, one pull request',
    play: () => told('Weekly refreshes', refreshes, SAME_REPOSITORY),
  },
  code: {
    about: 'The docs of a pull request, as a status of its code',
    play: () => told('Docs with the code', docsWithTheCode, SAME_REPOSITORY),
  },
  visitors: {
    about: 'The visitors of the docs, as a file and a summary',
    play: () => told(VISITORS.title, exported(VISITORS)),
  },
  insights: {
    about: 'What readers miss, as reference material for a job',
    play: () => told(INSIGHTS.title, exported(INSIGHTS)),
  },
  collect: {
    about: 'Jobs that no runner waits for',
    play: () => told('Jobs that no runner waits for', collected),
  },
}
