import { withoutInvisible } from '../base/invisible.ts'
import { count, cut, oneLine } from '../base/text.ts'
import type { ChangedFile } from '../github/answers.ts'
import { isGenerated, isTest } from './file-kinds.ts'

type PatchedFile = Pick<ChangedFile, 'path' | 'patch'>

/** What of the patches goes to the agent. */
export interface FittedPatches {
  /** Never longer than its budget. */
  readonly text: string
  /** Says in words of our own what the text is; '' for patches as they are. */
  readonly legend: string
  /** Files that go by name alone, because a program writes them. */
  readonly generated: number
  /** Changed lines of the other files that do not go, or not to their end. */
  readonly lines: number
}

/**
 * Patches as they are where they fit; else without files that a program writes; else of the others the lines that say most.
 * @param files in GitHub's order @param budget in UTF-16 units
 */
export function fitPatches(files: readonly PatchedFile[], budget: number): FittedPatches {
  const patched = readable(files)
  const whole = wholePatches(patched, budget)
  if (whole !== undefined) return { text: whole, legend: '', generated: 0, lines: 0 }
  const written = patched.filter(({ path }) => !isGenerated(path))
  const generated = patched.length - written.length
  const rest = wholePatches(written, budget)
  if (rest !== undefined) return { text: rest, legend: '', generated, lines: 0 }
  return { ...chosenLines(written, budget), generated }
}

const readable = (files: readonly PatchedFile[]): readonly PatchedFile[] =>
  files
    .map(({ path, patch }) => ({ path: oneLine(path), patch: withoutInvisible(patch) }))
    .filter(({ patch }) => patch !== '')

/** Of patches as they are, in UTF-16 units. */
export const lengthOfPatches = (files: readonly PatchedFile[]): number =>
  files.reduce(
    (sum, { path, patch }) => (patch === '' ? sum : sum + headingOf(path).length + patch.length + 2),
    0,
  )

/** Undefined where they do not fit. */
function wholePatches(files: readonly PatchedFile[], budget: number): string | undefined {
  if (lengthOfPatches(files) > budget + 2) return undefined
  return files.map(({ path, patch }) => headingOf(path) + patch).join('\n\n')
}

const headingOf = (path: string): string => `--- ${path}\n`

const LEGENDS = {
  all: 'All changed lines are there, with some of the lines around them; `…` stands for unchanged lines that are left out.',
  some: 'Not all fit: changed lines that bring a new name go first, then others as far as there is room; `…` and `[2 more lines]` stand for lines that are left out.',
} as const

function chosenLines(
  files: readonly PatchedFile[],
  budget: number,
): Pick<FittedPatches, 'text' | 'legend' | 'lines'> {
  const { ordered, lines } = parseFiles(files)
  choose(lines, budget)
  const text = shownFiles(ordered)
  const missing = lines.filter(isMissing).length
  if (text === '') return { text, legend: '', lines: missing }
  return { text, legend: missing === 0 ? LEGENDS.all : LEGENDS.some, lines: missing }
}

/**
 * Of the lines that `fitPatches` leaves out, again those that say most.
 * @param before the budget of that, for the same files
 */
export function fitRest(
  files: readonly PatchedFile[],
  before: number,
  budget: number,
): Pick<FittedPatches, 'text' | 'lines'> {
  const written = readable(files).filter(({ path }) => !isGenerated(path))
  if (wholePatches(written, before) !== undefined) return { text: '', lines: 0 }
  const { ordered, lines } = parseFiles(written)
  choose(lines, before)
  // Their ends go with neither.
  const cut = lines.filter((line) => line.isShown && isMissing(line)).length
  for (const line of lines) {
    if (line.isShown) line.rank = 'shown before'
    line.isShown = false
    line.hunk.isShown = false
    Object.assign(line.hunk.file, { taken: 0, most: 0 })
  }
  CHANGED.reduce((left, pass) => show(lines, pass, left), budget)
  return { text: shownFiles(ordered), lines: cut + lines.filter(isMissing).length }
}

