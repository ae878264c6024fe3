import { BadInput } from '../base/errors.ts'
import { codeSpan, grouped } from '../base/text.ts'
import { LONGEST_PATHS } from '../record/record.ts'
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
  // As the record counts them.
  const bytes = Buffer.byteLength(JSON.stringify(textOfPaths(patterns))) - 2
  if (bytes > LONGEST_PATHS) {
    const remedy = `There is room for ${grouped(LONGEST_PATHS)}: name a folder in place of its files.`
    throw new BadInput('paths', `has ${grouped(bytes)} bytes`, remedy)
  }
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
  const found = FAULTS.find((fault) => fault.found.test(pattern))
  if (found === undefined) return { line, isNegated, matches: compile(pattern) }
  throw new BadInput('paths', `contains ${codeSpan(line, 60)}, ${found.fault}`, found.remedy)
}

/** Without a wildcard, a pattern is a file, or a folder with everything below it. */
function compile(pattern: string): Glob {
  if (pattern.includes('*')) return compileGlob(pattern)
  const folder = pattern.replace(/\/?$/, '/')
  return (name) => name === pattern || name.startsWith(folder)
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

type Glob = (name: string) => boolean

/** Folders of any number, stars, or text. */
const PARTS = /(?<=^|\/)\*\*\/|\*+|[^*]+/g

/**
 * `*` takes any characters but `/`, `**` any, and `**` before `/` whole folders, or none, as in GitHub's own filter. Each part
 * goes over the name once, so that no name makes the matcher go back.
 */
export function compileGlob(pattern: string): Glob {
  const parts = pattern.match(PARTS) ?? []
  return (name) => {
    /** Whether the parts so far take this many characters. */
    let taken: readonly boolean[] = [true]
    for (const part of parts) {
      const next: boolean[] = []
      let goesOn = false
      for (let at = 0; at <= name.length; at++) {
        const begins = taken[at] === true
        const before = name[at - 1]
        if (part === '*') next[at] = goesOn = begins || (goesOn && before !== '/')
        else if (part === '**/') {
          next[at] = begins || (goesOn && before === '/')
          goesOn ||= begins
        } else if (part.startsWith('**')) next[at] = goesOn ||= begins
        else if (begins && name.startsWith(part, at)) next[at + part.length] = true
      }
      taken = next
    }
    return taken[name.length] === true
  }
}

interface Fault {
  /** Completes "contains `…`, ". */
  readonly fault: string
  readonly remedy: string
}

/** What cannot stand in a pattern, or makes one that no file of a repository can match. */
const FAULTS: readonly (Fault & { readonly found: RegExp })[] = [
  { found: /^$/, fault: 'which negates nothing', remedy: 'Write a pattern after `!`.' },
  { found: /^!/, fault: 'which negates twice', remedy: 'Write one `!`, and `*` for a `!` in a name.' },
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
    found: /\*.*\/$/,
    fault: 'which ends with `/`, and only files are compared',
    remedy: 'End it with `/**` for all files of such a folder.',
  },
  {
    found: /^#|\s#/,
    fault: 'which has a comment',
    remedy: 'Write comments above `paths`, and `*` for a `#` in a name.',
  },
  {
    found: /^\^|\$$/,
    fault: 'which is a regular expression',
    remedy: 'Write a pattern such as `src/**`, and `*` for a `^` or `$` in a name.',
  },
  {
    found: /\\/,
    fault: 'which has a `\\`',
    remedy: 'Write `/` between folders, and `*` for any other sign in a name.',
  },
  {
    found: /\{[^}]*,[^}]*\}/,
    fault: 'which has a list in braces',
    remedy: 'Write a line for each.',
  },
  {
    found: /[?+[\]{}]/,
    fault: 'which has another sign than `*`, `**` and a leading `!`',
    remedy: 'Write `*` in its place, such as `app/*/page.ts` for `app/[slug]/page.ts`.',
  },
  // A list on one line would match no file, and all would be green.
  {
    found: /,/,
    fault: 'which has a comma',
    remedy: 'Write one pattern a line, and `*` for a comma in a name.',
  },
]
