import { cut } from '../../../src/base/text.ts'
import type { ChangedFile } from '../../../src/github/answers.ts'
import { BUDGETS, budgetOfMerged } from '../../../src/prompt/budgets.ts'
import { type ChangeTexts, textsOfChange, textsOfMerged } from '../../../src/prompt/change-texts.ts'
import type { Commit } from './snapshots.ts'

/** What the agent gets of one change, and of several merged ones in one prompt. */
export interface Rule {
  one(commit: Commit): string
  /** @param grows whether the room grows with their number */
  merged(commits: readonly Commit[], grows: boolean): string
}

const titleOf = ({ title }: Commit, at = 0): string =>
  `Pull request #${at + 1}: ${title}\nhttps://github.com/octo/app/pull/${at + 1}`

/** The titles of all, in half of the room. */
const titlesOf = (commits: readonly Commit[], room: number): string => {
  const longest = Math.max(20, Math.floor(room / 2 / commits.length) - 14)
  return cut(commits.map(({ title }, at) => `- #${at + 1}: ${cut(title, longest)}`).join('\n'), room / 2)
}

const listOf = (files: readonly ChangedFile[]): string => {
  const lines = files.map((file) => {
    const from = file.earlierPath === '' ? '' : `${file.earlierPath} → `
    return `${file.status} ${from}${file.path} (+${file.additions} -${file.deletions})`
  })
  return [`Changed files: ${files.length}`, lines.join('\n')].join('\n\n')
}

const patchesOf = (files: readonly ChangedFile[]): readonly string[] =>
  files.filter(({ patch }) => patch !== '').map(({ path, patch }) => `--- ${path}\n${patch}`)

const together = (...texts: readonly string[]): string => texts.filter(Boolean).join('\n\n')

const EARLIER_ROOM = 20_000

/** The rule of 8e14032c: all in one text, which is cut at its end. */
export const earlierRule: Rule = {
  one: (commit) =>
    together(titleOf(commit), commit.description, listOf(commit.code), ...patchesOf(commit.code)).slice(
      0,
      EARLIER_ROOM,
    ),

  merged(commits) {
    const titles = titlesOf(commits, EARLIER_ROOM)
    let room = EARLIER_ROOM - titles.length
    const details = commits.map((commit, at) => {
      const half = Math.floor(room / (commits.length - at) / 2)
      const texts = [commit.description.slice(0, half), listOf(commit.code).slice(0, half)]
      const detail = together(titleOf(commit, at), ...texts)
      room -= detail.length
      return detail
    })
    const patches = commits.flatMap(({ code }) => patchesOf(code))
    return together(titles, ...details, ...patches).slice(0, EARLIER_ROOM)
  },
}

const changeOf = ({ description, code }: Commit) => ({ description, files: code })
const textOf = ({ description, list, patches }: ChangeTexts): string => together(description, list, patches)

/** The rule of `src/`. */
export const rule: Rule = {
  one: (commit) => {
    const title = titleOf(commit)
    return together(title, textOf(textsOfChange(changeOf(commit), BUDGETS.changes - title.length)))
  },

  merged(commits, grows) {
    const room = grows ? budgetOfMerged(commits.length) : BUDGETS.changes
    const titles = titlesOf(commits, room)
    const headings = commits.map(titleOf)
    const left = room - titles.length - headings.join('\n').length
    const texts = textsOfMerged(commits.map(changeOf), left).map(textOf)
    return together(titles, ...texts.flatMap((text, at) => [headings[at] ?? '', text]))
  },
}
