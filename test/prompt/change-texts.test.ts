import { describe, expect, test } from 'vitest'
import type { ChangedFile } from '../../src/github/answers.ts'
import { readPaths } from '../../src/inputs/paths.ts'
import { BUDGETS, budgetOfMerged } from '../../src/prompt/budgets.ts'
import { type Change, textsOfChange, textsOfMerged } from '../../src/prompt/change-texts.ts'
import { describeMissingChanges, missingOfAll } from '../../src/words/missing-changes.ts'

const NOTHING = { descriptions: 0, names: 0, generated: 0, outside: 0, unpatched: 0, lines: 0, unlisted: 0 }

const file = (path: string, patch: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  ...{ path, patch, earlierPath: '', status: 'modified', additions: 1, deletions: 0, sha: '' },
  ...more,
})
const long = (path: string, lines = 1000): ChangedFile => {
  const added = Array.from({ length: lines }, (_, at) => `+const field${at}Of${path.length} = ${at}`)
  return file(path, `@@ -0,0 +1,${lines} @@\n${added.join('\n')}`, { additions: lines })
}
const change = (files: readonly ChangedFile[], more: Partial<Change> = {}): Change => ({
  ...{ description: 'Adds retries.', files, isOutside: () => false },
  ...more,
})
const SMALL = file('src/retry.ts', '@@ -1 +1 @@\n+retry()')
const PROSE = 'A sentence of a long description.\n'.repeat(800)

describe('one change', () => {
  test('goes whole where it fits, and nothing is said about it', () => {
    const renamed = file('b.ts', '', { status: 'renamed', earlierPath: 'a.ts', additions: 0 })
    expect(textsOfChange(change([SMALL, renamed]), BUDGETS.changes)).toEqual({
      description: 'Adds retries.',
      list: 'modified src/retry.ts (+1 -0)\nrenamed a.ts → b.ts (+0 -0)',
      patches: '--- src/retry.ts\n@@ -1 +1 @@\n+retry()',
      legend: '',
      note: '',
      missing: NOTHING,
    })
  })

  test.each([
    ['short patches leave it their room', [SMALL], 18_000, 20_000],
    ['long ones leave it a quarter', [long('a.ts')], 4000, 5000],
    ['so do very many', Array.from({ length: 300 }, (_, at) => long(`src/${at}.ts`, 30)), 4000, 5000],
  ])('a long description is cut: %s', (_, files, least, most) => {
    const { description, patches, missing } = textsOfChange(change(files, { description: PROSE }), 20_000)
    expect(description.length).toBeGreaterThan(least)
    expect(description.length).toBeLessThanOrEqual(most)
    expect(description).toMatch(/\n\[cut: \d+ more characters\]$/)
    expect(patches).toContain('+')
    expect(missing.descriptions).toBe(1)
  })

  test('a list of 3,000 files is cut, with their number', () => {
    const files = Array.from({ length: 3000 }, (_, at) => long(`src/some/folder/${at}.ts`, 3))
    const { list, patches, missing } = textsOfChange(change(files), 20_000)
    expect(list.length).toBeLessThanOrEqual(5000)
    const shown = list.split('\n').length - 1
    expect(list).toMatch(/\[2,\d\d\d more files\]$/)
    expect(missing.names).toBe(3000 - shown)
    expect(patches.length).toBeGreaterThan(10_000)
  })

  test.each([
    [300, undefined, ''],
    [300, 300, ''],
    [300, 3000, '\n[2,700 more files]'],
  ])('of %i files that GitHub lists of %s, the others are counted', (listed, total, more) => {
    const files = Array.from({ length: listed }, (_, at) => file(`${at}.ts`, ''))
    const { list, missing } = textsOfChange(change(files, { total }), 20_000)
    expect(list.split('\n').slice(listed).join('')).toBe(more.trim())
    expect([missing.names, missing.unlisted]).toEqual([0, (total ?? listed) - listed])
  })

  test.each([
    [[SMALL], 1, ''],
    [[SMALL], 2, 'Left out: the changes of 1 more file.'],
    [[SMALL], 351, 'Left out: the changes of 350 more files.'],
    [[long('a.ts')], 4, /^Left out: \d+ changed lines, and the changes of 3 more files\.$/],
  ])('%# lines that the list of files does not reach are no number of lines', (files, total, said) => {
    const { note } = textsOfChange(change(files, { total }), 20_000)
    if (typeof said === 'string') expect(note).toBe(said)
    else expect(note).toMatch(said)
  })

  test('files outside `paths` go by name alone, even where all fits', () => {
    const paths = readPaths(() => 'src/**\nlib/*.ts')
    const { list, patches, note, missing } = textsOfChange(
      change([SMALL, file('web/a.ts', '+a'), file('web/b.png', '', { additions: 0 })], { paths }),
      20_000,
    )
    expect(list).toContain('modified web/a.ts (+1 -0)\nmodified web/b.png')
    expect(patches).toBe(`--- src/retry.ts\n${SMALL.patch}`)
    expect([note, missing.outside]).toEqual(['By name alone: 1 file outside `paths`.', 1])
  })

  test('what GitHub leaves out is counted, and binary, renamed and mode-changed files are not', () => {
    const none = { additions: 0, deletions: 0 }
    const files = [
      ...[file('a.bin', '', none), file('b.ts', '', { ...none, status: 'renamed' }), file('c.sh', '', none)],
      ...[
        file('huge.json', '', { additions: 90_000 }),
        file('gone.txt', '', { deletions: 30_000, additions: 0 }),
      ],
    ]
    const { note, patches, missing } = textsOfChange(change(files), 20_000)
    expect([patches, missing.unpatched]).toEqual(['', 2])
    expect(note).toBe('By name alone: 2 files whose patches GitHub leaves out.')
  })

  test('a lock file and a long change: the note says each kind and number', () => {
    const { patches, legend, note, missing } = textsOfChange(
      change([long('package-lock.json'), long('a.ts')]),
      20_000,
    )
    expect(patches).not.toContain('package-lock.json')
    expect(missing.lines).toBeGreaterThan(100)
    expect(legend).toMatch(/^Not all fit: /)
    expect(note).toMatch(/^By name alone: 1 file that a program writes\. Left out: \d+ changed lines\.$/)
  })

  test.each([0, 1, 30, 99, 250, 1000])('stays within a room of %i', (room) => {
    const texts = textsOfChange(change([long('a.ts'), long('yarn.lock')], { description: PROSE }), room)
    const { description, list, patches } = texts
    expect(description.length + list.length + patches.length).toBeLessThanOrEqual(room)
  })

  test('a name with a line break is one line', () => {
    const { list, patches } = textsOfChange(change([file('a\n--- evil.ts', '+a')]), 20_000)
    expect(list).toBe('modified a --- evil.ts (+1 -0)')
    expect(patches).toBe('--- a --- evil.ts\n+a')
  })
})

