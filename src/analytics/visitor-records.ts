import type { Navigation } from './navigation.ts'
import type { Export } from './visitor-export.ts'
import type { Cell, Records } from './visitor-files.ts'
import { kindOf, totalOf, type VisitedPages } from './visitor-pages.ts'

type Found = Pick<Export, 'pages' | 'complete' | 'comparison' | 'navigation'>

/** Cells of a path beside its name. */
interface Columns {
  readonly names: readonly string[]
  cells(path: string): readonly Cell[]
}

/**
 * The rows of the file: visited pages in the order of the service, then those that had visitors before, then those of the
 * navigation that had none.
 */
export function rowsOfFile(found: Found): Records {
  const { comparison, navigation } = found
  const groups = [
    figures(found),
    ...(comparison === undefined ? [] : [changes(found, comparison)]),
    ...(navigation === undefined ? [] : [places(navigation)]),
  ]
  const paths = pathsOf(found)
  return {
    columns: ['path', ...groups.flatMap(({ names }) => names)],
    size: paths.size,
    *rows() {
      for (const path of paths) {
        const row: Cell[] = [path]
        for (const { cells } of groups) row.push(...cells(path))
        yield row
      }
    },
  }
}

function pathsOf({ pages, complete, comparison, navigation }: Found): ReadonlySet<string> {
  const paths = new Set(pages.keys())
  // Where rows were cut, a page that is missing may have visitors.
  if (!complete) return paths
  if (comparison?.complete === true) for (const path of comparison.pages.keys()) paths.add(path)
  for (const path of navigation?.pages.keys() ?? []) paths.add(path)
  return paths
}

const figures = ({ pages }: Pick<VisitedPages, 'pages'>): Columns => ({
  names: ['human', 'ai', 'total'],
  cells(path) {
    const { human = 0, ai = 0, total = 0 } = pages.get(path) ?? {}
    return [human, ai, total]
  },
})

const changes = (found: Found, comparison: VisitedPages): Columns => ({
  names: ['before', 'change'],
  cells(path) {
    const before = totalOf(comparison, path)
    const now = totalOf(found, path)
    return [before ?? null, before === undefined || now === undefined ? null : now - before]
  },
})

const places = (navigation: Navigation): Columns => ({
  names: ['kind', 'tab', 'group', 'language', 'version'],
  cells(path) {
    const { tab = '', group = '', language = '', version = '' } = navigation.pages.get(path) ?? {}
    return [kindOf(path, navigation), tab, group, language, version]
  },
})
