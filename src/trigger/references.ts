import { oneLine, withoutInvisible } from '../text.ts'
import { readWorkspaceFile } from '../workspace-file.ts'
import { withinBudget } from './context.ts'

/** Characters of all reference files together (contract 4.2). */
export const REFERENCE_BUDGET = 20_000
/** For the note about what was cut. */
const NOTE_ROOM = 50

interface Reference {
  readonly heading: string
  readonly text: string
}

/**
 * The text of the reference files, one below the other, within the budget.
 * @param paths in the workspace
 * @throws {BadInput} where one is no readable UTF-8 file
 */
export function readReferences(paths: readonly string[], workspace: string): string {
  const files = paths.map((path) => ({
    heading: `File: ${withoutInvisible(oneLine(path, 200))}`,
    text: withoutInvisible(readWorkspaceFile('reference-file', path, workspace)).trim(),
  }))
  return describeReferences(files, REFERENCE_BUDGET)
}

/** A short file leaves its room to the longer ones; each that is too long is cut at a line, with a note. */
export function describeReferences(files: readonly Reference[], budget: number): string {
  const frame = ({ heading }: Reference) => heading.length + 4
  let room = budget - files.reduce((sum, file) => sum + frame(file), 0)
  const shown = new Map<Reference, string>()
  const shortestFirst = files.toSorted((a, b) => a.text.length - b.text.length)
  for (const [at, file] of shortestFirst.entries()) {
    const text = cutAtLine(file.text, Math.max(0, Math.floor(room / (files.length - at))))
    shown.set(file, text)
    room -= text.length
  }
  const whole = files.map((file) => [file.heading, shown.get(file) || '[empty]'].join('\n\n')).join('\n\n')
  // Hundreds of paths can use up the budget on their own.
  return cutAtLine(whole, budget)
}

/** Cut so that the note fits as well. */
const cutAtLine = (text: string, room: number): string =>
  text.length <= room ? text : withinBudget([text], Math.max(0, room - NOTE_ROOM))
