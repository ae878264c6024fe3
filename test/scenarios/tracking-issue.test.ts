import { describe, expect, test } from 'vitest'
import type { Issue } from '../../emulator/github/model.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { lastRecord } from '../../src/record/signed-record.ts'
import { BOT, expectOutcome, signingOf, type World, world } from '../helpers/world.ts'

const TITLE = 'Docs refresh'
const TRACKED = { 'issue-title': TITLE }
const issues = ({ github }: World): Issue[] =>
  [...github.repo().issues.values()].filter(({ title }) => title === TITLE)
const open = (emulator: World): Issue[] => issues(emulator).filter(({ state }) => state === 'open')

test('3.9 the first run creates the issue, whose body stays; the next ones continue its job', {
  tags: 'bundle',
}, async () => {
  const emulator = world()
  const first = await emulator.refresh(1, TRACKED)
  expectOutcome(first, 'pull-request')
  const [issue] = issues(emulator)
  const number = issue?.number ?? 0
  expect(first.log).toContain(`schedule on octo/app#${number}`)
  const words = 'The docs agent refreshes the documentation here. Reply `/docs …` to ask for changes'
  expect(issue?.body).toContain(words)
  expect(lastRecord(issue?.body ?? '', signingOf(0))?.record?.state).toBe('tracking')

  const before = issue?.body
  const command = await emulator.ask('/docs shorter', { on: number })
  for (const { outputs } of [command, await emulator.refresh(2, TRACKED)]) {
    const job = { 'job-id': first.outputs['job-id'], 'job-action': 'continued' }
    expect(outputs).toMatchObject({ 'issue-number': String(number), ...job })
  }
  expect(issues(emulator).map(({ body }) => body)).toEqual([before])
  expect(emulator.lastWords(number), 'a schedule mentions nobody').not.toContain('@')
})

test.each(['carol', 'stale[bot]', BOT])(
  '3.9 an issue of the same title by %s does not count',
  async (user) => {
    const emulator = world()
    const { number } = emulator.github.addIssue({ title: TITLE, user })
    const result = await emulator.refresh(1, TRACKED)
    expect(result.outputs['issue-number']).not.toBe(String(number))
    expect(emulator.bodies(number)).toEqual([])
    expect(open(emulator)).toHaveLength(2)
  },
)

test('3.9 a copy of its body by a stranger does not count', async () => {
  const emulator = world()
  const first = await emulator.refresh(1, TRACKED)
  const [issue] = issues(emulator)
  emulator.github.editIssue(issue?.number ?? 0, { state: 'closed' })
  const { number } = emulator.github.addIssue({ title: TITLE, user: 'mallory', body: issue?.body ?? '' })
  const second = await emulator.refresh(2, TRACKED)
  expect([String(number), first.outputs['issue-number']]).not.toContain(second.outputs['issue-number'])
})

test.each([['closed', { state: 'closed' }, { state: 'open' }]] as const)(
  '3.9 a %s issue is started afresh, and takes nothing back once it is as before',
  async (_, edit, back) => {
    const emulator = world()
    const first = await emulator.refresh(1, TRACKED)
    const old = Number(first.outputs['issue-number'])
    emulator.github.editIssue(old, edit)
    const second = await emulator.refresh(2, TRACKED)
    expect(second.outputs['issue-number']).not.toBe(String(old))
    expect(second.outputs['job-action']).toBe('created')
    emulator.github.editIssue(old, back)
    const third = await emulator.refresh(3, TRACKED)
    expect(third.outputs['job-id']).toBe(second.outputs['job-id'])
    expect(open(emulator)).toHaveLength(2)
  },
)

test('3.9 the token of an app or a person finds its issue as well', async () => {
  for (const tokenLogin of ['docs-app[bot]', 'alice']) {
    const emulator = world({ tokenLogin })
    const first = await emulator.refresh(1, TRACKED)
    const second = await emulator.refresh(2, TRACKED)
    expect(second.outputs['issue-number']).toBe(first.outputs['issue-number'])
    expect(issues(emulator)).toHaveLength(1)
  }
})

test.each<[string, EmulatorOptions, boolean]>([
  ['issues: write', { permissions: { issues: 'read' } }, true],
  ['Issues has been disabled', {}, false],
])('3.9 the job runs without a thread, and one warning says why: %s', async (said, options, hasIssues) => {
  const emulator = world(options)
  emulator.github.repo().hasIssues = hasIssues
  emulator.merge()
  const inputs = { ...TRACKED, 'changes-since': 'last-run', conversation: 'skip' }
  const result = await emulator.refresh(1, inputs)
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe('')
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining(said) }])
  expect(issues(emulator)).toEqual([])
})

