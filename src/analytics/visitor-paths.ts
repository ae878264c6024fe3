import { LEAST_HUMANS } from './sections.ts'
import type { Export } from './visitor-export.ts'
import { mostVisited, type Page, totalOf } from './visitor-pages.ts'

/** Pages for a prompt, and how many more there are that it should not hold. */
interface PromptPaths {
  readonly paths: readonly string[]
  readonly omitted: number
}

/** Without a space, a quotation mark, a bracket of a link or an address, so that it reads like no sentence and acts nowhere. */
const SAFE = /^\/[\p{L}\p{M}\p{N}/._~%&:+!,;=*$[\]-]{0,99}$/u

/**
 * Visitors of the site are strangers, and they choose what they ask for: a navigation tells which paths are pages; without
 * one, a path needs a safe form, and people who visit it.
 */
function forPrompt({ navigation }: Export, pages: readonly Page[]): PromptPaths {
  const paths = pages
    .filter(({ path, human }) =>
      navigation === undefined ? SAFE.test(path) && human >= LEAST_HUMANS : navigation.pages.has(path),
    )
    .map(({ path }) => path)
  return { paths, omitted: pages.length - paths.length }
}

/** The most visited pages. */
export const topPaths = (found: Export): PromptPaths => forPrompt(found, mostVisited(found, found.size))

/** Pages that lost most visitors, with the visitors of the period before. */
export function lostPaths(found: Export): PromptPaths {
  const { comparison, size } = found
  if (comparison === undefined) return { paths: [], omitted: 0 }
  const lost = [...comparison.pages.values()]
    .map((page) => ({ page, loss: page.total - (totalOf(found, page.path) ?? page.total) }))
    .filter(({ loss }) => loss > 0)
    .toSorted((a, b) => b.loss - a.loss)
    .slice(0, size)
  return forPrompt(
    found,
    lost.map(({ page }) => page),
  )
}

/** Pages of the navigation that had no visitors in the period before, most visited first. */
export function newPaths({ comparison, navigation, pages, size }: Export): readonly string[] {
  if (comparison === undefined || navigation === undefined || comparison.pages.size === 0) return []
  return [...pages.values()]
    .filter(({ path, total }) => total > 0 && navigation.pages.has(path) && totalOf(comparison, path) === 0)
    .toSorted((a, b) => b.total - a.total)
    .slice(0, size)
    .map(({ path }) => path)
}
