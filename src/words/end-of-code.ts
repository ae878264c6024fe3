import { codeSpan, joined } from '../base/text.ts'

/** The end of the code's pull request, for that of the docs. */
export interface ClosedCode {
  /** Such as `octo/app#12`. */
  readonly closedPull: string
  readonly isMerged: boolean
  /** What the agent has of it: `works` while it makes something of it. */
  readonly got: 'all' | 'works' | 'lacks'
  /** Into which it was merged. */
  readonly branch: string
  /** That is the default branch. */
  readonly isReleased: boolean
  /** The command word. */
  readonly command: string
}

/** @param docs a link, where the comment stands on the code's pull request */
export function endComment(
  { closedPull, isMerged, got, branch, isReleased, command }: ClosedCode,
  docs = '',
): string {
  const [pull, that] = docs === '' ? ['This pull request', 'this one'] : [docs, 'that one']
  if (!isMerged)
    return `${closedPull} was closed without a merge. ${pull} documents it: close ${that}, unless you still need it.`
  const into = branch === '' ? '' : ` into ${codeSpan(branch, 100)}`
  const merged = `${closedPull} is merged${into}.`
  if (got === 'works') return `${merged} The docs agent still works on it: merge ${that} once it has ended.`
  if (got === 'lacks')
    return `${merged} ${pull} lacks its last changes: comment \`${command} …\` in ${docs === '' ? closedPull : 'this thread'} to add them.`
  const when = isReleased ? `you can merge ${that} now` : `merge ${that} when readers get that branch`
  return `${merged} ${pull} documents it: ${when}.`
}

/**
 * Why what was merged into another branch than the default one is not asked.
 * @param isInDoubt the agent may have its last changes
 */
export const mergedElsewhere = (branch: string, command: string, isInDoubt: boolean): string =>
  joined(
    ' ',
    `It was merged into ${codeSpan(branch, 100)}, which is not the default branch, and ${lacking(isInDoubt)}.`,
    `A comment \`${command} …\` sends them.`,
  )

interface MergedBelow {
  /** Into which the layer was merged. */
  readonly branch: string
  /** That the stack is for. */
  readonly target: string
  /** Whether the merge is there; undefined where GitHub does not show it. */
  readonly isThere: boolean | undefined
}

/**
 * Why a layer of a stack is not asked about at its merge: its branch comes to readers with a later push.
 * @param isInDoubt the agent may have its last changes
 */
export function mergedBelow(
  { branch, target, isThere }: MergedBelow,
  command: string,
  isInDoubt: boolean,
): string {
  const stack = `It is a layer of a stack for ${codeSpan(target, 100)}.`
  if (isThere === undefined)
    return joined(
      ' ',
      `${stack} GitHub does not show whether its merge is on that branch, and ${lacking(isInDoubt)}.`,
      `A re-run looks again; a comment \`${command} …\` sends them.`,
    )
  return joined(
    ' ',
    `${stack} Its merge into ${codeSpan(branch, 100)} has not come there yet, and ${lacking(isInDoubt)}.`,
    `The merge or the push that brings it there asks for them; a comment \`${command} …\` sends them now.`,
  )
}

const lacking = (isInDoubt: boolean): string =>
  `${isInDoubt ? 'it is not known whether the docs agent got' : 'the docs agent lacks'} its last changes`
