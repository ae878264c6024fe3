import { pick } from '../random.ts'

/** Paths that break naive CSV, Markdown, HTML and spreadsheets; they stand among the most visited pages. */
export const HOSTILE_PATHS: readonly string[] = [
  '/guides/a|b',
  '=cmd()',
  '/search?q=x"y',
  '/api/`rm`',
  '/<img src=x onerror=alert(1)>',
  '/ja/はじめに',
  '/de/schlüssel-verwalten',
  '/fr/démarrage, rapide',
  '+SUM(1,2)',
  '/@octo/notes',
  '/two\nlines',
  '/[link](https://example.com)',
]

const AREAS = ['guides', 'api-reference', 'sdk', 'integrations', 'changelog', 'concepts'] as const
const TOPICS = [
  'quickstart',
  'authentication',
  'webhooks',
  'retries',
  'rate-limits',
  'errors',
  'pagination',
] as const
const FIRST = ['/', '/quickstart', '/guides/authentication', '/api-reference/introduction'] as const

/** Path of page number `page`; no two pages share one. */
export function pathOf(page: number, seed: number): string {
  if (page < FIRST.length) return FIRST[page] ?? '/'
  const hostile = (page - FIRST.length) % 2 === 0 ? HOSTILE_PATHS[(page - FIRST.length) / 2] : undefined
  if (hostile !== undefined) return hostile
  return `/${pick(AREAS, seed, 'area', page)}/${pick(TOPICS, seed, 'topic', page)}-${page}`
}
