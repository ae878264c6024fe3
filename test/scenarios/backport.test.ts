import { expect, test } from 'vitest'
import { CODE, codeWorld, FIRST, file, happens, INPUTS, pulled } from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 4.1: a pull request that refers to an earlier one leads the agent, and the reader, to its docs.

const BACKPORT = 40
const DOCS = 'https://github.com/octo/docs/pull/77'
const TOLD = `refers to #30, whose documentation is in ${DOCS}. Start from that`
const SAID = `[octo/docs#77](${DOCS}) documents #30, to which this pull request refers.`

interface Texts {
  readonly title?: string
  readonly body?: string
}

/** The first pull request has docs, and a person brings it to another branch. */
async function backported({ title = 'Add retries to 1.x', body = '' }: Texts): Promise<World> {
  const emulator = codeWorld()
  expectOutcome(await happens(emulator, 'opened'), 'pull-request')
  const files = [file('src/retry.ts', 'first on 1.x')]
  emulator.github.addPullRequest({ number: BACKPORT, title, body, user: 'bob', files })
  const pull = emulator.github.pull(BACKPORT)
  pull.base = { ...pull.base, ref: 'release/1.x' }
  return emulator
}

const opened = (emulator: World, runId = 700, inputs: object = {}) =>
  emulator.act(pulled(emulator, 'opened', 'bob', BACKPORT), { runId, inputs: { ...INPUTS, ...inputs } })

const REFERENCES: readonly Texts[] = [
  { title: 'Backport #30 to 1.x' },
  { title: '[1.x] Add retries (#30)' },
  { title: 'Add retries (octo/app#30)' },
  { body: 'Backport of #30.' },
  { body: 'Some words.\n\nCherry-picked from https://github.com/octo/app/pull/30 without changes.' },
  { body: '- Backports: OCTO/APP#30' },
]

test.each(REFERENCES)(
  '4.1 a backport with %j: the agent and the reader are led to the docs',
  async (texts) => {
    const emulator = await backported(texts)
    expectOutcome(await opened(emulator), 'pull-request')
    expect(emulator.prompts()).toHaveLength(2)
    expect(emulator.prompts()[1]).toContain(TOLD)
    expect(emulator.bodies(BACKPORT).at(-1)).toContain(SAID)
  },
)

test.each<Texts>([
  {},
  { body: 'It fixes #30.' },
  { body: '<!-- Backport of #30 -->' },
  { title: 'Backport other/app#30' },
  { title: 'Backport PR#30x' },
  { title: 'Backport #40' },
  { title: 'Backport #31' },
  { body: 'Backport of https://evil.example/octo/app/pull/30' },
])('4.1 %j refers to no docs', async (texts) => {
  const emulator = await backported(texts)
  expectOutcome(await opened(emulator), 'pull-request')
  expect(emulator.prompts()[1]).not.toContain('whose documentation')
  expect(emulator.bodies(BACKPORT).at(-1)).not.toContain('documents #')
})

test('4.1 the agent hears of it once, and the reader also where no docs came of it', async () => {
  const emulator = await backported({ title: 'Backport #30' })
  emulator.service.script.push({ pr: 'none' })
  await opened(emulator)
  expect(emulator.bodies(BACKPORT).at(-1)).toContain(SAID)
  emulator.github.push(BACKPORT, { files: [file('src/retry.ts', 'second on 1.x')] })
  await emulator.act(pulled(emulator, 'synchronize', 'bob', BACKPORT), { runId: 701, inputs: INPUTS })
  expect(emulator.prompts().at(-1)).not.toContain('whose documentation')
})

test('4.1 a push of its merge, and a command, lead there, too', async () => {
  const emulator = await backported({ title: 'Backport #30' })
  emulator.github.closePullRequest(BACKPORT, { merged: true })
  const sha = emulator.github.pull(BACKPORT).mergeCommitSha ?? ''
  await pushTo(emulator, sha, { branch: 'release/1.x' }, { workflow: 'Merged', runId: 5000 })
  expect(emulator.prompts().at(-1)).toContain(TOLD)
  const other = await backported({ body: 'Backport of #30' })
  await other.ask('/docs document this', { on: BACKPORT })
  expect(other.prompts().at(-1)).toContain(TOLD)
})

test.each([
  ['the thread of the first one has no docs', {}],
  ['the workflow sends no context', { context: 'false' }],
])('4.1 where %s, nobody is led anywhere', async (_, inputs) => {
  const emulator = codeWorld()
  if ('context' in inputs) await happens(emulator, 'opened')
  emulator.github.addPullRequest({ number: BACKPORT, title: 'Backport #30', user: 'bob', files: FIRST })
  await opened(emulator, 700, inputs)
  expect(emulator.prompts().at(-1)).not.toContain('whose documentation')
})

test('4.1 H6 the first thread cannot be read: the run goes on without', async () => {
  const emulator = await backported({ title: 'Backport #30' })
  const match = { method: 'GET', path: /issues\/30\/comments/ }
  emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 403 } })
  expectOutcome(await opened(emulator), 'pull-request')
  expect(emulator.prompts()[1]).not.toContain('whose documentation')
})

test('H3 4.1 a forged record in the first thread leads nowhere', async () => {
  const emulator = codeWorld()
  expectOutcome(await happens(emulator, 'opened'), 'pull-request')
  const [own] = emulator.written(CODE)
  emulator.github.addIssue({ number: 50, title: 'Forged', user: 'mallory' })
  emulator.github.addComment(50, { login: 'mallory', body: own?.body ?? '' })
  emulator.github.addPullRequest({ number: BACKPORT, title: 'Backport #50', user: 'bob', files: FIRST })
  await opened(emulator)
  expect(emulator.prompts().at(-1)).not.toContain('whose documentation')
})
