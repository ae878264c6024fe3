import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { FIRST, pulled } from '../helpers/code-world.ts'
import { CREATE, DAY_MS, expectOutcome, ISSUE, ownWorld, type World, world } from '../helpers/world.ts'

const SINCE = { 'issue-number': String(ISSUE), 'changes-since': 'last-run' }
const asked = (emulator: World) => emulator.prompts().at(-1) ?? ''

test('3.10 last-run: at first seven days, then from the newest merge, in a message to the same job', {
  tags: 'bundle',
}, async () => {
  const emulator = world()
  emulator.merge({ title: 'Old change', days: 8 })
  const files = [{ filename: 'src/retry.ts', additions: 3, patch: '+retry' }]
  const body = 'Retries **twice**.<!-- hidden -->'
  const { number } = emulator.merge({ title: 'New change', body, files, days: 6 })
  const first = await emulator.refresh(1, SINCE)
  expectOutcome(first, 'pull-request')
  const url = `https://github.com/octo/app/pull/${number}`
  for (const part of ['New change', 'Retries twice.', url, '1 changed file', '--- src/retry.ts', '+retry']) {
    expect(asked(emulator)).toContain(part)
  }
  expect(asked(emulator)).not.toMatch(/Old change|hidden/)

  emulator.merge({ title: 'Next change', days: 2 })
  const second = await emulator.refresh(2, SINCE)
  expect(second.outputs).toMatchObject({ 'job-id': first.outputs['job-id'], 'job-action': 'continued' })
  expect(asked(emulator)).toContain('Next change')
  expect(asked(emulator)).not.toContain('New change')

  const said = emulator.bodies()
  emulator.clearRequests()
  const third = await emulator.refresh(3, SINCE)
  expectOutcome(third, 'skipped', 'no-changes')
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.bodies()).toEqual(said)
  expect(third.log).toMatch(/Nothing was merged into main since \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
})

test.each([
  ['changes-since', 'last-run', 'goes back seven days'],
  ['conversation', 'skip', 'every run starts a new one'],
])(
  '3.10 5.4 `%s: %s` with `comment: off`: one warning says that no thread remembers',
  async (name, value, said) => {
    const emulator = world()
    emulator.merge()
    const { annotations } = await emulator.refresh(1, {
      'issue-title': 'Docs',
      [name]: value,
      comment: 'off',
    })
    expect(annotations).toEqual([{ level: 'warning', message: expect.stringContaining(said) }])
    expect(annotations[0]?.message).toContain('comment: off')
  },
)

test('3.10 a merge of the same second as the last one that was covered is not lost', async () => {
  const emulator = world()
  const at = emulator.daysAgo(2)
  const merge = (title: string) => {
    const { number } = emulator.github.addPullRequest({ user: 'alice', title })
    emulator.github.closePullRequest(number, { merged: true, at })
  }
  merge('First change')
  await emulator.refresh(1, SINCE)
  merge('Second change')
  expectOutcome(await emulator.refresh(2, SINCE), 'pull-request')
  expect(asked(emulator)).toContain('Second change')
  expect(asked(emulator)).not.toContain('First change')
})

test('3.11 last-run counts from the newest merge that counted by its labels', async () => {
  const emulator = world()
  const inputs = { ...SINCE, 'merged-labels': 'feature' }
  emulator.merge({ title: 'First feature', labels: ['feature'], days: 4 })
  const unlabelled = emulator.merge({ title: 'Labelled later', days: 3 })
  await emulator.refresh(1, inputs)
  expect(asked(emulator)).not.toContain('Labelled later')
  expectOutcome(await emulator.refresh(2, inputs), 'skipped', 'no-changes')
  emulator.github.addLabels(unlabelled.number, ['Feature'])
  expectOutcome(await emulator.refresh(3, inputs), 'pull-request')
  expect(asked(emulator)).toContain('Labelled later')
})

test.each<[string, Turn, Fault?]>([
  ['a job that fails', { ending: 'failed' }],
  ['a request that the service refuses', {}, { kind: 'status', status: 402 }],
])('3.10 %s does not move the point', async (_, turn, fault) => {
  const emulator = world()
  emulator.merge({ title: 'First change' })
  emulator.service.script.push(turn)
  if (fault !== undefined) emulator.faults.add({ match: CREATE, fault })
  await emulator.refresh(1, SINCE)
  await emulator.refresh(2, SINCE)
  expect(emulator.prompts()).toHaveLength(2)
  expect(asked(emulator)).toContain('First change')
})

