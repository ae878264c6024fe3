import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { CODE, codeWorld, happens } from '../helpers/code-world.ts'
import { setupRows } from '../helpers/setup-rows.ts'
import { errorsOf, expectOutcome, KEY_READ, READ, type World, world } from '../helpers/world.ts'

const DRY = { 'dry-run': 'true' }
const OPEN = { ...DRY, 'min-permission': 'none' }
const ALWAYS = { times: Number.POSITIVE_INFINITY } as const

const refuses = (emulator: World, status: number, error: string) =>
  emulator.faults.add({ match: READ, ...ALWAYS, fault: { kind: 'status', status, body: { error } } })

/** A query of GraphQL only reads. */
const writesOf = (emulator: World) =>
  emulator.calls().filter((call) => !call.startsWith('GET') && !call.endsWith('/graphql'))

const PAID = 'not proven: Only a request that costs credits proves it.'

test('1.5 a comment: the table has the key, each read and each trace, and the agent is asked nothing', {
  tags: 'bundle',
}, async () => {
  const emulator = world()
  const { said, ...result } = await emulator.ask('/docs Explain retries', { inputs: DRY })
  expectOutcome(result, 'skipped', 'dry-run')
  expect(emulator.calls('service')).toEqual([KEY_READ])
  expect(result.summary).toMatch(
    /### Setup\n\nEverything that could be checked works\. The table says what is not proven, and why\.\n[\s\S]*<summary>Prompt/,
  )
  expect(setupRows(result)).toEqual({
    'use the API key': 'works',
    "use the project, with the key's write scope": PAID,
    'spend credits': PAID,
    'read who has which permission': 'works',
    'read the comments of the thread': 'works',
    'react to the comment, and take that back': 'works',
    'write comments': 'works',
    "comment on the agent's pull request, with `reviewers` and `labels`":
      'not proven: It needs `pull-requests: write` under `permissions:`.',
    'reach the docs in another repository': expect.stringMatching(/^not proven: .*this repository alone/),
  })
  // Only the answer is left.
  expect(emulator.reactions(said.id)).toEqual(['+1'])
})

test('1.5 a schedule: it reads what its inputs need, and writes nothing', async () => {
  const emulator = world()
  emulator.merge({ title: 'Add retries' })
  const inputs = {
    ...{ ...DRY, 'changes-since': '7d', 'issue-title': 'Docs refresh', 'fix-attempts': '1' },
    ...{ reviewers: 'alice', 'commit-status': 'docs' },
  }
  const result = await emulator.refresh(1, inputs)
  expectOutcome(result, 'skipped', 'dry-run')
  expect(setupRows(result)).toMatchObject({
    'use the API key': 'works',
    'read the merged pull requests': 'works',
    'read the comments of the repository': 'works',
    'read checks and statuses': 'works',
    'write comments': 'not proven: It needs `issues: write` under `permissions:`.',
    'create the issue of `issue-title`': 'not proven: It needs `issues: write` under `permissions:`.',
    'set the commit status': 'not proven: It needs `statuses: write` under `permissions:`.',
  })
  expect(writesOf(emulator)).toEqual([])
})

test.each([
  ['refused', 401, 'Invalid API key', 'test-key', 'unauthorized', /wrong or has expired/],
  ['of another kind', 403, 'Forbidden', 'mint_dsc_1234', 'forbidden', /`?mint_dsc_`? like an assistant key/],
  ['without its scope', 403, 'Missing scope', 'test-key', 'forbidden', /lacks a scope/],
  ['blocked by an allow list', 403, 'IP address not allowed', 'test-key', 'forbidden', /IP allowlist/],
] as const)('1.5 a key that is %s ends the run as such', async (_, status, error, key, reason, says) => {
  const emulator = world()
  refuses(emulator, status, error)
  const result = await emulator.ask('/docs Explain retries', { inputs: { ...DRY, 'api-key': key } })
  expectOutcome(result, 'error', reason)
  expect(errorsOf(result)[0]).toContain('check the API key')
  expect(errorsOf(result)[0]).toMatch(says)
  expect(result.summary).not.toContain('Everything that could be checked works')
  expect(emulator.calls('service')).toEqual([KEY_READ])
})

