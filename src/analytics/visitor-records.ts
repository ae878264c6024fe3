import type { Place } from './navigation.ts'
import type { Export } from './visitor-export.ts'
import type { Cell, Records } from './visitor-files.ts'
import { kindOf, type Page, totalOf } from './visitor-pages.ts'

type Found = Pick<Export, 'pages' | 'complete' | 'comparison' | 'navigation'>

const FIGURES = ['path', 'human', 'ai', 'total'] as const
const COMPARED = ['before', 'change'] as const
const PLACED = ['kind', 'tab', 'group', 'language', 'version'] as const

/**
 * The rows of the file: visited pages in the order of the service, then those that had visitors before, then those of the
 * navigation that had none.
 */
export function recordsOf(found: Found): Records {
  const { pages, comparison, navigation } = found
  const columns = [
    ...FIGURES,
    ...(comparison === undefined ? [] : COMPARED),
    ...(navigation === undefined ? [] : PLACED),
  ]
  const paths = new Set(pages.keys())
  // Where rows were cut, a page that is missing may have visitors.
  if (found.complete) {
    if (comparison?.complete === true) for (const path of comparison.pages.keys()) paths.add(path)
    for (const path of navigation?.pages.keys() ?? []) paths.add(path)
  }
  return { columns, rows: [...paths].map((path) => recordOf(path, found)) }
}

const nobody = (path: string): Page => ({ path, human: 0, ai: 0, total: 0 })

const NOWHERE: Place = { tab: '', group: '', language: '', version: '' }

function recordOf(path: string, found: Found): Readonly<Record<string, Cell>> {
  const { pages, comparison, navigation } = found
  const page = pages.get(path) ?? nobody(path)
  if (comparison === undefined && navigation === undefined) return page
  const before = comparison === undefined ? undefined : totalOf(comparison, path)
  const compared = { before: before ?? null, change: before === undefined ? null : page.total - before }
  return {
    ...page,
    ...(comparison === undefined ? {} : compared),
    ...(navigation === undefined
      ? {}
      : { kind: kindOf(path, navigation), ...(navigation.pages.get(path) ?? NOWHERE) }),
  }
}
