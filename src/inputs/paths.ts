import { BadInput } from '../errors.ts'
import { code } from '../text.ts'
import { compileGlob, faultOf, type Glob } from './glob.ts'
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
