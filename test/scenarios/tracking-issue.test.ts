import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Issue } from '../../emulator/github/model.ts'
import { startAction } from '../../emulator/runner.ts'
import { verifyRecord } from '../../src/request/record.ts'
import { collect } from '../collect/helpers.ts'
import {
  ask,
  BOT,
  bodies,
  calls,
  expectOutcome,
  given,
  interrupted,
  lastWords,
  prompts,
  READ,
  signingOf,
  world,
} from './conversation-helpers.ts'
import { DAY_MS, merge, PROMPT, refresh, SCHEDULE } from './refresh-helpers.ts'

const TITLE = 'Docs refresh'
const TRACKED = { 'issue-title': TITLE }
const CREATE_ISSUE = { host: 'github', method: 'POST', path: /\/issues$/ } as const

const issues = ({ github, settings }: Emulator): Issue[] =>
  [...(github.repository(settings.repository)?.issues.values() ?? [])].filter(({ title }) => title === TITLE)
const open = (emulator: Emulator): Issue[] => issues(emulator).filter(({ state }) => state === 'open')

test('3.9 the first run creates the issue, the next one continues its job there', async () => {
  const emulator = await world()
  const first = await refresh(emulator, 1, TRACKED)
  expectOutcome(first, 'pull-request')
  const [issue] = issues(emulator)
  expect(first.outputs['issue-number']).toBe(String(issue?.number))
  expect(first.log).toContain(`schedule on octo/app#${issue?.number}`)
  const second = await refresh(emulator, 2, TRACKED)
  expect(second.outputs).toMatchObject({
    'issue-number': String(issue?.number),
    'job-id': first.outputs['job-id'],
    'job-action': 'continued',
  })
  expect(issues(emulator)).toHaveLength(1)
})

test('3.9 the body says what it is for, and shows the last refresh', async () => {
  const emulator = await world()
  await refresh(emulator, 1, TRACKED)
  const [issue] = issues(emulator)
  const words = 'The docs agent refreshes the documentation here. Reply `/docs …` to ask for changes'
  expect(issue?.body).toContain(words)
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(Date.now())
  expect(issue?.body).toContain(`Last refresh: ${day}, opened [octo/docs#77](https://`)
  expect(verifyRecord(issue?.body ?? '', signingOf(issue?.number))?.state).toBe('tracking')
})

