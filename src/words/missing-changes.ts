import { count, grouped, joined, listed } from '../base/text.ts'

/** What of changes does not go to the agent, or by name alone. */
export interface MissingChanges {
  /** Descriptions that do not go to their end. */
  readonly descriptions: number
  /** Names of files. */
  readonly names: number
  /** Files that a program writes. */
  readonly generated: number
  /** Files that `paths` does not name. */
  readonly outside: number
  /** Files whose patch GitHub does not show. */
  readonly unpatched: number
  /** Changed lines of the other files that are listed. */
  readonly lines: number
  /** Files with all of their lines, beyond those that are listed. */
  readonly unlisted: number
}

export const isAllThere = (missing: MissingChanges): boolean =>
  Object.values(missing).every((count: number) => count === 0)

/** Of several pull requests. */
export const missingOfAll = (all: readonly MissingChanges[]): MissingChanges => {
  const sum = (kind: keyof MissingChanges) => all.reduce((total, one) => total + one[kind], 0)
  return {
    ...{ descriptions: sum('descriptions'), names: sum('names'), lines: sum('lines') },
    ...{ generated: sum('generated'), outside: sum('outside'), unpatched: sum('unpatched') },
    unlisted: sum('unlisted'),
  }
}

/** The files that go by name alone, by their kinds. */
export const filesByName = ({ generated, outside, unpatched }: MissingChanges): readonly string[] => [
  ...counted(generated, 'file that a program writes', 'files that a program writes'),
  ...counted(outside, 'file outside `paths`', 'files outside `paths`'),
  ...counted(unpatched, 'file whose patch GitHub leaves out', 'files whose patches GitHub leaves out'),
]

/**
 * For people: inline Markdown, '' for nothing.
 * @param most characters that there is room for @param goesOn the next command of the thread may send more lines
 */
export function describeMissingChanges(missing: MissingChanges, most: number, goesOn = false): string {
  const byName = filesByName(missing)
  const rest = [
    ...counted(missing.lines, 'changed line'),
    ...counted(missing.unlisted, 'more file'),
    ...counted(missing.names, 'name of a changed file', 'names of changed files'),
    ...counted(missing.descriptions, 'end of a description', 'ends of descriptions'),
  ]
  const next =
    goesOn && missing.lines > 0
      ? 'The next command in the thread can send more of these lines, if the pull request is unchanged by then.'
      : 'Write what matters of the rest in a new request.'
  const why = `changes have room for ${grouped(most)} characters. ${next}`
  return joined(
    ' ',
    byName.length === 0 ? '' : `The docs agent got ${listed(byName)} by name alone.`,
    rest.length === 0 ? '' : `The docs agent did not get ${listed(rest)}: ${why}`,
  )
}

const counted = (n: number, one: string, many?: string): readonly string[] =>
  n === 0 ? [] : [count(n, one, many)]