test('3.5 3.10 the agent’s own pull requests are left out, whoever opened them', async () => {
  const emulator = ownWorld({ prAuthor: 'alice' })
  emulator.merge({ title: 'Add retries', days: 2 })
  await emulator.refresh(1, SINCE)
  emulator.github.closePullRequest(77 + 1, { merged: true })
  emulator.merge({ user: 'mintlify[bot]', days: 0.1 })
  const second = await emulator.refresh(2, SINCE)
  expectOutcome(second, 'skipped', 'no-changes')
  expect(second.log).toContain('Nothing but pull requests of the docs agent was merged into main since')
})

test.each([30, 31, 33])(
  '3.10 of 35 merges, the one at place %i moves to the first page meanwhile',
  async (place) => {
    const emulator = world()
    const merges = Array.from({ length: 35 }, (_, at) =>
      emulator.merge({ title: `Merge ${at}`, days: 1 + at / 10 }),
    )
    const moved = merges[place]?.number ?? 0
    const call = () => void emulator.github.editIssue(moved, { title: 'Moved' })
    emulator.faults.add({ match: { path: /\/pulls$/ }, skip: 1, fault: { kind: 'call', call } })
    await emulator.refresh(1, SINCE)
    expect(asked(emulator)).toMatch(/Pull requests merged into main since [^\n]*: 35\n/)
    expect(asked(emulator)).toContain(`- #${moved}: Moved`)
  },
)

test('3.10 only what was merged into the branch of the run counts', async () => {
  const emulator = world()
  emulator.merge({ title: 'Elsewhere', baseRef: 'next' })
  const closed = emulator.github.addPullRequest({ title: 'Rejected' }).number
  emulator.github.closePullRequest(closed)
  emulator.github.addPullRequest({ title: 'Open' })
  expectOutcome(await emulator.refresh(1, SINCE), 'skipped', 'no-changes')
  expectOutcome(await emulator.refresh(2, SINCE, { ref: 'refs/heads/next' }), 'pull-request')
  expect(asked(emulator)).toContain('Elsewhere')
})

test.each([
  ['3d', 2, 4],
  [new Date(Date.now() - 3 * DAY_MS).toISOString(), 2, 4],
])('3.10 changes-since %s', async (since, inside, outside) => {
  const emulator = world()
  emulator.merge({ title: 'Inside', days: inside })
  emulator.merge({ title: 'Outside', days: outside })
  expectOutcome(await emulator.refresh(1, { 'changes-since': since }), 'pull-request')
  expect(asked(emulator)).toContain('Inside')
  expect(asked(emulator)).not.toContain('Outside')
})

test('3.10 many: the titles of all, details of as many as fit, and how many are left out', async () => {
  const emulator = world()
  const files = [{ filename: 'src/a.ts', patch: `+${'x'.repeat(2000)}` }]
  for (let n = 0; n < 60; n++) {
    emulator.merge({
      title: `Change number ${n}`,
      body: `Body ${n}. ${'Words. '.repeat(100)}`,
      days: n / 10,
      files,
    })
  }
  // What changed last is not what was merged last.
  for (let n = 0; n < 30; n++) emulator.merge({ title: `Old ${n}`, days: 20 })
  expectOutcome(await emulator.refresh(1, SINCE), 'pull-request')
  const prompt = asked(emulator)
  for (let n = 0; n < 60; n++) expect(prompt).toMatch(new RegExp(`- #\\d+: Change number ${n}$`, 'm'))
  expect(prompt).not.toContain('Old ')
  expect(prompt).toContain('Body 0.')
  const detailed = prompt.match(/^Pull request #/gm)?.length ?? 0
  expect(prompt).toContain(`Left out: the details of ${60 - detailed} more pull requests.`)
  expect(prompt).not.toContain('More patches')
  expect(prompt.length).toBeLessThan(85_000)
  expect(emulator.calls('github').filter((call) => call.endsWith('/files')).length).toBeLessThan(40)
  expect(emulator.bodies().at(-1)).toContain('for at least 20 merged pull requests')
  expectOutcome(await emulator.refresh(2, SINCE), 'skipped', 'no-changes')
})

test('3.10 what cannot be read is said, and covered by the next run', async () => {
  const emulator = world()
  emulator.merge({ title: 'First change' })
  const fault = emulator.faults.add({
    match: { method: 'GET', path: /\/pulls$/ },
    times: Infinity,
    fault: { kind: 'status', status: 403 },
  })
  const result = await emulator.refresh(1, SINCE)
  expectOutcome(result, 'pull-request')
  expect(asked(emulator)).toContain('could not be read.')
  const [warning = ''] = result.annotations.map(({ message }) => message)
  expect(warning).toContain('pull-requests: read')
  fault.remove()
  expectOutcome(await emulator.refresh(2, SINCE), 'pull-request')
  expect(asked(emulator)).toContain('First change')
})

test.each([403, 422, 500])(
  'H7 3.10 of files that GitHub does not show (HTTP %i), no number is told',
  async (status) => {
    const emulator = world()
    const { number } = emulator.merge({ title: 'First change', files: [{ filename: 'src/retry.ts' }] })
    const match = { method: 'GET', path: new RegExp(`/pulls/${number}/files$`) }
    emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status } })
    expectOutcome(await emulator.refresh(1, SINCE), 'pull-request')
    expect(asked(emulator)).toContain(`Files of #${number}: They could not be read.`)
    expect(asked(emulator)).not.toContain('changed file')
  },
)

