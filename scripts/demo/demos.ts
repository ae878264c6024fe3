import { READERS } from './analytics.ts'
import { APART } from './apart.ts'
import { CODE_WITH_DOCS } from './code.ts'
import { CONVERSATION } from './conversation.ts'
import { REFRESH } from './refresh.ts'
import type { Plot } from './story.ts'
import { TROUBLE } from './trouble.ts'

/** `npm run demo` plays the first two. */
export const DEMOS: readonly Plot[] = [CONVERSATION, CODE_WITH_DOCS, TROUBLE, APART, REFRESH, READERS]