test('3.9 it counts merged pull requests, and what people wrote into it stays', async () => {
  const emulator = await world()
  await refresh(emulator, 1, TRACKED)
  const number = open(emulator)[0]?.number ?? 0
  emulator.github.editIssue(number, { body: `Ours since 2024.\n\n${open(emulator)[0]?.body}` })
  merge(emulator)
  merge(emulator)
  await refresh(emulator, 2, { ...TRACKED, 'changes-since': '7d' })
  const body = open(emulator)[0]?.body ?? ''
  expect(body).toMatch(/^Ours since 2024\./)
  expect(body).toMatch(
    /^Last refresh: .*, finished its work on \[octo\/docs#77\]\(.*\), 2 merged pull requests\.$/m,
  )
  expect(body.match(/Last refresh/g)).toHaveLength(1)
})

test('3.9 a command in the issue continues the job, and is no refresh', async () => {
  const emulator = await world()
  const first = await refresh(emulator, 1, TRACKED)
  const [issue] = issues(emulator)
  const before = issue?.body
  const { result } = await ask(emulator, '/docs shorter', { on: issue?.number ?? 0 })
  expect(result.outputs['job-id']).toBe(first.outputs['job-id'])
  expect(issue?.body).toBe(before)
})

test('5.8 a run that finds its issue asks GitHub three times in a row before it asks the agent', async () => {
  const emulator = await world()
  await refresh(emulator, 1, TRACKED)
  emulator.clearRequests()
  await refresh(emulator, 2, { ...TRACKED, conversation: 'new' })
  const all = calls(emulator)
  const before = all.slice(
    0,
    all.findIndex((call) => call.startsWith('POST') && call.endsWith('/job')),
  )
  const number = issues(emulator)[0]?.number
  expect(before.toSorted()).toEqual([
    `GET /repos/octo/app/issues`,
    `GET /repos/octo/app/issues/${number}/comments`,
    'GET /user',
    `POST /repos/octo/app/issues/${number}/comments`,
  ])
})

test('3.9 two runs that start together leave one open issue', async () => {
  const emulator = await world()
  const runs = await Promise.all([refresh(emulator, 1, TRACKED), refresh(emulator, 2, TRACKED)])
  const [issue, ...more] = open(emulator)
  expect(more).toEqual([])
  for (const { outputs } of runs) expect(outputs['issue-number']).toBe(String(issue?.number))
  for (const other of issues(emulator).filter(({ state }) => state === 'closed')) {
    expect(other.stateReason).toBe('not_planned')
    expect(other.number).toBeGreaterThan(issue?.number ?? 0)
  }
})

test('3.9 another run that creates its issue first wins', async () => {
  const emulator = await world()
  const call = async () => void (await refresh(emulator, 2, TRACKED))
  emulator.faults.add({ match: CREATE_ISSUE, fault: { kind: 'call', call } })
  const late = await refresh(emulator, 1, TRACKED)
  expect(open(emulator)).toHaveLength(1)
  expect(issues(emulator)).toHaveLength(2)
  expect(late.outputs['issue-number']).toBe(String(Math.min(...issues(emulator).map(({ number }) => number))))
  expect(late.outputs['job-action']).toBe('continued')
}, 60_000)

test.each([
  { kind: 'reset', when: 'after' },
  { kind: 'status', status: 502, when: 'after' },
] as const)('3.9 the answer to the creation is lost (%o): one issue', async (fault) => {
  const emulator = await world()
  emulator.faults.add({ match: CREATE_ISSUE, fault })
  const result = await refresh(emulator, 1, TRACKED)
  expectOutcome(result, 'pull-request')
  expect(issues(emulator)).toHaveLength(1)
  expect(result.outputs['issue-number']).toBe(String(issues(emulator)[0]?.number))
})

test('3.9 killed right after the creation: the next run uses that issue', async () => {
  const emulator = await world()
  const running = startAction(given(emulator, SCHEDULE, { inputs: { ...PROMPT, ...TRACKED }, runId: 1 }))
  const call = () => void running.child.kill('SIGKILL')
  emulator.faults.add({ match: CREATE_ISSUE, fault: { kind: 'call', when: 'after', call } })
  await running.done
  expect(issues(emulator)).toHaveLength(1)
  expectOutcome(await refresh(emulator, 2, TRACKED), 'pull-request')
  expect(issues(emulator)).toHaveLength(1)
})

test.each(['carol', 'stale[bot]', BOT])(
  '3.9 an issue of the same title by %s does not count',
  async (user) => {
    const emulator = await world()
    const { number } = emulator.github.addIssue({ title: TITLE, user })
    const result = await refresh(emulator, 1, TRACKED)
    expect(result.outputs['issue-number']).not.toBe(String(number))
    expect(bodies(emulator, number)).toEqual([])
    expect(open(emulator)).toHaveLength(2)
  },
)

test('3.9 a copy of its body by a stranger does not count', async () => {
  const emulator = await world()
  emulator.faults.add({
    match: { method: 'PATCH', path: /\/issues\/\d+$/ },
    fault: { kind: 'status', status: 403 },
  })
  const first = await refresh(emulator, 1, TRACKED)
  const [issue] = issues(emulator)
  emulator.github.editIssue(issue?.number ?? 0, { state: 'closed' })
  const { number } = emulator.github.addIssue({ title: TITLE, user: 'mallory', body: issue?.body ?? '' })
  const second = await refresh(emulator, 2, TRACKED)
  expect([String(number), first.outputs['issue-number']]).not.toContain(second.outputs['issue-number'])
})

test.each([
  ['closed', { state: 'closed' }],
  ['renamed', { title: 'Something else' }],
] as const)('3.9 a %s issue is started afresh', async (_, edit) => {
  const emulator = await world()
  const first = await refresh(emulator, 1, TRACKED)
  emulator.github.editIssue(Number(first.outputs['issue-number']), edit)
  const second = await refresh(emulator, 2, TRACKED)
  expect(second.outputs['issue-number']).not.toBe(first.outputs['issue-number'])
  expect(second.outputs['job-action']).toBe('created')
})

test('3.9 each project has an issue of its own', async () => {
  const emulator = await world({ otherProjects: ['api'] })
  const first = await refresh(emulator, 1, TRACKED)
  const second = await refresh(emulator, 2, { ...TRACKED, 'project-id': 'api' })
  expect(second.outputs['issue-number']).not.toBe(first.outputs['issue-number'])
})

test('3.9 the token of an app or a person finds its issue as well', async () => {
  for (const tokenLogin of ['docs-app[bot]', 'alice']) {
    const emulator = await world({ tokenLogin })
    const first = await refresh(emulator, 1, TRACKED)
    const second = await refresh(emulator, 2, TRACKED)
    expect(second.outputs['issue-number']).toBe(first.outputs['issue-number'])
    expect(issues(emulator)).toHaveLength(1)
  }
})

const noThread = (emulator: Emulator, result: Awaited<ReturnType<typeof refresh>>, said: string) => {
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe('')
  const warnings = result.annotations.filter(({ level }) => level === 'warning')
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining(said)])
  expect(issues(emulator)).toEqual([])
}