describe('several changes', () => {
  test('a short one leaves its room to the others, in whichever order they stand', () => {
    const [one, two, short] = [change([long('aa.ts')]), change([long('b.ts')]), change([SMALL])]
    const order = [one, short, two]
    const [first, second, third] = textsOfMerged(order, 12_000)
    expect(second?.patches).toBe(`--- src/retry.ts\n${SMALL.patch}`)
    for (const long of [first, third]) expect(long?.patches.length).toBeGreaterThan(5000)
    expect(first?.list).toBe('1 changed file')
  })

  test.each([
    [[SMALL], 1, '', '1 changed file'],
    [[SMALL], 21, 'Left out: the changes of 20 more files.', '21 changed files'],
    [[], 3, '', '3 changed files'],
  ])('%# what is not read of one is said, but not where nothing is', (files, total, said, listed) => {
    const [texts] = textsOfMerged([change(files, { total })], 12_000)
    expect([texts?.note, texts?.list]).toEqual([said, listed])
  })

  test('each of them has its description and lines of its code', () => {
    const all = textsOfMerged(
      Array.from({ length: 24 }, (_, at) =>
        change([long(`src/${'x'.repeat(at)}.ts`)], { description: PROSE }),
      ),
      budgetOfMerged(24),
    )
    const lengths = all.map(
      ({ description, list, patches }) => description.length + list.length + patches.length,
    )
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(80_000)
    for (const { description, patches } of all) {
      expect(description.length).toBeGreaterThan(500)
      expect(patches).toContain('+const field0Of')
    }
    expect(missingOfAll(all.map(({ missing }) => missing)).descriptions).toBe(24)
  })

  test.each([
    [1, 20_000],
    [3, 30_000],
    [8, 55_000],
    [13, 80_000],
    [400, 80_000],
  ])('%i have room for %i characters', (pulls, room) => expect(budgetOfMerged(pulls)).toBe(room))
})

describe('what people hear', () => {
  test.each([
    [{}, ''],
    [{ generated: 1 }, 'The docs agent got 1 file that a program writes by name alone.'],
    [
      { generated: 2, outside: 3, unpatched: 1 },
      'The docs agent got 2 files that a program writes, 3 files outside `paths` and 1 file whose patch GitHub leaves out by name alone.',
    ],
    [
      { lines: 1204, names: 1, descriptions: 2 },
      'The docs agent did not get 1,204 changed lines, 1 name of a changed file and 2 ends of descriptions: changes have room for 20,000 characters. Write what matters of the rest in a new request.',
    ],
    [
      { unlisted: 1 },
      'The docs agent did not get 1 more file: changes have room for 20,000 characters. Write what matters of the rest in a new request.',
    ],
    [
      { lines: 3, names: 2, unlisted: 50 },
      'The docs agent did not get 3 changed lines, 50 more files and 2 names of changed files: changes have room for 20,000 characters. Write what matters of the rest in a new request.',
    ],
  ])('%j', (missing, sentence) => {
    expect(describeMissingChanges({ ...NOTHING, ...missing }, 20_000)).toBe(sentence)
  })

  test.each([
    [
      { lines: 1204 },
      'The next command in the thread can send more of these lines, if the pull request is unchanged by then.',
    ],
    [
      { lines: 1, names: 2 },
      'The next command in the thread can send more of these lines, if the pull request is unchanged by then.',
    ],
    [{ names: 2 }, 'Write what matters of the rest in a new request.'],
  ])('%j, where the next command can go on', (missing, end) => {
    const sentence = describeMissingChanges({ ...NOTHING, ...missing }, 20_000, true)
    expect(sentence.slice(-end.length)).toBe(end)
  })
})
