import { withoutInvisible } from '../base/invisible.ts'
import { asString, isObject, type JsonObject, parseJson } from '../base/json.ts'
import { cut } from '../base/text.ts'
import { MAX_BODY_BYTES } from '../http/fetch.ts'
import type { Parsed } from '../http/service.ts'
import { DAY_MS, isoDate, type Period } from '../inputs/period.ts'
import { type AnalyticsClient, endlessPages } from './analytics.ts'
import type { Finding, Kind } from './finding.ts'

interface Source extends CursorList {
  /** Undefined for a row that is no finding. */
  entry(row: JsonObject): Finding | undefined
  /** Hits of the row, where the service sorts by them; undefined if the row does not say. */
  hits?(row: JsonObject): number | undefined
}

const OPEN = ['pending', 'in_progress']

export const SOURCES: Readonly<Record<Kind, Source>> = {
  feedback: {
    endpoint: 'feedback',
    field: 'feedback',
    plural: 'feedback entries',
    limit: 100,
    parameters: { status: OPEN.join(',') },
    // `contact` is never read.
    entry({ path, comment, helpful, status, createdAt }) {
      const text = readerText(asString(comment))
      const isOpen = status === undefined || OPEN.includes(asString(status))
      if (!isOpen || (helpful !== false && text === '')) return undefined
      const rating = helpful === false ? 'not-helpful' : helpful === true ? 'helpful' : 'unrated'
      const page = pageOf(asString(path))
      return { kind: 'feedback', page, text, rating, readers: 1, day: dayOf(createdAt) }
    },
  },
  questions: {
    endpoint: 'assistant',
    field: 'conversations',
    plural: 'conversations',
    limit: 1000,
    entry({ query, resolutionStatus, pageUrl, timestamp }) {
      const text = readerText(asString(query))
      if (resolutionStatus !== 'unanswered' || text === '') return undefined
      const page = pageOf(asString(pageUrl))
      return { kind: 'questions', page, text, rating: 'unrated', readers: 1, day: dayOf(timestamp) }
    },
  },
  searches: {
    endpoint: 'searches',
    field: 'searches',
    plural: 'searches',
    limit: 100,
    isRow: (row) => hitsOf(row) !== undefined,
    entry(row) {
      const { searchQuery, ctr, topClickedPage, lastSearchedAt } = row
      const text = readerText(asString(searchQuery))
      const clicked = ctr !== 0 && asString(topClickedPage) !== ''
      if (clicked || text === '') return undefined
      const [readers, day] = [hitsOf(row) ?? 0, dayOf(lastSearchedAt)]
      return { kind: 'searches', page: '', text, rating: 'unrated', readers, day }
    },
    hits: hitsOf,
  },
}

function hitsOf({ hits }: JsonObject): number | undefined {
  return typeof hits === 'number' ? Math.round(hits) : undefined
}

function dayOf(time: unknown): string {
  const ms = Date.parse(asString(time))
  const year = new Date(ms).getUTCFullYear()
  return year >= 2000 ? isoDate(ms - (ms % DAY_MS)) : ''
}

/** Never requested: only makes a URL of a path. */
const BASE = 'https://docs.invalid'

/**
 * The page that a path or a URL names, in the one form that all its spellings share: decoded, without host, query,
 * fragment and trailing slash. Safe to show in a code span; '' for none.
 */
export function pageOf(pathOrUrl: string): string {
  // The URL parser drops line breaks and invisible characters, so pages could get the name of another one.
  const text = pathOrUrl.trim().replace(UNSAFE, (char) => encodeURIComponent(char))
  if (text === '') return ''
  const isUrl = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(text)
  const url = URL.parse(isUrl ? text : `/${text.replace(/^[/\\]/, '')}`, BASE)
  if (url === null || !/^https?:$/.test(url.protocol)) return ''
  let { pathname } = url
  try {
    pathname = decodeURI(pathname)
  } catch {
    // What is not encoded as a URL is shows as it is.
  }
  const path = masked(pathname.replace(/(?<!^)\/+$/, ''))
  return cut(path, MAX_PATH).replace(UNSAFE, (char) => encodeURIComponent(char))
}

const MAX_PATH = 200

/** What ends a line or a code span, what is not seen, and what makes a path read as a sentence. */
const UNSAFE = /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800"<>`]/gu

/** A list of the analytics API that is read by cursor. */
interface CursorList {
  readonly endpoint: string
  readonly field: string
  readonly plural: string
  /** The most rows that the service sends at a time: this takes the fewest requests. */
  readonly limit: number
  readonly parameters?: Readonly<Record<string, string>>
  /** Whether a row can be used; any object by default. */
  isRow?(row: JsonObject): boolean
}

/** Pages shrink by this factor after one that was too large, and grow again after one that was small. */
const STEP = 10

interface CursorPage {
  readonly rows: readonly JsonObject[]
  readonly hasMore: boolean
  readonly nextCursor: string | undefined
}

