import type { Push } from '../../event/trigger.ts'
import type { PushedChanges } from './merges.ts'

/**
 * Whether a push leaves nothing to document: a new or restored branch, or a tag, whose commits were there before; a branch that was
 * set back; commits that change no file. What GitHub does not tell may have changed something.
 */
export const bringsNothing = (
  { change, hasNewCommit }: Pick<Push, 'change' | 'hasNewCommit'>,
  { comparison }: Pick<PushedChanges, 'comparison'>,
): boolean => (change === 'created' ? !hasNewCommit : comparison?.files?.length === 0)
