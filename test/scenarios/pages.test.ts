import { expect, test } from 'vitest'
import { CODE, codeWorld, happens } from '../helpers/code-world.ts'
import { expectOutcome, ISSUE, ownWorld, type World, world } from '../helpers/world.ts'

// Contract 5.4: a result names the pages that the agent's pull request changes.

const pages = (...names: readonly string[]) => names.map((filename) => ({ filename, patch: '+new' }))
const numbered = (many: number) => pages(...Array.from({ length: many }, (_, at) => `docs/${at + 1}.mdx`))
const opens = (emulator: World, files: ReturnType<typeof pages>): World => {
  emulator.service.everyTurn = { reads: 0, change: { files } }
  return emulator
}
const changesIn = (words: string): string => /It changes .*?\.(?= |\n)/.exec(words)?.[0] ?? ''
const FIVE = '`docs/1.mdx`, `docs/2.mdx`, `docs/3.mdx`, `docs/4.mdx`'

test.each([
  ['one page', pages('docs/a.mdx'), 'It changes `docs/a.mdx`.'],
  ['two pages', pages('docs/a.mdx', 'docs.json'), 'It changes `docs/a.mdx` and `docs.json`.'],
  ['five pages', numbered(5), `It changes ${FIVE} and \`docs/5.mdx\`.`],
  ['eight pages', numbered(8), `It changes ${FIVE}, \`docs/5.mdx\` and 3 more.`],
  [
    'more than GitHub lists at once',
    numbered(120),
    `It changes ${FIVE}, \`docs/5.mdx\` and at least 95 more.`,
  ],
  ['none', [], ''],
])('5.4 a pull request of %s', async (_, files, said) => {
  const emulator = opens(ownWorld(), files)
  const { summary } = await emulator.ask('/docs explain')
  expect(changesIn(emulator.lastWords())).toBe(said)
  expect(changesIn(summary)).toBe(said)
})

test('H4 5.4 the name of a page can neither mention anyone nor lead anywhere', async () => {
  const name = '`@bob [x](https://evil.example) <img src=x> ::error::x\n#1'
  const emulator = opens(ownWorld(), pages(name))
  const { annotations } = await emulator.ask('/docs explain')
  expect(annotations).toEqual([])
  expect(emulator.lastWords()).toContain(
    "It changes `'@bob [x](https://evil.example) <img src=x> ::error::x #1`.",
  )
})

test.each<[string, () => World, string]>([
  ['a token that may not read it', () => world(), ''],
  [
    'a token that may',
    () => world({ tokenCoversDocs: true, docsRepositoryVisibility: 'public' }),
    'It changes `docs/a.mdx`.',
  ],
  [
    'a private repository, named in a public thread',
    () => world({ tokenCoversDocs: true, docsRepositoryVisibility: 'private' }),
    '',
  ],
  [
    'a private repository, named in a private thread',
    () => {
      const emulator = world({ tokenCoversDocs: true, docsRepositoryVisibility: 'private' })
      emulator.github.repo().isPrivate = true
      return emulator
    },
    'It changes `docs/a.mdx`.',
  ],
  [
    'a repository of which GitHub does not say whether it is private',
    () => {
      const emulator = world({ tokenCoversDocs: true, docsRepositoryVisibility: 'public' })
      const [base, head] = ['main', 'docs'].map((ref) => ({ ref, repo: { full_name: 'octo/docs' } }))
      const body = { number: 77, state: 'open', title: 'Docs', base, head }
      const match = { method: 'GET', path: /octo\/docs\/pulls\/77$/ }
      emulator.faults.add({ match, times: 9, fault: { kind: 'status', status: 200, body } })
      return emulator
    },
    '',
  ],
])('H4 5.4 a pull request elsewhere, with %s', async (_, worldOf, said) => {
  const emulator = opens(worldOf(), pages('docs/a.mdx'))
  const { annotations } = await emulator.ask('/docs explain')
  expect(changesIn(emulator.lastWords())).toBe(said)
  expect(annotations).toEqual([])
})

test.each([403, 404, 502])(
  '5.4 files that GitHub does not show (%i): nothing is said, and nothing fails',
  async (status) => {
    const emulator = opens(ownWorld(), pages('docs/a.mdx'))
    const match = { method: 'GET', path: /\/pulls\/77\/files$/ }
    const away = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status } })
    const { annotations, ...result } = await emulator.ask('/docs explain')
    away.remove()
    expectOutcome({ annotations, ...result }, 'pull-request')
    expect(emulator.lastWords()).toContain('Review it there.')
    expect(changesIn(emulator.lastWords())).toBe('')
    expect(annotations).toEqual([])
  },
)

test('5.4 a follow-up names the pages of the whole pull request, a sweep names them, too', async () => {
  const emulator = opens(ownWorld(), pages('docs/a.mdx'))
  await emulator.ask('/docs explain')
  emulator.service.script.push({ reads: 1, change: { files: pages('docs/a.mdx', 'docs/b.mdx') } })
  await emulator.ask('/docs more', { inputs: { wait: 'false' } })
  for (let sweeps = 0; sweeps < 3; sweeps += 1) {
    await emulator.pass(60_000)
    await emulator.collect()
  }
  expect(changesIn(emulator.lastWords(ISSUE))).toBe('It changes `docs/a.mdx` and `docs/b.mdx`.')
})

test('4.12 5.4 after a fix, the pages are those of then', async () => {
  const emulator = ownWorld()
  emulator.github.checks.script.push([{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }])
  emulator.service.script.push(
    { reads: 0, change: { files: pages('docs/a.mdx') } },
    { reads: 0, change: { files: pages('docs/a.mdx', 'docs/b.mdx') } },
  )
  await emulator.ask('/docs explain', { inputs: { 'fix-attempts': '1' } })
  expect(changesIn(emulator.lastWords())).toBe('It changes `docs/a.mdx` and `docs/b.mdx`.')
})

test('5.4 the result of an event names them as well', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  await happens(emulator, 'labeled')
  expect(changesIn(emulator.lastWords(CODE))).toBe('It changes `docs/retries.mdx`.')
})

test.each([
  ['https://github.com/octo/docs/pull/77', '77'],
  ['https://git.example.com/octo/docs/pull/9/files', '9'],
  ['https://gitlab.com/octo/docs/-/merge_requests/77', ''],
  ['https://github.com/octo/docs/tree/main', ''],
  ['https://bitbucket.org/octo/docs/pull-requests/77', ''],
])('2 the number of %s is %j', async (link, number) => {
  const emulator = ownWorld()
  emulator.service.script.push({ pr: link })
  const { outputs } = await emulator.ask('/docs explain')
  expect(outputs['pr-number']).toBe(number)
})
