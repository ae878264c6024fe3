import { INSIGHTS, showExport, VISITORS } from './analytics.ts'
import { showCollect } from './collect.ts'
import { showConversation } from './conversation.ts'
import { showRefresh } from './refresh.ts'
import { CONVERSATION, FAILURE, TIMEOUT } from './scenes.ts'
import type { Stage } from './stage.ts'

export interface Demo {
  /** For `--help`. */
  readonly about: string
  /** @returns what is wrong with its end, or '' */
  readonly play: (stage: Stage) => Promise<string>
}

/** What `npm run demo -- NAME` plays; the name '' is the conversation. */
export const DEMOS = {
  '': {
    about: 'A conversation: a request, checks that fail, a review, and a stranger',
    play: (stage) => showConversation(stage, 'A conversation', CONVERSATION),
  },
  refresh: { about: 'Weekly refreshes: one issue, one pull request', play: showRefresh },
  visitors: {
    about: 'The visitors of the docs, as a file and a summary',
    play: (stage) => showExport(stage, VISITORS),
  },
  insights: {
    about: 'What readers miss, as reference material for a job',
    play: (stage) => showExport(stage, INSIGHTS),
  },
  collect: { about: 'Jobs that no runner waits for', play: showCollect },
  '--fail': {
    about: 'A job that fails',
    play: (stage) => showConversation(stage, 'A job that fails', FAILURE),
  },
  '--timeout': {
    about: 'A job that takes longer than the run waits',
    play: (stage) => showConversation(stage, 'A job that takes too long', TIMEOUT),
  },
} as const satisfies Readonly<Record<string, Demo>>

export type DemoName = keyof typeof DEMOS

/** What the page shows when you name no demo. */
export const ALL: readonly DemoName[] = ['', 'refresh', 'visitors', 'insights', 'collect']

export const isDemo = (name: string): name is DemoName => Object.hasOwn(DEMOS, name)
