import { withoutInvisible } from '../base/invisible.ts'
import { readWorkspaceFile } from '../inputs/workspace-file.ts'
import { BUDGETS } from './budgets.ts'
import { cutToBudget, inOneLine, type Section } from './parts.ts'

/** A text that has to share a budget. */
export interface Source extends Section {
  /** It goes on behind the text. */
  readonly goesOn?: boolean
  /** UTF-16 units that it takes at most. */
  readonly most?: number
  /** What of it goes where it does not fit; by default its beginning. */
  readonly fit?: (budget: number) => string
}

/** The texts of the reference files. */
interface References {
  /** None where all are empty. */
  readonly sections: readonly Section[]
  /** The paths of those that are not there to their end. */
  readonly cut: readonly string[]
}

/** @param paths in the workspace @throws {BadInput} where one is no readable UTF-8 file */
export function readReferences(paths: readonly string[], workspace: string): References {
  const files = paths.map((path) => {
    const { text, goesOn } = readWorkspaceFile('reference-file', path, workspace, BUDGETS.references)
    return { path, heading: `File: ${inOneLine(path, 200)}`, text: withoutInvisible(text).trim(), goesOn }
  })
  if (files.every(({ text }) => text === '')) return { sections: [], cut: [] }
  const sections = shareBudget(files, BUDGETS.references)
  const isWhole = (text: string, at: number): boolean => text === '' || sections[at]?.text === text
  const cut = files.filter(({ text, goesOn }, at) => goesOn || !isWhole(text, at)).map(({ path }) => path)
  return { sections: sections.map(({ heading, text }) => ({ heading, text: text || '[empty]' })), cut }
}

/** Around a section: its ends of lines. */
const GAP = 4

/** A short text leaves what it does not need to the longer ones; each that is too long is cut at a line, with a note. */
export function shareBudget(all: readonly Source[], budget: number): readonly Section[] {
  let left = budget - all.reduce((sum, { heading }) => sum + heading.length + GAP, 0)
  const shown = new Map<Source, string>()
  const shortestFirst = all.toSorted((a, b) => a.text.length - b.text.length)
  for (const [at, one] of shortestFirst.entries()) {
    const share = Math.max(0, Math.min(one.most ?? left, Math.floor(left / (all.length - at))))
    const text = one.fit?.(share) ?? cutToBudget(one.text, share, one.goesOn)
    shown.set(one, text)
    left -= text.length
  }
  return all.map((one) => ({ heading: one.heading, text: shown.get(one) ?? '' }))
}