test('3.9 without issues: write the job runs without a thread, and one warning names the permission', async () => {
  const emulator = await world({ permissions: { issues: 'read' } })
  noThread(emulator, await refresh(emulator, 1, TRACKED), 'issues: write')
})

test('3.9 the same where the repository has no issues', async () => {
  const emulator = await world()
  emulator.github.setIssues(false)
  noThread(emulator, await refresh(emulator, 1, TRACKED), 'Issues has been disabled')
})

test('3.9 an old issue that people reopen takes nothing from the current one, and stays open', async () => {
  const emulator = await world()
  await refresh(emulator, 1, TRACKED)
  const [old] = issues(emulator)
  emulator.github.editIssue(old?.number ?? 0, { state: 'closed' })
  const second = await refresh(emulator, 2, TRACKED)
  emulator.github.editIssue(old?.number ?? 0, { state: 'open' })
  const third = await refresh(emulator, 3, TRACKED)
  expect(third.outputs).toMatchObject({
    'issue-number': second.outputs['issue-number'],
    'job-id': second.outputs['job-id'],
  })
  expect(open(emulator)).toHaveLength(2)
})

test('5.2 a re-run that cannot find the issue again starts no second job', async () => {
  const emulator = await world()
  await refresh(emulator, 1, TRACKED)
  const fault = { kind: 'status', status: 502 } as const
  emulator.faults.add({ match: { method: 'GET', path: /\/issues$/ }, times: Infinity, fault })
  const inputs = { ...TRACKED, 'timeout-minutes': '0.1' }
  expectOutcome(await refresh(emulator, 1, inputs, { attempt: 2 }), 'error', 'github-unavailable')
  expect(prompts(emulator)).toHaveLength(1)
})

test('6.2 a run that is killed while it waits reports in the tracking issue', async () => {
  const emulator = await world()
  const run = given(emulator, SCHEDULE, { inputs: { ...PROMPT, ...TRACKED }, runId: 1 })
  await interrupted(emulator, run, READ, { fault: { kind: 'stall' } })
  const [issue] = issues(emulator)
  expect(lastWords(emulator, issue?.number)).toMatch(/^\*\*⏹️ The run was cancelled/)
  expect(issue?.body).toMatch(/^Last refresh: .*, still working\.$/m)
})

test('3.9 8.1 collect shows the refresh whose end it reports', async () => {
  const emulator = await world()
  emulator.service.script.push({ reads: 1 })
  merge(emulator)
  merge(emulator)
  const inputs = { ...TRACKED, 'changes-since': '7d', wait: 'false' }
  expectOutcome(await refresh(emulator, 1, inputs), 'started')
  expect(open(emulator)[0]?.body).toMatch(/^Last refresh: .*, still working, 2 merged pull requests\.$/m)
  for (let n = 0; n < 2; n++) await collect(emulator)
  expect(open(emulator)[0]?.body).toMatch(/^Last refresh: .*, opened \[octo.*, 2 merged pull requests\.$/m)
  expect(lastWords(emulator, open(emulator)[0]?.number)).toMatch(/ for #\d+ and #\d+\.\n/)
})

test('1 a dry run creates no issue', async () => {
  const emulator = await world()
  expectOutcome(await refresh(emulator, 1, { ...TRACKED, 'dry-run': 'true' }), 'skipped', 'dry-run')
  expect(issues(emulator)).toEqual([])
})

test('3.6 issue-number comes before issue-title', async () => {
  const emulator = await world()
  const result = await refresh(emulator, 1, { ...TRACKED, 'issue-number': '12' })
  expect(result.outputs['issue-number']).toBe('12')
  expect(issues(emulator)).toEqual([])
})

test('3.9 hundreds of open issues do not hide it', async () => {
  const emulator = await world()
  const first = await refresh(emulator, 1, TRACKED)
  for (let n = 0; n < 250; n++) emulator.github.addIssue({ title: `Stale ${n}`, user: BOT })
  const second = await refresh(emulator, 1 + DAY_MS, TRACKED)
  expect(second.outputs['issue-number']).toBe(first.outputs['issue-number'])
})
