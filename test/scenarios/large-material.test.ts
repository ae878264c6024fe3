import { describe, expect, test } from 'vitest'
import type { ChangedFile } from '../../emulator/github/model.ts'
import { partIn } from '../helpers/prompt-parts.ts'
import { DIRECT, pushTo } from '../helpers/push.ts'
import { expectOutcome, ISSUE, type World, world } from '../helpers/world.ts'

// Contract 4.2: whatever a pull request holds, its real lines go within the room, and what does not go is named.

const ROOM = 20_000
const REAL: ChangedFile = {
  filename: 'src/retry.ts',
  additions: 1,
  patch: '@@ -0,0 +1 @@\n+export const maxRetries = 10',
}
const line = (at: number): string => `+export const constant${at} = ${at}`
const long = (filename: string, lines: number): ChangedFile => ({
  filename,
  additions: lines,
  patch: `@@ -0,0 +1,${lines} @@\n${Array.from({ length: lines }, (_, at) => line(at)).join('\n')}`,
})

async function askOn(files: readonly ChangedFile[], body = 'Adds retries.') {
  const emulator = world()
  const { number } = emulator.github.addPullRequest({ title: 'Add retries', user: 'carol', body, files })
  const result = await emulator.ask('/docs explain this', { on: number })
  expectOutcome(result, 'pull-request')
  const [prompt = ''] = emulator.prompts()
  const parts = [/the text of pull request/, /the list of files of/, /the patches of/].map((whose) =>
    partIn(prompt, whose),
  )
  expect(parts.join('').length).toBeLessThanOrEqual(ROOM)
  const [text = '', list = '', patches = ''] = parts
  return { prompt, text, list, patches, says: emulator.lastWords(number) }
}

test.each([
  [1, false],
  [299, false],
  [300, true],
])('a push of %i files says whether GitHub may list too few of them', async (count, may) => {
  const emulator = world()
  const files = Array.from({ length: count }, (_, at) => ({ ...REAL, filename: `src/${at}.ts` }))
  await pushTo(emulator, DIRECT, { files })
  const [prompt = ''] = emulator.prompts()
  expect(prompt.includes('GitHub lists no more files: the changes of any others are left out.')).toBe(may)
  expect(prompt.includes(`Changed files: ${count} or more`)).toBe(may)
})

test.each([301, 350, 1200])(
  'of %i files, the lines of those beyond 300 are no part of a number',
  async (count) => {
    const files = Array.from({ length: count }, (_, at) => ({ ...REAL, filename: `src/${at}.ts` }))
    const { prompt, says } = await askOn(files)
    const more = `${count - 300} more ${count === 301 ? 'file' : 'files'}`
    expect(prompt).toContain(`the changes of ${more}.`)
    expect(says).toContain(more)
  },
)

const NO_PATCH = { additions: 0, deletions: 0 }

