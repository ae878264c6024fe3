import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import { githubOf } from '../helpers/emulated-github.ts'

/** Together larger than what the action reads of an answer of the service, on several pages. */
const LONG = '文'.repeat(65_000)
const emulator = createEmulator()
const github = await githubOf(emulator)
emulator.github.addIssue({ number: 12 })
const ids = Array.from(
  { length: 130 },
  (_, n) => emulator.github.addComment(12, { login: 'mallory', body: n < 90 ? 'short' : LONG }).id,
)

test('5.1 a thread of long comments is read', async () => {
  expect((await github.listComments(12)).map(({ id }) => id)).toEqual(ids)
})

test('8.1 those of a repository are, too, each once', async () => {
  const read: number[] = []
  for await (const page of github.listRepositoryComments('2020-01-01T00:00:00Z'))
    read.push(...page.map(({ id }) => id))
  expect(read).toEqual(ids)
})

test('3.5 and so are the newest hundred', async () => {
  const recent = await github.recentComments()
  expect(recent).toHaveLength(100)
  expect(new Set(recent.map(({ id }) => id))).toEqual(new Set(ids.slice(30)))
})
