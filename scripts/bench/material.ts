import type { ChangedFile } from '../../src/github/answers.ts'
import { type Documented, depth, documented, mean, recall } from './material/documented-words.ts'
import { earlierRule, type Rule, rule } from './material/rules.ts'
import { type Commit, findSnapshots, readRepository } from './material/snapshots.ts'
import type { Report } from './table.ts'

interface Repository {
  readonly name: string
  readonly commits: readonly Documented[]
}

/** A figure of each repository; NaN for one that has no such commits. */
type Measure = (rule: Rule, commits: readonly Documented[]) => number

const LARGE = 20_000
const isLarge = ({ code }: Commit): boolean => code.reduce((sum, { patch }) => sum + patch.length, 0) > LARGE

const recalls = (rule: Rule, commits: readonly Documented[]) =>
  commits.map((commit) => recall(commit.words, rule.one(commit)))

/** Recall of commits that are changed before they go in. */
const recallOf =
  (change: (commit: Documented) => Documented): Measure =>
  (rule, commits) =>
    mean(recalls(rule, commits.map(change)))

/** Of so many in one prompt. */
const recallOfMerged =
  (size: number, grows: boolean): Measure =>
  (rule, commits) => {
    const groups = Array.from({ length: Math.floor(commits.length / size) }, (_, at) =>
      commits.slice(at * size, (at + 1) * size),
    )
    return mean(
      groups.flatMap((group) => {
        const text = rule.merged(group, grows)
        return group.map(({ words }) => recall(words, text))
      }),
    )
  }

const depthOfLarge =
  (withTests: boolean): Measure =>
  (rule, commits) => {
    const depths = commits.filter(isLarge).map((commit) => depth(commit, rule.one(commit), withTests))
    return mean(depths.filter((one) => !Number.isNaN(one)))
  }

const LONG = 60_000
const longFile = (path: string, line: (at: number) => string): ChangedFile => {
  const lines = Array.from({ length: 2000 }, (_, at) => `+${line(at)}`)
  const patch = `@@ -0,0 +1,2000 @@\n${lines.join('\n')}`.slice(0, LONG)
  return { path, patch, status: 'added', earlierPath: '', additions: 2000, deletions: 0, sha: '' }
}
const LOCK = longFile('Cargo.lock', (at) => `name = "package-${at}", checksum = "${at * 7919}"`)
/** Each line of it brings a name of its own. */
const OTHER = longFile('aaa/zones.ts', (at) => `export const zone${at}Offset = { minutes: ${at} }`)
const behind = (file: ChangedFile) => recallOf((commit) => ({ ...commit, code: [file, ...commit.code] }))

const PROSE = 'This is one of very many sentences that say nothing about what changes here.\n'
const withLongDescription = (commit: Documented): Documented => ({
  ...commit,
  description: `${commit.description}\n\n${PROSE.repeat(400)}`.slice(0, 25_000),
})

interface Figure {
  readonly measure: Measure
  readonly bar?: number
  /** The figure is to stay below the bar. */
  readonly isMost?: boolean
}

const FIGURES: Readonly<Record<string, Figure>> = {
  all: { measure: recallOf((commit) => commit), bar: 0.97 },
  large: { measure: (rule, commits) => mean(recalls(rule, commits.filter(isLarge))), bar: 0.94 },
  'large, under half': {
    measure: (rule, commits) => mean(recalls(rule, commits.filter(isLarge)).map((one) => Number(one < 0.5))),
    bar: 0.03,
    isMost: true,
  },
  'large, depth': { measure: depthOfLarge(false), bar: 0.68 },
  'large, depth with tests': { measure: depthOfLarge(true) },
  '3 merged': { measure: recallOfMerged(3, false), bar: 0.92 },
  '8 merged': { measure: recallOfMerged(8, false), bar: 0.79 },
  '24 merged': { measure: recallOfMerged(24, false), bar: 0.57 },
  '3 merged, growing room': { measure: recallOfMerged(3, true), bar: 0.95 },
  '8 merged, growing room': { measure: recallOfMerged(8, true), bar: 0.94 },
  '24 merged, growing room': { measure: recallOfMerged(24, true), bar: 0.88 },
  'below a description of 25,000': { measure: recallOf(withLongDescription), bar: 0.95 },
  'behind a lock file': { measure: behind(LOCK), bar: 0.97 },
  'behind another long file': { measure: behind(OTHER), bar: 0.93 },
}

const NOTE = `Recall: of the words of the code that people then documented, the share that stands in what the agent gets; the mean of commits, then of repositories. Large: patches over ${LARGE} characters. Depth: of the changed lines of code, without tests, that have such a word, the share that is there, by word.`

/**
 * What of a change its documentation needs reaches the agent, measured on commits that changed code and pages together.
 * @param folder of git repositories
 */
export function material(folder: string): readonly Report[] {
  const repositories = findSnapshots(folder)
    .map(readRepository)
    .map(({ name, commits }) => ({ name, commits: documented(commits) }))
    .filter(({ commits }) => commits.length > 0)
  if (repositories.length === 0) throw new Error(`There is no git repository with such commits in ${folder}.`)
  const rows = Object.entries(FIGURES).map(([name, { measure }]) => {
    const over = (rule: Rule) => meanOf(repositories.map(({ commits }) => measure(rule, commits)))
    return [name, { '8e14032c': over(earlierRule), now: over(rule) }] as const
  })
  const now = new Map(rows.map(([name, row]) => [name, row.now]))
  const goals = Object.entries(FIGURES).flatMap(([what, { bar, isMost = false }]) =>
    bar === undefined ? [] : [{ what, value: now.get(what) ?? Number.NaN, limit: bar, isLeast: !isMost }],
  )
  return [
    {
      title: 'Repositories',
      note: 'Commits with three documented words or more.',
      rows: byName(repositories),
      goals: [],
    },
    { title: 'Material', note: NOTE, rows: Object.fromEntries(rows), goals },
  ]
}

const byName = (repositories: readonly Repository[]) =>
  Object.fromEntries(
    repositories.map(({ name, commits }) => {
      const large = commits.filter(isLarge)
      const counts = { commits: commits.length, large: large.length }
      const [before, after] = [mean(recalls(earlierRule, large)), mean(recalls(rule, large))]
      return [name, { ...counts, 'large, 8e14032c': before, 'large, now': after }]
    }),
  )

const meanOf = (all: readonly number[]): number => mean(all.filter((one) => !Number.isNaN(one)))
