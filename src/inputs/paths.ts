import { BadInput } from '../errors.ts'
import { code } from '../text.ts'
import { type GetInput, list } from './readers.ts'

/** The input `paths`: the files of a change that call for documentation. The last pattern that matches decides. */
export type PathFilter = readonly PathPattern[]

interface PathPattern {
  readonly line: string
  readonly isNegated: boolean
  readonly matches: Glob
}

const MOST_PATTERNS = 100

/** @returns undefined where it is not given: then every file counts */
export function readPaths(input: GetInput): PathFilter | undefined {
  const lines = list(input, 'paths', /\n/)
  if (lines.length === 0) return undefined
  if (lines.length > MOST_PATTERNS) {
    const remedy = `Write at most ${MOST_PATTERNS}, such as \`src/**\` for all files of a folder.`
    throw new BadInput('paths', `has ${lines.length} patterns`, remedy)
  }
  const patterns = lines.map(parsePattern)
  if (patterns.some(({ isNegated }) => !isNegated)) return patterns
  throw new BadInput(
    'paths',
    'has only patterns with `!`',
    'Write one without `!` above them, such as `**` for all files.',
  )
}

function parsePattern(line: string): PathPattern {
  const isNegated = line.startsWith('!')
  const pattern = line.slice(isNegated ? 1 : 0).trimStart()
  const found = faultOf(pattern)
  if (found === undefined) return { line, isNegated, matches: compileGlob(pattern) }
  throw new BadInput('paths', `contains ${code(line, 60)}, ${found.fault}`, found.remedy)
}

/** As a record keeps it, for a process that has no inputs; '' where every file counts. */
export const textOfPaths = (filter: PathFilter | undefined): string =>
  (filter ?? []).map(({ line }) => line).join('\n')

/** @param text what `textOfPaths` gives */
export const pathsOf = (text: string): PathFilter | undefined =>
  text === '' ? undefined : text.split('\n').map(parsePattern)

/** A file of a change; its earlier name is '' unless it was renamed. */
interface NamedFile {
  readonly path: string
  readonly earlierPath: string
}

/** Of a renamed file both names count: code that moves out of a folder changes what is documented there. */
export const isInPaths = (filter: PathFilter, { path, earlierPath }: NamedFile): boolean =>
  includes(filter, path) || (earlierPath !== '' && includes(filter, earlierPath))

/** Whether the change counts. @param most files that GitHub lists: what it cut may have one that counts */
export const touchesPaths = (
  filter: PathFilter | undefined,
  files: readonly NamedFile[] | undefined,
  most: number,
): boolean =>
  filter === undefined ||
  files === undefined ||
  files.length >= most ||
  files.some((file) => isInPaths(filter, file))

const includes = (filter: PathFilter, name: string): boolean =>
  filter.findLast(({ matches }) => matches(name))?.isNegated === false

/**
 * A pattern of GitHub's `paths` filter, as the cheat sheet documents it:
 * https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax#filter-pattern-cheat-sheet
 * No glob library has this grammar: `?` and `+` count what stands before them, and `**` takes any character.
 */
type Glob = (name: string) => boolean

type Takes = (character: string) => boolean

/** A place in a pattern, and the ways from it. */
interface Place {
  /** Characters that lead to the next place. */
  readonly leaves?: Takes
  /** Characters that lead back to this place. */
  readonly stays?: Takes
  /** The places that are reached without a character, counted from this one. */
  readonly skips?: readonly number[]
}

const ANY: Takes = () => true
const SLASH: Takes = (character) => character === '/'

/** Directories, stars, then one character, escaped or of a list, with what counts it. */
const PART = /(?<=^|\/)\*\*\/|\*+|(\\.|\[\w[\w-]*\]|.)([?+]?)/gsu

function placesOf([part, one = '', counts]: RegExpMatchArray): readonly Place[] {
  // No directory at all, or some: `**/README.md` takes `README.md`, and not `OLD-README.md`.
  if (part === '**/') return [{ skips: [1, 2] }, { stays: ANY, leaves: SLASH }]
  if (part === '*') return [{ stays: (character) => character !== '/', skips: [1] }]
  if (one === '') return [{ stays: ANY, skips: [1] }]
  const leaves = takes(one)
  if (counts === '+') return [{ leaves, stays: leaves }]
  return [counts === '?' ? { leaves, skips: [1] } : { leaves }]
}

