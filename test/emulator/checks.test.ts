import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { clients, emulate } from './helpers.ts'

const JOB = '/v2/agent/docs/job'

/** A world in which the agent works in the workflow's repository, on a clock that stands still. */
async function world(options: EmulatorOptions = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const emulator = await emulate({ now: () => clock.now, docsRepository: 'octo/app', ...options })
  const { github, service } = clients(emulator)
  const read = async (path: string) => (await github('GET', `/repos/octo/app${path}`)).body
  const runs = async (ref: string) =>
    (await read(`/commits/${encodeURIComponent(ref)}/check-runs`)) as {
      check_runs: Record<string, unknown>[]
    }
  const head = () => emulator.github.repository('octo/app')?.pulls.get(77)?.head.sha ?? ''
  return { clock, emulator, github, service, read, runs, head }
}

test('checks of a head show, run, fail with annotations and pass in their own time', async () => {
  const { clock, emulator, service, read, runs, head } = await world()
  const annotations = [{ path: 'docs/a.mdx', line: 12, message: 'unexpected closing tag' }]
  emulator.github.checks.script.push([
    { name: 'build', takesMs: 40_000, conclusion: 'failure', annotations },
    { name: 'lint', takesMs: 20_000 },
    { name: 'links', appearsAfterMs: 50_000, conclusion: 'action_required' },
  ])
  emulator.service.script.push({ answerStatus: 'completed' })
  const { source } = (await service('POST', JOB, { prompt: 'x' })).body as { source: { ref: string } }
  const now = async () =>
    (await runs(source.ref)).check_runs.map(({ name, conclusion }) => [name, conclusion]).toSorted()
  expect(await now()).toEqual([
    ['build', null],
    ['lint', null],
  ])
  clock.now += 20_000
  expect(await now()).toContainEqual(['lint', 'success'])
  clock.now += 30_000
  expect(await now()).toEqual([
    ['build', 'failure'],
    ['links', 'action_required'],
    ['lint', 'success'],
  ])
  const build = (await runs(head())).check_runs.find(({ name }) => name === 'build')
  expect(build).toMatchObject({ status: 'completed', output: { annotations_count: 1 } })
  expect(await read(`/check-runs/${build?.id}/annotations`)).toMatchObject([
    { path: 'docs/a.mdx', start_line: 12, annotation_level: 'failure' },
  ])
  expect(await read(`/commits/${head()}/check-runs?per_page=1&page=2`)).toMatchObject({
    total_count: 3,
    check_runs: [{}],
  })

  emulator.github.addChecks(head(), [{ name: 'build' }])
  expect(await now()).toContainEqual(['build', 'success'])
})

test('a status fails on one head and succeeds on the next, which a follow-up makes', async () => {
  const { clock, emulator, service, read, head } = await world()
  const status = { name: 'preview', kind: 'status', takesMs: 1000 } as const
  emulator.github.checks.script.push([{ ...status, conclusion: 'failure' }], [status])
  emulator.service.everyTurn = { answerStatus: 'completed' }
  const { id } = (await service('POST', JOB, { prompt: 'x' })).body
  const first = head()
  const state = async (sha: string) => {
    const [newest] = (await read(`/commits/${sha}/statuses`)) as unknown as { state: string }[]
    return newest?.state
  }
  expect(await state(first)).toBe('pending')
  clock.now += 1000
  expect(await state(first)).toBe('failure')
  expect(await read(`/commits/${first}/statuses`)).toMatchObject([{ state: 'failure' }, { state: 'pending' }])
  await service('POST', `${JOB}/${id}/message`, { prompt: 'fix it' })
  expect(head()).not.toBe(first)
  clock.now += 1000
  expect([await state(first), await state(head())]).toEqual(['failure', 'success'])
})

test('what the token may not read, and what no commit is', async () => {
  const { github } = await world({ permissions: { checks: 'none', statuses: 'none' } })
  const sha = 'a'.repeat(40)
  for (const what of ['check-runs', 'statuses'])
    expect((await github('GET', `/repos/octo/app/commits/${sha}/${what}`)).status).toBe(403)
  const { github: reader } = await world()
  expect((await reader('GET', '/repos/octo/app/commits/none/check-runs')).status).toBe(422)
})

test('a pull request opens while the job works, by a person, and gets a commit after its end', async () => {
  const { clock, emulator, service, head } = await world()
  emulator.service.script.push({
    durationMs: 60_000,
    opensAfterMs: 10_000,
    prAuthor: 'dave',
    lateCommitAfterMs: 5000,
  })
  const { id } = (await service('POST', JOB, { prompt: 'x' })).body
  const job = async () => (await service('GET', `${JOB}/${id}`)).body
  expect(await job()).toMatchObject({ source: { ref: 'main' } })
  clock.now += 10_000
  const branch = `docs-agent/${id}`
  expect(await job()).toMatchObject({ status: 'active', prLink: null, source: { ref: branch } })
  expect(emulator.github.repository('octo/app')?.issues.get(77)?.user).toEqual({
    login: 'dave',
    type: 'User',
  })
  const first = head()
  clock.now += 50_000
  expect(await job()).toMatchObject({ status: 'completed', prLink: expect.stringMatching(/77$/) })
  expect(head()).toBe(first)
  clock.now += 5000
  await job()
  expect(head()).not.toBe(first)
})
