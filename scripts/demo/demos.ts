import { INSIGHTS, VISITORS } from './analytics.ts'
import { CODE_WITH_DOCS } from './code.ts'
import { CONVERSATION } from './conversation.ts'
import { REFRESH } from './refresh.ts'
import type { Plot } from './story.ts'

/** What `npm run demo -- NAME` plays; without a name, all of it. */
export const DEMOS: Readonly<Record<string, Plot>> = {
  request: CONVERSATION,
  code: CODE_WITH_DOCS,
  refresh: REFRESH,
  visitors: VISITORS,
  insights: INSIGHTS,
}