/** Those of tests come last. */
function parseFiles(files: readonly PatchedFile[]) {
  const rankOf = ranking()
  const ordered = [
    ...files.filter(({ path }) => !isTest(path)),
    ...files.filter(({ path }) => isTest(path)),
  ].map((file) => parsePatch(file, rankOf))
  return { ordered, lines: ordered.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines)) }
}

const shownFiles = (files: readonly File[]): string =>
  files
    .filter(({ taken }) => taken > 0)
    .map(shownFile)
    .join('\n')
    .trimEnd()

interface File {
  readonly heading: string
  readonly hunks: Hunk[]
  /** Characters that its lines take. */
  taken: number
  /** Characters that new names and words may take. */
  most: number
}

interface Hunk {
  readonly heading: string
  readonly file: File
  readonly lines: Line[]
  isShown: boolean
}

/** Of a changed line, whether it brings a name that no line before it has, or another such word, or neither. */
type Rank = 'name' | 'word' | 'changed' | 'unchanged' | 'between hunks' | 'shown before'

interface Line {
  readonly text: string
  readonly isCut: boolean
  rank: Rank
  readonly hunk: Hunk
  /** In the lines of its hunk. */
  readonly at: number
  isShown: boolean
}

function isChanged({ rank }: Line): boolean {
  return rank === 'name' || rank === 'word' || rank === 'changed'
}
const isMissing = (line: Line): boolean => isChanged(line) && (!line.isShown || line.isCut)

/** Of a longer line, such as data or a bundle, the start goes: prose in a schema is shorter. */
const LONGEST_LINE = 2000
const LONGEST_HEADING = 100

function parsePatch({ path, patch }: PatchedFile, rankOf: (line: string) => Rank): File {
  const file: File = { heading: headingOf(path), hunks: [], taken: 0, most: 0 }
  const hunkBelow = (heading: string): Hunk => {
    const last = file.hunks.at(-1)
    if (last?.heading === heading) return last
    const hunk = { heading, file, lines: [], isShown: false }
    file.hunks.push(hunk)
    return hunk
  }
  let hunk: Hunk | undefined
  const add = (line: string, rank: Rank, to: Hunk) => {
    const text = cut(line, LONGEST_LINE)
    to.lines.push({ text, isCut: text !== line, rank, hunk: to, at: to.lines.length, isShown: false })
  }
  for (const line of patch.split('\n')) {
    if (line.startsWith('@@')) {
      hunk = hunkBelow(`@@ ${cut(line.replace(/^@@[^@]*@@ ?/, ''), LONGEST_HEADING)}\n`)
      add('', 'between hunks', hunk)
    } else if (line !== '' && !line.startsWith('\\')) {
      hunk ??= hunkBelow('')
      add(line, line.startsWith(' ') ? 'unchanged' : rankOf(line.slice(0, LONGEST_LINE)), hunk)
    }
  }
  return file
}

const WORD = /(?:--)?[a-z_\u0080-\uffff][\w\u0080-\uffff]*(?:-[a-z\u0080-\uffff][\w\u0080-\uffff]*)*/gi
/** A word of several parts, or a flag. */
const NAME = /[^_-][_-]+[^_-]|[a-z\d][A-Z]|[A-Z]{2}[a-z]|^--/

/** Ranks one changed line after the other. */
function ranking(): (line: string) => Rank {
  const spellings = new Set<string>()
  const words = new Set<string>()
  return (line) => {
    let rank: Rank = 'changed'
    for (const spelling of line.match(WORD) ?? []) {
      if (spellings.has(spelling)) continue
      spellings.add(spelling)
      // `maxAge`, `max_age` and `--max-age` are one.
      const word = spelling.replace(/[_-]/g, '').toLowerCase()
      if (word.length < 3 || words.has(word)) continue
      words.add(word)
      if (NAME.test(spelling)) rank = 'name'
      else if (rank === 'changed') rank = 'word'
    }
    return rank
  }
}