test.each<readonly [string, readonly ChangedFile[], string, RegExp]>([
  [
    'of 3,000 files',
    [REAL, ...Array.from({ length: 2999 }, (_, at) => ({ ...REAL, filename: `src/some/folder/${at}.ts` }))],
    'Changed files: 3,000',
    /did not get .*[\d,]+ names of changed files/,
  ],
  [
    'of a file of 20 MB',
    [
      { ...long('a.txt', 20_000), patch: `@@ -0,0 +1 @@\n${`+${'word '.repeat(200)}\n`.repeat(20_000)}+end` },
      REAL,
    ],
    'a.txt (+20000 -0)',
    /did not get [\d,]+ changed lines/,
  ],
  [
    'of a line of 400,000 characters',
    [{ filename: 'a.txt', additions: 1, patch: `@@ -0,0 +1 @@\n+${'x'.repeat(400_000)}` }, REAL],
    'a.txt',
    /did not get/,
  ],
  [
    'of binary, renamed, deleted and mode-changed files',
    [
      { filename: 'a.png', status: 'added', ...NO_PATCH },
      { filename: 'b.ts', earlier: 'old/b.ts', status: 'renamed', ...NO_PATCH },
      {
        filename: 'c.ts',
        status: 'removed',
        additions: 0,
        deletions: 2,
        patch: '@@ -1,2 +0,0 @@\n-one\n-two',
      },
      { filename: 'd.sh', ...NO_PATCH },
      REAL,
    ],
    'removed c.ts (+0 -2)',
    /^(?!.*did not get)/s,
  ],
  [
    'of files whose patches GitHub leaves out',
    [{ filename: 'a.ts', additions: 30_000 }, REAL],
    'a.ts (+30000 -0)',
    /got 1 file whose patch GitHub leaves out by name alone/,
  ],
  [
    'of generated files under odd names',
    [
      long('Some Folder/PACKAGE-LOCK.json', 2000),
      long('a/__snapshots__/b c.snap', 2000),
      long('zz_generated.x.go', 2000),
      REAL,
    ],
    'zz_generated.x.go',
    /files? that a program writes/,
  ],
  [
    'with `.gitattributes` that mark all as generated',
    [{ filename: '.gitattributes', additions: 1, patch: '@@ -0,0 +1 @@\n+* linguist-generated' }, REAL],
    '.gitattributes',
    /^(?!.*program writes)/s,
  ],
])('4.2 a pull request %s', async (_, files, listed, says) => {
  const { list, patches, says: said } = await askOn(files)
  expect(list).toContain(listed)
  expect(patches).toContain('maxRetries = 10')
  expect(said).toMatch(says)
})

test.each([
  ['lines', 'A line of text that says little.\n'],
  ['one line', 'word '],
  ['pairs of surrogates', '👍'],
])('4.2 a description of 262,144 characters leaves the changes their room: %s', async (_, unit) => {
  const body = unit.repeat(Math.ceil(262_144 / unit.length)).slice(0, 262_144)
  const { text, patches, says } = await askOn([REAL, long('src/a.ts', 900)], body)
  expect(text.length).toBeLessThanOrEqual(ROOM / 4 + 200)
  expect(text).toMatch(/\[cut: \d+ more characters\]$/)
  expect(patches).toContain('maxRetries = 10')
  expect(says).toMatch(/did not get .*1 end of a description/)
})

test('4.2 an issue of 262,144 characters is cut, and said to be', async () => {
  const emulator = world()
  const body = 'A line of text that says little.\n'.repeat(8000)
  Object.assign(emulator.github.repository('octo/app')?.issues.get(ISSUE) ?? {}, { body })
  await emulator.ask('/docs explain this')
  expect(partIn(emulator.prompts()[0] ?? '', /the text of issue/).length).toBeLessThanOrEqual(ROOM)
  expect(emulator.lastWords()).toContain('did not get all texts and patches')
})

describe.each([
  ['open', {}, /older comments without room|older comment/],
  ['resolved', { isResolved: true }, /comments in resolved review threads/],
  ['outdated', { isOutdated: true }, /older comments without room/],
])('4.1 200 review threads that are %s', (_, marks, left) => {
  async function reviewed(): Promise<{ emulator: World; number: number }> {
    const emulator = world()
    const { number } = emulator.github.addPullRequest({ title: 'Retries', user: 'carol', files: [REAL] })
    const review = emulator.github.addReview(number, { login: 'bob', body: 'THE REVIEW' }).id
    for (let at = 0; at < 200; at++)
      Object.assign(
        emulator.github.addReviewComment(number, {
          ...{ login: 'bob', line: at + 1, review },
          body: `THREAD ${at + 1} ${'says more '.repeat(30)}`,
        }),
        marks,
      )
    await emulator.pass(60_000)
    return { emulator, number }
  }

  test('stay in their room, beside the changes, in one request', async () => {
    const { emulator, number } = await reviewed()
    await emulator.ask('/docs address the review comments', { on: number })
    const [prompt = ''] = emulator.prompts()
    expect(partIn(prompt, /^the conversation/).length).toBeLessThanOrEqual(12_500)
    expect(partIn(prompt, /^the patches/)).toContain('maxRetries')
    expect(prompt).toMatch(left)
    expect(emulator.lastWords(number)).toMatch(/did not get all of the conversation/)
    expect(emulator.calls('github').filter((call) => call === 'POST /graphql').length).toBeLessThanOrEqual(2)
  })
})
