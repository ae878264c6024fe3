import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import {
  CODE,
  closes,
  codeWorld,
  DELIVERED,
  happens,
  pulled,
  pushes,
  SECOND_PUSH,
  saidOf,
  WRITES,
} from '../helpers/code-world.ts'
import { halvesOf } from '../helpers/prompt-parts.ts'
import { expectOutcome, ISSUE, type World, world } from '../helpers/world.ts'

// The sentences of "Private code, public docs" in docs/another-repository.md, in their order.

const DOCS = 'octo/docs'
const PUBLIC = { docsRepositoryVisibility: 'public', tokenCoversDocs: true } as const

function privately<Made extends World>(emulator: Made): Made {
  emulator.github.repo().isPrivate = true
  return emulator
}
const privateCode = (options: EmulatorOptions = {}) => privately(codeWorld({ ...PUBLIC, ...options }))

const docsPull = ({ github }: World) => github.repository(DOCS)?.pulls.get(77)
const docsState = ({ github }: World) => github.repository(DOCS)?.issues.get(77)?.state
/** What the action, or anybody, says on the pull request of the docs. */
const saidInDocs = ({ github }: World) => github.comments(77, DOCS).map(({ body }) => body)

test.each([
  ['an opened pull request', (emulator: World) => happens(emulator, 'opened')],
  ['a label', (emulator: World) => happens(emulator, 'labeled')],
  ['a command', (emulator: World) => emulator.ask('/docs Explain retries', { on: CODE })],
])(
  'H4 %s: the pull request of the docs is there at once, although the code is not merged',
  async (_, asks) => {
    const emulator = privateCode()
    expectOutcome(await asks(emulator), 'pull-request')
    expect(emulator.github.issue(CODE).state).toBe('open')
    expect(emulator.github.repository(DOCS)?.isPrivate).toBe(false)
    expect(docsState(emulator)).toBe('open')
  },
)

test('4.1 the agent gets the request, the text of the issue or pull request, and the changes of the code', async () => {
  const emulator = privateCode()
  await happens(emulator, 'opened', { inputs: { guidelines: 'none' } })
  const [request = '', fenced = ''] = halvesOf(emulator.prompts()[0])
  expect(request).toContain('Document this pull request.')
  expect(fenced).toContain('Add retries')
  expect(fenced).toContain('+first')
  await pushes(emulator, SECOND_PUSH)
  expect(emulator.prompts()[1]).toContain('+second')
})

test.each([
  ['by default', {}, false],
  ['with `context: true`', { context: 'true' }, false],
  ['with `context: conversation`', { context: 'conversation' }, true],
])('H4 %s, the conversation stays, or goes', async (_, inputs, goes) => {
  const emulator = privately(world(PUBLIC))
  emulator.github.addComment(ISSUE, { login: 'bob', body: 'The customer is Initech.' })
  expectOutcome(await emulator.ask('/docs Explain retries', { inputs }), 'pull-request')
  expect(emulator.prompts()[0]?.includes('Initech')).toBe(goes)
  expect(emulator.prompts()[0]).toContain('Nobody explains them.')
})

test('5.5 the action comments on the pull request of the docs neither at its start nor after a push nor at the merge', async () => {
  const emulator = privateCode()
  await happens(emulator, 'opened')
  await pushes(emulator, SECOND_PUSH)
  await closes(emulator, true)
  expect(docsState(emulator)).toBe('open')
  expect(saidInDocs(emulator)).toEqual([])
})

test('4.11 reviewers and labels show there', async () => {
  const emulator = privateCode()
  await happens(emulator, 'opened', { inputs: { reviewers: 'bob', labels: 'from-the-code' } })
  expect(docsPull(emulator)?.requestedReviewers).toEqual(['bob'])
  expect(emulator.github.repository(DOCS)?.issues.get(77)?.labels).toEqual(['from-the-code'])
  expect(saidInDocs(emulator)).toEqual([])
})

test.each([
  ['is merged', true, /^octo\/app#30 is merged.*octo\/docs#77.* documents it: you can merge that one now\./],
  ['is closed', false, /^octo\/app#30 was closed without a merge\..*octo\/docs#77.* close that one/],
])(
  '3.13 once the code %s, a comment on its own pull request says what to do with the docs',
  async (_, merged, said) => {
    const emulator = privateCode()
    await happens(emulator, 'opened')
    expectOutcome(await closes(emulator, merged), 'skipped', 'pull-request-closed')
    expect(emulator.lastWords(CODE)).toMatch(said)
  },
)

test('3.13 the docs were merged early: the status stays green, and nobody is told to merge them', async () => {
  const emulator = privateCode()
  await happens(emulator, 'opened')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  emulator.github.closePullRequest(77, { merged: true, repo: DOCS })
  const before = emulator.lastWords(CODE)
  await closes(emulator, true)
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  expect(emulator.lastWords(CODE)).toBe(before)
})

test('4.13 on the default branch alone, with the trigger that has secrets there, all of it is the same', async () => {
  const emulator = privateCode({ permissions: WRITES })
  const comes = (action: string, runId: number) =>
    emulator.act(
      { ...pulled(emulator, action), name: 'pull_request_target' },
      { runId, inputs: { prompt: 'Document this pull request.', 'commit-status': 'docs' } },
    )
  expectOutcome(await comes('opened', 41), 'pull-request')
  expect(saidOf(emulator)).toEqual([expect.stringMatching(/^pending/), DELIVERED])
  emulator.github.closePullRequest(CODE, { merged: true })
  expectOutcome(await comes('closed', 42), 'skipped', 'pull-request-closed')
  expect(emulator.lastWords(CODE)).toContain('you can merge that one now')
  expect(saidInDocs(emulator)).toEqual([])
})
