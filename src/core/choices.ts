/** The words that inputs choose from, where more than one part goes by them. */

export const CONVERSATIONS = ['continue', 'skip', 'new'] as const
export type Conversation = (typeof CONVERSATIONS)[number]

/** From least to most. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Permission = (typeof PERMISSIONS)[number]

export const COMMENT_MODES = ['recreate', 'update', 'off'] as const
export type CommentMode = (typeof COMMENT_MODES)[number]
