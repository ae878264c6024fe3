import { describe, expect, test } from 'vitest'
import { PULL, writtenIn } from '../helpers/three-places.ts'
import { ownWorld } from '../helpers/world.ts'

interface Marks {
  readonly isResolved?: boolean
  readonly isOutdated?: boolean
}

const RESOLVED: Marks = { isResolved: true }
const OUTDATED: Marks = { isOutdated: true }
const OPEN: Marks = {}

/** A pull request with threads of two comments each, on one line after the other. */
async function reviewed(threads: readonly Marks[]) {
  const emulator = ownWorld()
  const { github } = emulator
  github.addPullRequest({ number: PULL, title: 'Retries' })
  const review = github.addReview(PULL, { login: 'bob', body: 'THE REVIEW' }).id
  const first = threads.map((marks, at) => {
    const where = { login: 'bob', line: at + 1, review }
    const comment = github.addReviewComment(PULL, { ...where, body: `THREAD ${at + 1}` })
    github.addReviewComment(PULL, { ...where, body: `REPLY ${at + 1}`, thread: comment.id })
    return Object.assign(comment, marks)
  })
  await emulator.pass(60_000)
  return { emulator, first }
}

describe('4.1 of review threads, resolved ones stay out, and outdated ones are marked', () => {
  test.each<[string, readonly Marks[], readonly number[], readonly number[], string, string]>([
    ['all are open', [OPEN, OPEN], [1, 2], [], '', ''],
    ['one is resolved', [OPEN, RESOLVED], [1], [], '', '2 comments in resolved review threads'],
    ['all are resolved', [RESOLVED, RESOLVED], [], [], '', '4 comments in resolved review threads'],
    ['one is outdated', [OUTDATED, OPEN], [1, 2], [1], '2 comments are outdated', ''],
    [
      'one of each',
      [RESOLVED, OUTDATED, OPEN],
      [2, 3],
      [2],
      '2 comments are outdated',
      '2 comments in resolved review threads',
    ],
    [
      'one is both',
      [{ ...RESOLVED, ...OUTDATED }, OPEN],
      [2],
      [],
      '',
      '2 comments in resolved review threads',
    ],
  ])('%s', async (_, threads, goes, marked, outdated, left) => {
    const { emulator } = await reviewed(threads)
    await emulator.ask('/docs address the review comments', { on: PULL })
    const [prompt = ''] = emulator.prompts()
    const numbers = (pattern: RegExp) => Array.from(prompt.matchAll(pattern), ([, n]) => Number(n))
    expect(numbers(/^THREAD (\d)$/gm)).toEqual(goes)
    expect(numbers(/^REPLY (\d)$/gm)).toEqual(goes)
    expect(prompt).toContain('THE REVIEW')
    expect(numbers(/^.*@bob on \S+, line (\d), [^\n]* UTC, outdated:$/gm)).toEqual(
      marked.flatMap((n) => [n, n]),
    )
    expect(/\d+ comments? (is|are) outdated/.exec(prompt)?.[0] ?? '').toBe(outdated)
    expect(/Left out: (.*)\.$/m.exec(prompt)?.[1] ?? '').toBe(left)
    expect(/Left out: (.*?)\./.exec(emulator.lastWords(PULL))?.[1] ?? '').toBe(left)
  })

  test('a command in a resolved thread is about that thread', async () => {
    const { emulator, first } = await reviewed([RESOLVED, RESOLVED])
    const reply = { thread: first[1]?.id ?? 0 }
    await emulator.act(writtenIn(emulator, 'pull_request_review_comment', '/docs do that', reply))
    const [prompt = ''] = emulator.prompts()
    expect(prompt).toMatch(/^THREAD 2$/m)
    expect(prompt).not.toMatch(/^THREAD 1$/m)
    expect(prompt).toContain('2 comments in resolved review threads')
  })
})