test('1.5 what the token may not do has its line', async () => {
  const emulator = world()
  const body = { message: 'Resource not accessible by integration' }
  const fault = { kind: 'status', status: 403, body } as const
  emulator.faults.add({ match: { host: 'github', path: /\/check-runs$/ }, ...ALWAYS, fault })
  emulator.faults.add({ match: { host: 'github', path: /\/reactions$/ }, ...ALWAYS, fault })
  const inputs = { ...DRY, 'fix-attempts': '1' }
  const result = await emulator.ask('/docs Explain retries', { inputs })
  expectOutcome(result, 'skipped', 'dry-run')
  expect(result.summary).toContain('2 checks failed: the table says what to change.')
  const rows = setupRows(result)
  expect(rows['read checks and statuses']).toMatch(/^\*\*does not work\*\*.*`checks: read`/)
  expect(rows['react to the comment, and take that back']).toMatch(
    /^\*\*does not work\*\*.*Add the line `issues: write`/,
  )
})

test.each<[string, EmulatorOptions, readonly Check[], RegExp]>([
  ['works', { permissions: { actions: 'read' } }, [{ name: 'build' }], /^works$/],
  [
    'works where a log is gone',
    { permissions: { actions: 'read' } },
    [{ name: 'build', log: null }],
    /^works$/,
  ],
  ['has its line', {}, [{ name: 'build' }], /^\*\*does not work\*\*.*Add the line `actions: read`/],
  [
    'is not proven without a job',
    {},
    [{ name: 'build', app: 'netlify' }],
    /^not proven: It needs `actions: read`/,
  ],
  ['is not proven without a check', {}, [], /^not proven: It needs `actions: read`/],
])('1.5 to read the logs of failing jobs %s', async (_, options, checks, expected) => {
  const emulator = world(options)
  emulator.github.addChecks(emulator.github.branchHead('main'), checks)
  const inputs = { ...DRY, 'fix-attempts': '1' }
  const result = await emulator.ask('/docs Explain retries', { inputs })
  expect(setupRows(result)['read the logs of failing jobs']).toMatch(expected)
  expect(emulator.requests.filter(({ host }) => host === 'storage')).toEqual([])
})

test('1.5 a pull request: head, files and comments of the repository', async () => {
  const emulator = codeWorld()
  const result = await happens(emulator, 'labeled', { inputs: DRY })
  expectOutcome(result, 'skipped', 'dry-run')
  expect(setupRows(result)).toMatchObject({
    'read the pull request': 'works',
    'read the changed files': 'works',
    'read the comments of the repository': 'works',
  })
  expect(writesOf(emulator)).toEqual([])
})

test.each([
  ['alone', ''],
  ['with a reason', ' because only typos'],
  ['with a commit status', ': only tests'],
])('1.5 3.2 `/docs skip` %s: there is no prompt to send, and the answer says what to do', async (_, why) => {
  const emulator = codeWorld()
  const inputs = { ...DRY, 'commit-status': why === '' ? '' : 'docs' }
  const result = await emulator.ask(`/docs skip${why}`, { on: CODE, inputs })
  expectOutcome(result, 'skipped', 'dry-run')
  for (const words of [emulator.lastWords(CODE), result.summary]) {
    expect(words).toContain('A dry run remembers no skip. Remove `dry-run` to say that')
    expect(words).not.toMatch(/shows what works|to send it/)
  }
})

test.each<[string, (emulator: World) => Promise<RunResult>]>([
  ['a comment that everybody may write', (emulator) => emulator.ask('/docs Explain', { inputs: OPEN })],
  ['a label that everybody may set', (emulator) => happens(emulator, 'labeled', { inputs: OPEN })],
  ['a schedule', (emulator) => emulator.refresh(1, DRY)],
])('1.5 %s: no permission is read, and the table says nothing of one', async (_, comes) => {
  const emulator = codeWorld()
  const rows = setupRows(await comes(emulator))
  expect(rows['use the API key']).toBe('works')
  expect(rows).not.toHaveProperty('read who has which permission')
})
