import { codeSpan, count, listed } from '../base/text.ts'
import { pageCode } from './analytics.ts'
import type { Export } from './visitor-export.ts'
import { lostPaths, topPaths } from './visitor-paths.ts'

/** What a reader of the figures needs to know of them: one sentence of inline Markdown each. */
export function notesOf(found: Export): readonly string[] {
  const { spellings, comparison, navigation } = found
  const outputs = [
    { name: 'top-paths', ...topPaths(found) },
    { name: 'lost-paths', ...lostPaths(found) },
  ]
  return [
    spellings.count === 0
      ? ''
      : `${count(spellings.count, 'row')} with another spelling of a page, such as ${pageCode(spellings.example)}, ${spellings.count === 1 ? 'is' : 'are'} added to it: a visitor of both counts twice.`,
    ...outputs.map(({ name, omitted }) => leftOutSentence(name, omitted, navigation !== undefined)),
    comparison !== undefined && navigation === undefined
      ? '`new-paths` is empty: only a `navigation-file` tells new pages from what strangers ask for.'
      : '',
    comparison !== undefined && comparison.pages.size === 0
      ? 'The service knows no visitors of the period before, so no page counts as new.'
      : '',
    unknownSentence(navigation?.unknown ?? []),
  ].filter(Boolean)
}

function leftOutSentence(name: string, omitted: number, hasNavigation: boolean): string {
  if (omitted === 0) return ''
  const why = hasNavigation
    ? 'not in the navigation'
    : 'visited by fewer than ten people, or of a form that a prompt should not hold'
  return `${count(omitted, 'path')} of the summary ${omitted === 1 ? 'is' : 'are'} not in \`${name}\`: ${why}.`
}

/** More would hide the sentence. */
const MOST_NAMED = 5

function unknownSentence(unknown: readonly string[]): string {
  if (unknown.length === 0) return ''
  const more = unknown.length > MOST_NAMED ? [`${unknown.length - MOST_NAMED} more`] : []
  const names = unknown.slice(0, MOST_NAMED).map((name) => codeSpan(name, 60))
  return `Pages made from ${listed([...names, ...more])} are not known by name, so they count as not in the navigation: only an OpenAPI description that is a file of the docs gives names.`
}
