import { withoutInvisible } from '../base/invisible.ts'
import { count, joined, listed, oneLine } from '../base/text.ts'
import type { ChangedFile } from '../github/answers.ts'
import { filesByName, type MissingChanges } from '../words/missing-changes.ts'
import { digestPatches, lengthOfPatches } from './digest.ts'
import { cutToBudget } from './parts.ts'

/** What there is of a change. */
export interface Change {
  /** As its readers see it; '' for none. */
  readonly description: string
  readonly files: readonly ChangedFile[]
  /** Whether the file is none that `paths` names. */
  readonly isOutside: (file: ChangedFile) => boolean
}

/** Texts for parts of their own, together within a room. */
export interface ChangeTexts {
  readonly description: string
  /** The changed files; of one of several pull requests their number alone. */
  readonly list: string
  readonly patches: string
  /** About the patches, in words of our own; '' for nothing. */
  readonly note: string
  readonly missing: MissingChanges
}

/** What the description, and the list, may take where not all fits. */
const SHARE = 1 / 4

/** @param room of all three texts, in UTF-16 units, without the title */
export function describeChange(change: Change, room: number): ChangeTexts {
  return withinRoom(change, listOf(change.files), room)
}

function withinRoom(change: Change, lines: readonly string[], room: number): ChangeTexts {
  const inside = insideOf(change)
  const patched = lengthOfPatches(inside)
  const all = withoutInvisible(change.description)
  const share = (others: number) => Math.floor(Math.max(room * SHARE, room - others))
  const list = cutList(lines, share(Math.min(all.length, room * SHARE) + patched))
  const description = cutText(all, share(list.text.length + patched))
  const digest = digestPatches(inside, room - description.length - list.text.length)
  const hasPatch = ({ patch, additions, deletions }: ChangedFile) =>
    patch !== '' || additions + deletions === 0
  const missing: MissingChanges = {
    descriptions: Number(description !== all),
    names: list.missing,
    generated: digest.generated,
    outside: change.files.filter((file) => file.patch !== '' && change.isOutside(file)).length,
    unpatched: inside.filter((file) => !hasPatch(file)).length,
    lines: digest.lines,
  }
  const note = joined(' ', digest.legend, describeMissing(missing))
  return { description, list: list.text, patches: digest.text, note, missing }
}

const insideOf = ({ files, isOutside }: Change): readonly ChangedFile[] =>
  files.filter((file) => !isOutside(file))

/** Less would hold little more than the note about what is missing. */
const LEAST_TEXT = 100

function cutText(text: string, room: number): string {
  return text.length > room && room < LEAST_TEXT ? '' : cutToBudget(text, room)
}

const listOf = (files: readonly ChangedFile[]): readonly string[] =>
  files.map(({ status, earlierPath, path, additions, deletions }) => {
    const from = earlierPath === '' ? '' : `${oneLine(earlierPath)} → `
    return `${status} ${from}${oneLine(path)} (+${additions} -${deletions})`
  })

/** As many as fit, with the number of the others. */
function cutList(
  lines: readonly string[],
  room: number,
): { readonly text: string; readonly missing: number } {
  const whole = lines.join('\n')
  if (whole.length <= room) return { text: whole, missing: 0 }
  if (room < MORE_ROOM) return { text: '', missing: lines.length }
  let left = room - MORE_ROOM
  const shown = lines.filter(({ length }) => {
    left -= length + 1
    return left >= 0
  })
  const missing = lines.length - shown.length
  return { text: joined('\n', ...shown, `[${count(missing, 'more file')}]`), missing }
}

const MORE_ROOM = '[1,000,000 more files]'.length

/** What the patches lack, in words for the agent; '' for nothing. */
function describeMissing(missing: MissingChanges): string {
  const byName = filesByName(missing)
  return joined(
    ' ',
    byName.length === 0 ? '' : `By name alone: ${listed(byName)}.`,
    missing.lines === 0 ? '' : `Left out: ${count(missing.lines, 'changed line')}.`,
  )
}

/**
 * Several pull requests in one room: each has an equal share, and a short one leaves its room to the others.
 * @param room in UTF-16 units, without their titles @returns in the order of the changes
 */
export function describeChanges(changes: readonly Change[], room: number): readonly ChangeTexts[] {
  const shown = new Map<Change, ChangeTexts>()
  let left = room
  const shortestFirst = changes
    .map((change) => ({ change, length: change.description.length + lengthOfPatches(insideOf(change)) }))
    .toSorted((a, b) => a.length - b.length)
  for (const [at, { change }] of shortestFirst.entries()) {
    const number = count(change.files.length, 'changed file')
    const texts = withinRoom(change, [number], Math.floor(left / (changes.length - at)))
    shown.set(change, texts)
    left -= texts.description.length + texts.list.length + texts.patches.length
  }
  return changes.flatMap((change) => shown.get(change) ?? [])
}