/** @throws {ActionError} when the service claims more rows and does not lead to them */
export async function* cursorRows(
  client: AnalyticsClient,
  call: Kind,
  list: CursorList,
  period: Period,
): AsyncGenerator<readonly JsonObject[], void> {
  const { endpoint, plural, parameters } = list
  let cursor: string | undefined
  let before = ''
  const seen = new Set<string>()
  let { limit } = list
  for (let pages = 1; ; pages++) {
    const page = await client.page({
      call,
      endpoint,
      period,
      query: () => ({ ...parameters, limit, ...(cursor === undefined ? {} : { cursor }) }),
      parse(text) {
        if (text.length * STEP < MAX_BODY_BYTES) limit = Math.min(list.limit, limit * STEP)
        return parsePage(text, list)
      },
      // A reader can write a comment of a megabyte, and a page holds a hundred of them.
      onTooLarge() {
        limit = Math.max(1, Math.floor(limit / STEP))
      },
    })
    yield page.rows
    if (!page.hasMore) return
    const { nextCursor, rows } = page
    if (nextCursor === undefined) throw endlessPages(plural, pages, 'that page has no cursor for them')
    if (seen.has(nextCursor)) throw endlessPages(plural, pages, 'that cursor leads back to an earlier page')
    const content = JSON.stringify(rows)
    if (rows.length === 0 || content === before)
      throw endlessPages(plural, pages, 'that page brings nothing new')
    seen.add(nextCursor)
    before = content
    cursor = nextCursor
  }
}

function parsePage(text: string, { field, isRow = () => true }: CursorList): Parsed<CursorPage> {
  const raw = parseJson(text)
  if (!isObject(raw)) return { fault: 'an answer that is not a JSON object' }
  const { [field]: rows, hasMore, nextCursor } = raw
  if (!Array.isArray(rows)) return { fault: `an answer without a list of \`${field}\`` }
  const odd = rows.findIndex((row) => !isObject(row) || !isRow(row))
  if (odd >= 0) return { fault: `an answer whose row ${odd + 1} cannot be used` }
  const cursor = typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined
  // `searches` has no `hasMore`; its cursor is null at the end.
  if (hasMore === undefined && (cursor !== undefined || nextCursor === null)) {
    return { rows, hasMore: cursor !== undefined, nextCursor: cursor }
  }
  if (typeof hasMore !== 'boolean') return { fault: 'an answer without `hasMore`' }
  return { rows, hasMore, nextCursor: cursor }
}

/** UTF-16 units of a text that are kept. */
export const MAX_LENGTH = 500

/**
 * Visible, with addresses, long numbers and keys masked, at most 500 characters and one blank line in a row.
 */
export function readerText(text: string): string {
  const decoded = text.replace(REFERENCE, (reference, decimal?: string, hex?: string, name = '') => {
    const point = Number(decimal ?? `0x${hex ?? ''}`)
    if (Number.isNaN(point)) return NAMED[String(name).toLowerCase()] ?? reference
    return point <= 0x10ffff ? String.fromCodePoint(point).toWellFormed() : reference
  })
  const tidy = withoutInvisible(decoded.replace(LINE_BREAK, '\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const safe = masked(tidy)
  // V8 keeps the whole text in memory as long as a slice of it lives; a copy lets a comment of a megabyte go.
  return safe.length <= MAX_LENGTH ? safe : Buffer.from(cut(safe, MAX_LENGTH)).toString()
}

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** The references to characters that can hide an address or a number; others, such as `&lt;`, stay as readers wrote them. */
const REFERENCE = /&(?:amp;)*(?:#(\d{1,7})|#x([\da-f]{1,6})|(commat|period|quot|nbsp));?/gi
const NAMED: Readonly<Record<string, string>> = { commat: '@', period: '.', quot: '"', nbsp: ' ' }

/**
 * The look-behinds make a match start at the first character of a word, so that it takes linear time. The forms of keys
 * are those of Gitleaks, with lengths that leave room for new ones:
 * https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml
 */
const KEYS: readonly RegExp[] = [
  // A private key; where its end is missing, all that follows.
  /-----BEGIN [\w -]{0,60}?PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [\w -]{0,80}-----|$)/g,
  // GitHub, AWS, Slack, Stripe, Google, the documentation service, and JSON Web Tokens.
  /(?<![a-z\d])(?:gh[pousr]|github_pat)_\w{20,}/gi,
  /(?<![A-Z\d])(?:A3T[A-Z\d]|AKIA|ASIA|ABIA|ACCA)[A-Z\d]{16}(?![A-Z\d])/g,
  /(?<![a-z\d])(?:xox[a-z]|xapp)-[\w-]{10,}/gi,
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w+/-]{20,}/g,
  /(?<![a-z\d])(?:(?:[rsp]k_(?:test|live|prod)|whsec)_\w{10,})/gi,
  /(?<![a-z\d])(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/gi,
  /(?<![a-z\d])mint_\w{10,}/gi,
  // OpenAI and Anthropic, GitLab, PyPI, npm, Hugging Face: their prefixes also begin names, which have no digits.
  /(?<![\w-])(?:sk-|glpat-|pypi-|npm_|hf_)(?=[\w-]*\d)[\w-]{20,}/gi,
  /(?<![\w-])ey[\w-]{15,}\.ey[\w-]{10,}(?:\.[\w-]*)?/g,
]

const EMAIL =
  /(?:"[^"\n]{1,64}"|(?<![\p{L}\p{M}\p{N}._%+'!#$*^{|}~-])[\p{L}\p{M}\p{N}._%+'!#$*^{|}~-]+)(?:[@＠﹫]|%40)(?:\[[\da-f.:]{2,45}\]|[\p{L}\p{M}\p{N}-]+(?:[.。．｡][\p{L}\p{M}\p{N}-]+)+)/gu
/** At least twelve digits, as card and phone numbers write them: with spaces, punctuation or brackets between. */
const NUMBER = /\p{Nd}(?:[\p{Zs}\p{Pd}\u2212\t\n()._/,:*\u00b7\u2223]{0,4}\p{Nd}){11,}/gu

const masked = (text: string): string =>
  KEYS.reduce((rest, key) => rest.replace(key, '[key]'), text)
    .replace(EMAIL, '[email]')
    .replace(NUMBER, '[number]')
