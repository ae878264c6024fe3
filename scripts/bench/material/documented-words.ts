import { isTest } from '../../../src/prompt/file-kinds.ts'
import type { Commit } from './snapshots.ts'

/** The measure of the benchmark. It shares no code with the rule that it measures. */

/** Keywords of common languages say nothing about a change. */
const KEYWORDS = new Set(
  `abstract and any array async await bool boolean break byte case catch char class const constructor continue
  def default defer del delete double elif else end enum except export extends extern false final finally
  float fn for foreach from func function goto if impl implements import in include init inline instanceof int
  integer interface is lambda let long loop map match mod module mut namespace new nil none not null number object of
  operator or override package pass private protected pub public raise readonly ref require return self set short
  signed sizeof static str string struct super switch template this throw throws trait true try type typeof
  undefined union unless unsafe unsigned use using val value var virtual void volatile when where while with yield
  args data file get key list name test text todo you your the are can has will`.split(/\s+/),
)

/** Spellings of one name are one. */
const normal = (word: string): string => word.replace(/[_-]/g, '').toLowerCase()

const CHUNK = /[\p{L}_][\p{L}\p{N}_]*(?:-[\p{L}_][\p{L}\p{N}_]*)*/gu

/** Words of a text: those with hyphens whole and in their parts. */
export function wordsIn(text: string): Set<string> {
  const words = new Set<string>()
  for (const chunk of text.match(CHUNK) ?? []) {
    words.add(normal(chunk))
    if (chunk.includes('-')) for (const part of chunk.split('-')) words.add(normal(part))
  }
  return words
}

const isWord = (word: string): boolean => word.replace(/\P{L}/gu, '').length > 2 && !KEYWORDS.has(word)

const IN_BACKQUOTES = /`{1,2}([^`]+)`{1,2}/g
const FLAG = /(?<![\w-])--?[a-z][\w-]+/gi
const SEVERAL_PARTS = /\b[A-Za-z][\w]*(?:_[A-Za-z\d]\w*|[a-z\d][A-Z]\w*)\b/g
const IN_CODE = [
  FLAG,
  SEVERAL_PARTS,
  // Keys, members, calls, quoted words
  /[\w-]+(?=["']?\s*[:=](?!=))/g,
  /(?<=\.)[A-Za-z_]\w+/g,
  /[A-Za-z_]\w+(?=\()/g,
  /(?<=["'])[A-Za-z][\w-]+(?=["'])/g,
]

/** What the added lines of pages name. */
function named({ pages }: Commit): Set<string> {
  const found = new Set<string>()
  const add = (chunks: Iterable<string>) => {
    for (const chunk of chunks) for (const word of wordsIn(chunk)) if (isWord(word)) found.add(word)
  }
  for (const { text, isCode } of pages.flatMap(({ lines }) => lines)) {
    const prose = text.replace(IN_BACKQUOTES, ' ')
    if (isCode) for (const pattern of IN_CODE) addWhole(found, text.match(pattern) ?? [])
    else {
      add([...text.matchAll(IN_BACKQUOTES)].map(([, code = '']) => code))
      addWhole(found, prose.match(FLAG)?.filter((flag) => flag.startsWith('--')) ?? [])
      addWhole(found, prose.match(SEVERAL_PARTS) ?? [])
    }
  }
  return found
}

function addWhole(found: Set<string>, chunks: readonly string[]): void {
  for (const chunk of chunks) {
    const word = normal(chunk)
    if (isWord(word)) found.add(word)
  }
}

/** Lines that a commit adds or removes, with the words in them. */
export interface ChangedLine {
  readonly text: string
  readonly words: ReadonlySet<string>
  readonly isTest: boolean
}

/** A commit with the words of its code that its pages then name. */
export interface Documented extends Commit {
  readonly words: ReadonlySet<string>
  readonly changed: readonly ChangedLine[]
}

/** Fewer words say little about a text. */
const LEAST_WORDS = 3
/** Words in the lines of more of a repository's commits are its vocabulary. */
const MOST_COMMITS = 1 / 5

export function documented(commits: readonly Commit[]): readonly Documented[] {
  const changes = commits.map((commit) => ({ commit, changed: changedLines(commit) }))
  const frequency = new Map<string, number>()
  const ofAll = changes.map(({ changed }) => new Set(changed.flatMap(({ words }) => [...words])))
  for (const words of ofAll) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const most = commits.length * MOST_COMMITS
  return changes
    .map(({ commit, changed }, at) => {
      const isOfCode = (word: string) => ofAll[at]?.has(word) === true && (frequency.get(word) ?? 0) <= most
      return { ...commit, changed, words: new Set([...named(commit)].filter(isOfCode)) }
    })
    .filter(({ words }) => words.size >= LEAST_WORDS)
}

const changedLines = ({ code }: Commit): readonly ChangedLine[] =>
  code.flatMap(({ path, patch }) =>
    patch
      .split('\n')
      .filter((line) => /^[+-]/.test(line))
      .map((text) => ({ text, words: wordsIn(text), isTest: isTest(path) })),
  )

/** The share of the words that stand in a text. */
export function recall(words: ReadonlySet<string>, text: string): number {
  const there = wordsIn(text)
  return [...words].filter((word) => there.has(word)).length / words.size
}

/**
 * Of the changed lines with a documented word the share that stands in a text: by word, then the mean.
 * @param withTests whether lines of tests count @returns NaN where there are no such lines
 */
export function depth({ words, changed }: Documented, text: string, withTests: boolean): number {
  const there = new Map<string, number>()
  for (const line of text.split('\n')) there.set(line, (there.get(line) ?? 0) + 1)
  const lines = new Map<string, { all: number; shown: number }>()
  for (const line of changed) {
    const left = there.get(line.text) ?? 0
    if (left > 0) there.set(line.text, left - 1)
    if (line.isTest && !withTests) continue
    for (const word of line.words) {
      if (!words.has(word)) continue
      const of = lines.get(word) ?? { all: 0, shown: 0 }
      lines.set(word, { all: of.all + 1, shown: of.shown + Number(left > 0) })
    }
  }
  return mean([...lines.values()].map(({ all, shown }) => shown / all))
}

export const mean = (all: readonly number[]): number =>
  all.length === 0 ? Number.NaN : all.reduce((sum, one) => sum + one, 0) / all.length