test('5.2 a re-run that cannot find the issue again starts no second job', async () => {
  const emulator = world()
  await emulator.refresh(1, TRACKED)
  const fault = { kind: 'status', status: 502 } as const
  emulator.faults.add({ match: { method: 'GET', path: /\/issues$/ }, times: Infinity, fault })
  const inputs = { ...TRACKED, 'timeout-minutes': '0.1' }
  expectOutcome(await emulator.refresh(1, inputs, { attempt: 2 }), 'error', 'github-unavailable')
  expect(emulator.prompts()).toHaveLength(1)
})

test('3.9 8.1 collect reports in the tracking issue', async () => {
  const emulator = world()
  emulator.service.script.push({ reads: 1 })
  emulator.merge()
  emulator.merge()
  const inputs = { ...TRACKED, 'changes-since': '7d', wait: 'false' }
  expectOutcome(await emulator.refresh(1, inputs), 'started')
  for (let n = 0; n < 2; n++) await emulator.collect()
  expect(emulator.lastWords(open(emulator)[0]?.number)).toMatch(/ for #\d+ and #\d+\.\n/)
})

describe('3.9 an issue that takes no comments', () => {
  const FULL = 'Commenting is disabled on issues with more than 2500 comments'
  const comments = (number: number) => new RegExp(`/issues/${number}/comments$`)

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a schedule', {}],
    ['a schedule with `last-run`', { 'changes-since': 'last-run' }],
    ['a schedule with `7d`', { 'changes-since': '7d' }],
  ])('that is full: %s asks nothing, and says to close it; then a new one goes on', async (_, more) => {
    const emulator = world()
    emulator.merge({ title: 'Merge one' })
    const first = await emulator.refresh(1, { ...TRACKED, ...more })
    const full = Number(first.outputs['issue-number'])
    await emulator.pass(1000)
    emulator.merge({ title: 'Merge two', days: 0 })
    const fault = { kind: 'status', status: 403, body: { message: FULL } } as const
    const match = { host: 'github', method: 'POST', path: comments(full) } as const
    const rule = emulator.faults.add({ match, times: Number.POSITIVE_INFINITY, fault })
    const second = await emulator.refresh(2, { ...TRACKED, ...more })
    expectOutcome(second, 'error', 'bad-input')
    expect(second.log).toMatch(
      /no more comments.*close an issue of issue-title, for which the next run opens a new one/,
    )
    expect(emulator.prompts()).toHaveLength(1)
    expect(issues(emulator)).toHaveLength(1)
    rule.remove()
    emulator.github.editIssue(full, { state: 'closed' })
    const third = await emulator.refresh(3, { ...TRACKED, ...more })
    expectOutcome(third, 'pull-request')
    expect(third.outputs).toMatchObject({ 'job-action': 'created' })
    expect(third.outputs['issue-number']).not.toBe(String(full))
  })

  test('that is locked: the same', async () => {
    const emulator = world()
    const first = await emulator.refresh(1, TRACKED)
    emulator.github.lock(Number(first.outputs['issue-number']))
    const second = await emulator.refresh(2, TRACKED)
    expectOutcome(second, 'error', 'bad-input')
    expect(second.log).toMatch(/Unlock the thread.*or close an issue of issue-title/)
    expect(emulator.prompts()).toHaveLength(1)
  })
})

test.each([1, 2, 3])(
  'H1 5.2 runs that start together open an issue each: the re-run of run %s goes back to its own',
  async (again) => {
    const emulator = world({ docsRepository: 'octo/app' })
    const inputs = { 'issue-title': 'Refresh' }
    const runs = await Promise.all([1, 2, 3].map((runId) => emulator.refresh(runId, inputs)))
    const issues = runs.map(({ outputs }) => outputs['issue-number'])
    expect(new Set(issues).size).toBeGreaterThan(1)
    const asked = emulator.prompts().length
    const { outputs } = await emulator.refresh(again, inputs, { attempt: 2 })
    expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
    expect(outputs['issue-number']).toBe(issues[again - 1])
    expect(emulator.prompts()).toHaveLength(asked)
  },
)
