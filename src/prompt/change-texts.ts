import { withoutInvisible } from '../base/invisible.ts'
import { count, joined, listed, oneLine } from '../base/text.ts'
import type { ChangedFile } from '../github/answers.ts'
import { isInPaths, type PathFilter } from '../inputs/paths.ts'
import { filesByName, type MissingChanges } from '../words/missing-changes.ts'
import { type FittedPatches, fitPatches, fitRest, lengthOfPatches } from './fit-patches.ts'
import { cutToBudget } from './parts.ts'

/** What there is of a change. */
export interface Change {
  /** As its readers see it; '' for none. */
  readonly description: string
  /** As far as GitHub lists them, in its order. */
  readonly files: readonly ChangedFile[]
  /** How many files there are, where that is known. */
  readonly total?: number | undefined
  /** Files outside of it go by name alone. */
  readonly paths?: PathFilter | undefined
}

/** Texts for parts of their own, together within a budget. */
export interface ChangeTexts {
  readonly description: string
  /** The changed files; of one of several pull requests their number alone. */
  readonly list: string
  readonly patches: string
  /** Says in words of our own what the patches are; '' for patches as they are. */
  readonly legend: string
  /** What they lack, in words for the agent; '' for nothing. */
  readonly note: string
  readonly missing: MissingChanges
}

/** What the description, and the list, may take where not all fits. */
const SHARE = 1 / 4

/** @param budget of all three texts, in UTF-16 units, without the title */
export function textsOfChange(change: Change, budget: number): ChangeTexts {
  return fitTexts(change, { names: namesOf(change.files), more: unlistedOf(change) }, budget)
}

/**
 * Changed lines that the texts of a change have no budget for.
 * @param before the budget of the texts @param budget of the lines
 */
export function restOfChange(
  change: Change,
  { description, list }: ChangeTexts,
  before: number,
  budget: number,
): Pick<FittedPatches, 'text' | 'lines'> {
  return fitRest(insideOf(change), before - description.length - list.length, budget)
}

interface FileList {
  /** Of the files, or what stands for them. */
  readonly names: readonly string[]
  /** Files beside those. */
  readonly more: number
}

function fitTexts(change: Change, { names, more }: FileList, budget: number): ChangeTexts {
  const inside = insideOf(change)
  const patched = lengthOfPatches(inside)
  const all = withoutInvisible(change.description)
  const share = (others: number) => Math.floor(Math.max(budget * SHARE, budget - others))
  const list = cutList(names, more, share(Math.min(all.length, budget * SHARE) + patched))
  const description = cutText(all, share(list.text.length + patched))
  const fitted = fitPatches(inside, budget - description.length - list.text.length)
  const missing: MissingChanges = {
    descriptions: Number(description !== all),
    names: list.missing - more,
    generated: fitted.generated,
    outside: change.files.filter(isPatched).length - inside.filter(isPatched).length,
    unpatched: inside.filter((file) => !isPatched(file) && file.additions + file.deletions > 0).length,
    lines: fitted.lines,
    unlisted: unlistedOf(change),
  }
  const note = describeMissing(missing)
  return { description, list: list.text, patches: fitted.text, legend: fitted.legend, note, missing }
}

const insideOf = ({ files, paths }: Change): readonly ChangedFile[] =>
  paths === undefined ? files : files.filter((file) => isInPaths(paths, file))

const isPatched = ({ patch }: ChangedFile): boolean => patch !== ''

/** Less would hold little more than the note about what is missing. */
const LEAST_TEXT = 100

function cutText(text: string, budget: number): string {
  return text.length > budget && budget < LEAST_TEXT ? '' : cutToBudget(text, budget)
}

const namesOf = (files: readonly ChangedFile[]): readonly string[] =>
  files.map(({ status, earlierPath, path, additions, deletions }) => {
    const from = earlierPath === '' ? '' : `${oneLine(earlierPath)} → `
    return `${status} ${from}${oneLine(path)} (+${additions} -${deletions})`
  })

/** Files that were not read; 0 where none could be. */
const unlistedOf = ({ files, total = 0 }: Change): number =>
  files.length === 0 ? 0 : Math.max(0, total - files.length)

/** As many as fit, with the number of the others. @param more that are in no list */
function cutList(names: readonly string[], more: number, budget: number) {
  const whole = names.join('\n')
  if (whole.length <= budget && more === 0) return { text: whole, missing: 0 }
  if (budget < MORE_LENGTH) return { text: '', missing: names.length + more }
  let left = budget - MORE_LENGTH
  const shown = names.filter(({ length }) => {
    left -= length + 1
    return left >= 0
  })
  const missing = names.length - shown.length + more
  return { text: joined('\n', ...shown, `[${count(missing, 'more file')}]`), missing }
}

const MORE_LENGTH = '[1,000,000 more files]'.length

function describeMissing(missing: MissingChanges): string {
  const byName = filesByName(missing)
  return joined(' ', byName.length === 0 ? '' : `By name alone: ${listed(byName)}.`, describeLines(missing))
}

/** The lines of files that are not listed are not counted. */
function describeLines({ lines, unlisted }: MissingChanges): string {
  const ofFiles = unlisted === 0 ? '' : `the changes of ${count(unlisted, 'more file')}`
  const all = [lines === 0 ? '' : count(lines, 'changed line'), ofFiles].filter(Boolean)
  return all.length === 0 ? '' : `Left out: ${all.join(', and ')}.`
}

/**
 * Several pull requests in one budget: each has an equal share, and a short one leaves what it does not need to the others.
 * @param budget in UTF-16 units, without their titles @returns in the order of the changes
 */
export function textsOfMerged(changes: readonly Change[], budget: number): readonly ChangeTexts[] {
  const shown = new Map<Change, ChangeTexts>()
  let left = budget
  const shortestFirst = changes
    .map((change) => ({ change, length: change.description.length + lengthOfPatches(insideOf(change)) }))
    .toSorted((a, b) => a.length - b.length)
  for (const [at, { change }] of shortestFirst.entries()) {
    const files = Math.max(change.files.length, change.total ?? 0)
    // Files that could not be read may be any number.
    const list = { names: files === 0 ? [] : [count(files, 'changed file')], more: 0 }
    const texts = fitTexts(change, list, Math.floor(left / (changes.length - at)))
    shown.set(change, texts)
    left -= texts.description.length + texts.list.length + texts.patches.length
  }
  return changes.flatMap((change) => shown.get(change) ?? [])
}