function takes(one: string): Takes {
  if (one.length > 1 && one.startsWith('[')) {
    const list = new RegExp(`^${one}$`)
    return (character) => list.test(character)
  }
  const exact = one.length > 1 && one.startsWith('\\') ? one.slice(1) : one
  return (character) => character === exact
}

/**
 * Each character of a name is read once, with all the places that the name can have reached by then: the time grows with
 * the name and the pattern, and no name makes the matcher go back.
 * @param pattern one in which `faultOf` finds none
 */
export function compileGlob(pattern: string): Glob {
  const places = [...pattern.matchAll(PART)].flatMap(placesOf)
  const reach = (reached: Set<number>, at: number): void => {
    if (reached.has(at)) return
    reached.add(at)
    for (const skip of places[at]?.skips ?? []) reach(reached, at + skip)
  }
  return (name) => {
    let reached = new Set<number>()
    reach(reached, 0)
    for (const character of name) {
      const next = new Set<number>()
      for (const at of reached) {
        const { stays, leaves } = places[at] ?? {}
        if (stays?.(character)) reach(next, at)
        if (leaves?.(character)) reach(next, at + 1)
      }
      if (next.size === 0) return false
      reached = next
    }
    return reached.has(places.length)
  }
}

const LIST = /\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[a-zA-Z\d])+\]/g

const isBackward = (list: string): boolean =>
  [...list.matchAll(/(.)-(.)/g)].some(([, from = '', to = '']) => from > to)

interface Fault {
  /** Completes "contains `…`, ". */
  readonly fault: string
  readonly remedy: string
}

/** What cannot stand in a pattern, or makes one that no file of a repository can match. */
const FAULTS: readonly (Fault & { readonly found: RegExp })[] = [
  { found: /^$/, fault: 'which negates nothing', remedy: 'Write a pattern after `!`.' },
  {
    found: /^.{501}/su,
    fault: 'which has more than 500 characters',
    remedy: 'Write `*` or `**` for a part of it.',
  },
  {
    found: /^(?:- |['"])/,
    fault: 'which begins with a dash or a quote',
    remedy: 'Write one pattern a line, without dashes and quotes.',
  },
  {
    found: /^\.{0,2}\//,
    fault: 'which does not begin at the root of the repository',
    remedy: 'Write a pattern such as `docs/**`, without `/` or `./` before it.',
  },
  {
    found: /\/$/,
    fault: 'which names a folder, and only files are compared',
    remedy: 'End it with `/**` for all files of the folder.',
  },
  // GitHub escapes `*` this way, too. Here that is refused, because `docs\*.md` is more often a path of Windows.
  {
    found: /\\(?![[\]+?!])/,
    fault: 'which has a `\\`',
    remedy:
      'Write `/` between folders, and `\\` only before `[`, `]`, `+`, `?` or `!`, to match that character.',
  },
  {
    found: /\{[^}]*,[^}]*\}/,
    fault: 'which has a list in braces',
    remedy: "GitHub's filter has none: write a line for each.",
  },
  // A list on one line would match no file, and all would be green.
  {
    found: /,/,
    fault: 'which has a comma',
    remedy: 'Write one pattern a line, and `*` for a comma in a name.',
  },
]

/** The same once lists and escaped characters are out of the way. */
const FAULTS_OF_SIGNS: readonly (Fault & { readonly found: RegExp })[] = [
  {
    found: /[[\]]/,
    fault: 'which has a `[` or `]` that makes no list',
    remedy: 'Write letters, digits and ranges such as `[0-9a-z]`, or `\\[` for the character itself.',
  },
  {
    found: /(?:^|[*?+])[?+]|\/\+/,
    fault: 'in which `?` or `+` follows no character that it can count',
    remedy: 'Write `\\?` or `\\+` for the character itself.',
  },
]

/** @param pattern without the `!` that negates it */
export function faultOf(pattern: string): Fault | undefined {
  const signs = pattern.replace(/\\./gsu, 'x').replace(LIST, (list) => (isBackward(list) ? '[' : 'x'))
  return (
    FAULTS.find(({ found }) => found.test(pattern)) ?? FAULTS_OF_SIGNS.find(({ found }) => found.test(signs))
  )
}