test('5.2 a re-run after a time-out moves the point as far as the first attempt covered', async () => {
  const emulator = world()
  emulator.merge({ title: 'First change', days: 2 })
  emulator.service.script.push({ durationMs: 51 * 60_000 })
  expectOutcome(await emulator.refresh(1, SINCE), 'timed-out')
  emulator.merge({ title: 'Second change', days: 1 })
  expectOutcome(await emulator.refresh(1, SINCE, { attempt: 2 }), 'pull-request')
  await emulator.refresh(2, SINCE)
  expect(asked(emulator)).toContain('Second change')
  expect(asked(emulator)).not.toContain('First change')
  // Nothing was merged since, and the job is picked up all the same.
  const again = await emulator.refresh(2, SINCE, { attempt: 2 })
  expect(again.outputs['job-action']).toBe('resumed')
})

/** The agent's pull request, opened under alice's name, is merged, and other people talk. */
async function mergedLongAgo(asked: (emulator: World) => Promise<RunResult>): Promise<World> {
  const emulator = ownWorld({ prAuthor: 'alice' })
  emulator.github.addIssue({ number: 40, title: 'Elsewhere', user: 'alice' })
  const { outputs } = await asked(emulator)
  emulator.github.closePullRequest(Number(outputs['pr-number']), { merged: true })
  await emulator.pass(60_000)
  for (let at = 0; at < 120; at++) emulator.github.addComment(40, { login: 'mona', body: `Word ${at}` })
  return emulator
}

const ASKED: [string, (emulator: World) => Promise<RunResult>][] = [
  ['a command on an issue', (emulator) => emulator.ask('/docs explain', { on: 40 })],
  [
    'the opening of a pull request',
    (emulator) => {
      emulator.github.addPullRequest({ number: 41, user: 'alice', files: FIRST })
      const inputs = { prompt: 'Document it.' }
      return emulator.act(pulled(emulator, 'opened', 'alice', 41), { runId: 50, inputs })
    },
  ],
  ['a schedule of its own', (emulator) => emulator.refresh(50, { 'issue-number': '40' })],
]

test.each(ASKED)(
  '3.5 what %s brought is left out in another thread, however many comments are newer',
  async (_, asked) => {
    const emulator = await mergedLongAgo(asked)
    const result = await emulator.refresh(2, SINCE)
    expectOutcome(result, 'skipped', 'no-changes')
    expect(result.log).toContain('Nothing but pull requests of the docs agent was merged')
  },
)

test('3.5 H3 what people write there hides no merge of theirs', async () => {
  const emulator = await mergedLongAgo((world) => world.ask('/docs explain', { on: 40 }))
  const { number: theirs } = emulator.merge({ title: 'Theirs', days: 0.01 })
  const record = emulator.bodies(40).find((body) => body.includes('<!-- docs-agent')) ?? ''
  expect(record).not.toBe('')
  for (const login of ['mona', 'renovate[bot]'])
    emulator.github.addComment(theirs, { login, type: login === 'mona' ? 'User' : 'Bot', body: record })
  await emulator.pass(60_000)
  for (let at = 0; at < 120; at++) emulator.github.addComment(40, { login: 'mona', body: `More ${at}` })
  expectOutcome(await emulator.refresh(2, SINCE), 'pull-request')
  expect(asked(emulator)).toContain('Theirs')
})