const GAP = '…\n'
/** For the note at the end of a file. */
const NOTE_LENGTH = '[1,000,000 more lines]\n\n'.length
/** What a long file may take, however little is left. */
const LEAST_SHARE = 1000

interface Pass {
  readonly isWanted: (line: Line) => boolean
  /** A long file leaves half of the budget to others. */
  readonly isShared: boolean
}

/** One after the other, until the budget is used. */
const CHANGED: readonly Pass[] = [
  { isWanted: ({ rank }) => rank === 'name', isShared: true },
  { isWanted: isInShortGap, isShared: true },
  { isWanted: ({ rank }) => rank === 'word', isShared: true },
  { isWanted: isInShortGap, isShared: true },
  // What fits into the last characters is as a rule a line without a word, which says nothing by itself.
  { isWanted: (line) => isChanged(line) && /\p{L}/u.test(line.text), isShared: false },
  { isWanted: isInShortGap, isShared: false },
  { isWanted: isChanged, isShared: false },
]
const UNCHANGED: readonly Pass[] = [
  { isWanted: (line) => line.rank === 'unchanged' && isBesideChange(line), isShared: false },
  { isWanted: ({ rank }) => rank === 'unchanged', isShared: false },
]

function choose(lines: readonly Line[], budget: number): void {
  const left = CHANGED.reduce((left, pass) => show(lines, pass, left), budget)
  if (lines.some((line) => isChanged(line) && !line.isShown)) return
  UNCHANGED.reduce((left, pass) => show(lines, pass, left), left)
}

/** @returns what is left of the budget */
function show(lines: readonly Line[], { isWanted, isShared }: Pass, budget: number): number {
  let left = budget
  for (const line of lines) {
    if (line.isShown || line.text.length > left || !isWanted(line)) continue
    const { hunk } = line
    const { file } = hunk
    const cost = costOf(line)
    if (file.taken === 0) file.most = Math.max(left / 2, LEAST_SHARE)
    if (cost > left || (isShared && file.taken + cost > file.most)) continue
    file.taken += cost
    left -= cost
    hunk.isShown = true
    line.isShown = true
  }
  return left
}

/** One or two changed lines between two that are shown: it costs little to read on. */
function isInShortGap(line: Line): boolean {
  const { at, hunk } = line
  const shown = (distance: number) => hunk.lines[at + distance]?.isShown === true
  return isChanged(line) && ((shown(-1) && (shown(1) || shown(2))) || (shown(-2) && shown(1)))
}

const isBesideChange = ({ at, hunk }: Line): boolean =>
  [hunk.lines[at - 1], hunk.lines[at + 1]].some((line) => line !== undefined && isChanged(line))

/** Characters that a line takes, with the headings, or the sign for a gap, that come with it. */
function costOf({ text, hunk, at }: Line): number {
  const { heading, file, lines, isShown } = hunk
  const beside = [lines[at - 1], lines[at + 1]].filter((line) => line?.isShown).length
  const before = isShown ? GAP.length * (1 - beside) : heading.length
  const first = file.taken === 0 ? file.heading.length + NOTE_LENGTH : 0
  return text.length + '\n'.length + before + first
}

/** What is shown of a file, in its order, with a sign for each gap. */
function shownFile({ heading, hunks }: File): string {
  const missing = hunks
    .flatMap(({ lines }) => lines)
    .filter((line) => isChanged(line) && !line.isShown).length
  const shown = hunks.filter(({ isShown }) => isShown).map((hunk) => hunk.heading + shownLines(hunk))
  const note = missing === 0 ? '' : `[${count(missing, 'more line')}]\n`
  return heading + shown.join('') + note
}

function shownLines({ lines }: Hunk): string {
  let last = -1
  return lines
    .filter(({ isShown }) => isShown)
    .map(({ text, at }) => {
      const gap = last >= 0 && at > last + 1 ? GAP : ''
      last = at
      return `${gap}${text}\n`
    })
    .join('')
}
