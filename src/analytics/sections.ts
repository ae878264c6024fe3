import { joined } from '../base/text.ts'
import { JOINT, type Navigation, type Place } from './navigation.ts'
import { kindOf, type Page, type VisitedPages } from './visitor-pages.ts'

/** Pages of the navigation that stand together, and their visitors. A visitor of several pages counts in each. */
export interface SiteSection {
  readonly title: string
  readonly pages: number
  readonly unvisited: number
  readonly human: number
  readonly ai: number
}

/** The navigation beside the visitors. */
export interface Coverage {
  readonly sections: readonly SiteSection[]
  /** In the order of the navigation; undefined where not all visited paths are known. */
  readonly unvisited: readonly string[] | undefined
  /** Paths that the docs do not have, most human visitors first. */
  readonly strays: readonly Page[]
}

/** Scanners ask for everything; what fewer people visit says nothing. */
export const LEAST_HUMANS = 10

export function coverageOf({ pages, complete }: VisitedPages, navigation: Navigation): Coverage {
  const unvisited = [...navigation.pages.keys()].filter((page) => !pages.has(page))
  const strays = [...pages.values()]
    .filter(({ path, human }) => human >= LEAST_HUMANS && kindOf(path, navigation) === 'other')
    .toSorted((a, b) => b.human - a.human)
  // Where there are no visitors at all, each page would be one that nobody visited.
  const isKnown = complete && pages.size > 0
  return { sections: sectionsOf(pages, navigation), unvisited: isKnown ? unvisited : undefined, strays }
}

function sectionsOf(visited: ReadonlyMap<string, Page>, { pages }: Navigation): readonly SiteSection[] {
  const title = titles([...pages.values()])
  const byTitle = Map.groupBy(pages, ([, place]) => title(place))
  const sections = [...byTitle].map(([name, group]): SiteSection => {
    const rows = group.map(([page]) => visited.get(page))
    return {
      title: name,
      pages: group.length,
      unvisited: rows.filter((row) => row === undefined).length,
      human: rows.reduce((sum, row) => sum + (row?.human ?? 0), 0),
      ai: rows.reduce((sum, row) => sum + (row?.ai ?? 0), 0),
    }
  })
  return sections.toSorted((a, b) => b.human - a.human || b.ai - a.ai)
}

/** Names the version and the language where there is more than one, the tab, and the outermost group. */
function titles(places: readonly Place[]): (place: Place) => string {
  const [versions, languages] = [
    new Set(places.map(({ version }) => version)),
    new Set(places.map(({ language }) => language)),
  ]
  return ({ version, language, tab, group }) =>
    joined(
      JOINT,
      versions.size > 1 ? version : '',
      languages.size > 1 ? language : '',
      tab,
      group.split(JOINT, 1)[0] ?? '',
    ) || 'No group'
}
