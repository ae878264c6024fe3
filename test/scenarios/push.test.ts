import { expect, test } from 'vitest'
import { DIRECT, type Pushed, pushTo as push } from '../helpers/push.ts'
import { expectOutcome, ISSUE, ownWorld, type World, world } from '../helpers/world.ts'

const retries = { title: 'Add retries', body: 'Retries **twice**.<!-- hidden -->' }

test('3.8 the pull request that a push merged is the context and the thread', {
  tags: 'bundle',
}, async () => {
  const emulator = world()
  const files = [{ filename: 'src/retry.ts', additions: 3, patch: '+retry' }]
  const { number, sha } = emulator.merge({ ...retries, files })
  const result = await push(emulator, sha)
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe(String(number))
  const [prompt = ''] = emulator.prompts()
  const url = `https://github.com/octo/app/pull/${number}`
  for (const part of [
    `#${number}: Add retries`,
    url,
    'Retries twice.',
    '1 changed file',
    '--- src/retry.ts\n+retry',
  ]) {
    expect(prompt).toContain(part)
  }
  expect(prompt).not.toMatch(/hidden|src\/direct/)
  expect(emulator.lastWords(number)).toMatch(/^\*\*✅ The docs agent opened .*\*\* for @alice\.\n/)
  expect(result.log).toContain(`push by alice on octo/app#${number}`)
})

test('4.1 a message to the job has what the push merged, or its comparison', async () => {
  const emulator = world()
  const [first, second] = [2, 1].map((days) => emulator.merge({ title: `Change ${days}`, days }))
  if (!first || !second) throw new Error('two merges')
  const inputs = { 'issue-title': 'Refresh' }
  await push(emulator, first.sha, {}, { inputs })
  const merged = await push(emulator, second.sha, { before: first.sha }, { inputs, runId: 2 })
  expect(merged.outputs['job-action']).toBe('continued')
  expect(emulator.prompts()[1]).toMatch(/^Refresh the docs\.\n\n[\s\S]*\n- #\d+: Change 1\n/)
  await push(emulator, DIRECT, { before: second.sha }, { inputs, runId: 3 })
  expect(emulator.prompts()[2]).toContain('src/direct.ts')
})

test.each(['release', 'release/2', 'next'])(
  '3.8 a commit of a pull request that was merged elsewhere comes to %s: it is no merge into that',
  async (branch) => {
    const emulator = world()
    const { sha } = emulator.merge(retries)
    const result = await push(emulator, sha, { branch })
    expectOutcome(result, 'pull-request')
    expect(result.outputs['issue-number']).toBe('')
    expect(emulator.prompts()[0]).toContain(`Push to ${branch}\n`)
  },
)

test.each([
  ['the first of two', 0, 2, ' for #1 and #2, @alice'],
  ['the second of two', 1, 2, ' for #1 and #2, @alice'],
  ['the only one', 0, 1, ' for @alice'],
])('5.4 in the thread of a merge, %s, the result names those that it is for', async (_, at, many, said) => {
  const emulator = world()
  const merges = [3, 2].slice(0, many).map((days) => emulator.merge({ days }))
  const [sha = '', ...others] = merges.map((merge) => merge.sha).toReversed()
  const on = merges[at]?.number ?? 0
  await push(emulator, sha, { commits: others }, { inputs: { 'issue-number': String(on) } })
  const names = said.replace(/#(\d)/g, (_name, n) => `#${merges[Number(n) - 1]?.number}`)
  expect(emulator.lastWords(on)).toContain(`**${names}.`)
})

test('3.8 a merge queue: all are told and named, and the one merged last is the thread', async () => {
  const emulator = world()
  const [first, second, last] = [3, 2, 1].map((days) => emulator.merge({ title: `Change ${days}`, days }))
  if (!first || !second || !last) throw new Error('three merges')
  const result = await push(emulator, last.sha, { commits: [first.sha, second.sha] })
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe(String(last.number))
  const named = `for #${first.number}, #${second.number} and #${last.number}, @alice.`
  expect(emulator.lastWords(last.number)).toContain(named)
  for (const title of ['Change 1', 'Change 2', 'Change 3']) expect(emulator.prompts()[0]).toContain(title)
  expect(emulator.bodies(first.number)).toEqual([])
})

test('3.8 a rebase merge: every commit belongs to the same pull request', async () => {
  const emulator = world()
  const { number } = emulator.merge(retries)
  const commits = ['1', '2', '3'].map((digit) => digit.repeat(40))
  for (const sha of commits) emulator.github.setCommitPulls(sha, [number])
  const [head = '', ...others] = commits.toReversed()
  const result = await push(emulator, head, { commits: others.toReversed() })
  expectOutcome(result, 'pull-request')
  expect(emulator.lastWords(number)).toContain('** for @alice.')
})

test.each([
  ['a force push', { forced: true }],
  ['a new branch', { before: '0'.repeat(40) }],
  ['a tag', { ref: 'refs/tags/v2' }],
])('3.8 %s merges nothing, whatever its commits belong to', async (_, pushed) => {
  const emulator = world()
  const { sha } = emulator.merge()
  const result = await push(emulator, sha, pushed)
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe('')
})

const NONE = '0'.repeat(40)

test.each<[string, Pushed]>([
  ['a new branch', { before: NONE, branch: 'release/1.x', isKnown: true }],
  ['a restored branch', { before: NONE, branch: 'feature', isKnown: true, commits: ['1'.repeat(40)] }],
  ['a tag', { before: NONE, ref: 'refs/tags/v2', isKnown: true }],
  ['a branch that was set back', { forced: true, files: [] }],
  ['an empty commit', { files: [] }],
])('3.8 %s brings no change, and asks nothing', async (_, pushed) => {
  const emulator = world()
  const inputs = { 'issue-title': 'Docs' }
  const result = await push(emulator, DIRECT, pushed, { inputs })
  expectOutcome(result, 'skipped', 'no-changes')
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.calls()).not.toContain('POST /repos/octo/app/issues')
})

test.each<[string, Pushed]>([
  ['a new branch with a commit of its own', { before: NONE, branch: 'feature' }],
  ['a tag with a commit of its own', { before: NONE, ref: 'refs/tags/v2' }],
  ['known commits that reach another branch', { branch: 'release', isKnown: true }],
])('3.8 %s asks', async (_, pushed) => {
  expectOutcome(await push(world(), DIRECT, pushed), 'pull-request')
})

test('3.8 a merge that GitHub cannot compare may have changed something, and is asked', async () => {
  const emulator = world()
  const { sha } = emulator.merge(retries)
  emulator.faults.add({
    match: { path: /\/compare\// },
    times: Infinity,
    fault: { kind: 'status', status: 404 },
  })
  expectOutcome(await push(emulator, sha, { files: [] }), 'pull-request')
})

test('H2 3.8 a re-run goes on with what it sent before GitHub could compare', async () => {
  const emulator = world()
  const { sha } = emulator.merge(retries)
  emulator.service.script.push({ reads: 100 })
  const away = emulator.faults.add({
    match: { path: /\/compare\// },
    times: Infinity,
    fault: { kind: 'status', status: 404 },
  })
  expectOutcome(await push(emulator, sha, { files: [] }, { inputs: { 'timeout-minutes': '1' } }), 'timed-out')
  away.remove()
  const again = await push(emulator, sha, { files: [] }, { attempt: 2 })
  expectOutcome(again, 'pull-request')
  expect(emulator.promptCounts()).toEqual([1])
})

test.each<[string, Pushed, Readonly<Record<string, string>>, string]>([
  ['by a bot', { by: 'mintlify[bot]', author: 'alice' }, {}, 'bot'],
  ['of a bot’s commit', { author: 'mintlify[bot]' }, {}, 'bot'],
  ['of a bot to a new branch', { before: '0'.repeat(40), by: 'mintlify[bot]' }, {}, 'bot'],
  ['of a listed bot', { by: 'renovate[bot]' }, { 'allowed-bots': 'renovate[bot]' }, ''],
  [
    'of a listed bot’s commit by another',
    { by: 'a[bot]', author: 'b[bot]' },
    { 'allowed-bots': 'b[bot]' },
    'bot',
  ],
  ['of a person', {}, {}, ''],
])('3.4 a direct push %s', async (_, pushed, inputs, reason) => {
  const emulator = world()
  expectOutcome(
    await push(emulator, DIRECT, pushed, { inputs }),
    reason === '' ? 'pull-request' : 'skipped',
    reason,
  )
  expect(emulator.prompts()).toHaveLength(reason === '' ? 1 : 0)
})

test.each([
  ['mintlify[bot]', 'renovate[bot]', 'skipped', 'agent-pull-request'],
  ['renovate[bot]', 'renovate[bot]', 'pull-request', ''],
  ['renovate[bot]', 'Renovate', 'pull-request', ''],
  ['Copilot[bot]', 'copilot', 'pull-request', ''],
])('3.5 the merged pull request of %s, where %s is allowed: %s %s', async (user, listed, outcome, reason) => {
  const emulator = world()
  const { number, sha } = emulator.merge({ user })
  const result = await push(emulator, sha, {}, { inputs: { 'allowed-bots': listed } })
  expectOutcome(result, outcome, reason)
  expect(emulator.bodies(number)).toHaveLength(outcome === 'skipped' ? 0 : 1)
  expect(emulator.prompts()).toHaveLength(outcome === 'skipped' ? 0 : 1)
})

test('3.6 issue-number comes before the merged pull request and issue-title', async () => {
  const emulator = world()
  const { sha } = emulator.merge(retries)
  const inputs = { 'issue-number': String(ISSUE), 'issue-title': 'Docs follow merges' }
  const result = await push(emulator, sha, {}, { inputs })
  expect(result.outputs['issue-number']).toBe(String(ISSUE))
  expect(emulator.calls()).not.toContain('POST /repos/octo/app/issues')
})

test('3.6 issue-title comes before the merged pull request, so that all merges share one thread', async () => {
  const emulator = ownWorld()
  const inputs = { 'issue-title': 'Docs follow merges' }
  const [first, second] = [emulator.merge({ days: 2 }), emulator.merge()]
  const asked = await push(emulator, first.sha, {}, { runId: 7, inputs })
  const next = await push(emulator, second.sha, { before: first.sha }, { runId: 8, inputs })
  expect(next.outputs).toMatchObject({
    'issue-number': asked.outputs['issue-number'],
    'job-id': asked.outputs['job-id'],
    'job-action': 'continued',
  })
  const thread = Number(asked.outputs['issue-number'])
  expect(emulator.lastWords(thread)).toContain(` for #${second.number}, @alice.`)
  expect(emulator.bodies(first.number)).toEqual([])
})

test('H1 5.2 two calls on one push that differ only in `paths` are two requests', async () => {
  const emulator = world()
  const files = [{ filename: 'api/a.ts' }, { filename: 'web/b.ts' }]
  for (const paths of ['api/**', 'web/**'])
    expectOutcome(
      await push(emulator, DIRECT, { files }, { inputs: { 'issue-title': 'Docs', paths } }),
      'pull-request',
    )
  expect(emulator.prompts()).toHaveLength(2)
})

test.each(['feature', '!internal'])(
  '3.11 the result is for the pull requests that count by %s',
  async (labels) => {
    const emulator = world()
    const counting = emulator.merge({ title: 'Add retries', labels: ['Feature'], days: 2 })
    const other = emulator.merge({ title: 'Tidy up', labels: ['internal'] })
    const inputs = { 'merged-labels': labels }
    const result = await push(emulator, other.sha, { commits: [counting.sha] }, { inputs })
    expectOutcome(result, 'pull-request')
    expect(result.outputs['issue-number']).toBe(String(counting.number))
    expect(emulator.prompts()[0]).toContain('Add retries')
    expect(emulator.prompts()[0]).not.toContain('Tidy up')
  },
)

test.each([
  ['merged others', (emulator: World) => emulator.merge({ labels: ['feature', 'internal'] }).sha],
  ['merged none', () => DIRECT],
])('3.11 a push that %s asks for nothing', async (_, head) => {
  const emulator = world()
  const inputs = { 'merged-labels': 'feature, !internal' }
  const result = await push(emulator, head(emulator), {}, { inputs })
  expectOutcome(result, 'skipped', 'no-changes')
  expect(result.log).toContain('The docs agent was not asked. No known pull request of this push counts.')
  expect(emulator.calls('service')).toEqual([])
})

test('5.2 a re-run that cannot look the thread up starts no second job, and one that can resumes the first', async () => {
  const emulator = world()
  const { sha } = emulator.merge()
  const first = await push(emulator, sha, {}, { runId: 7 })
  const fault = { kind: 'status', status: 502 } as const
  const match = { host: 'github', path: /\/pulls$/ } as const
  const outage = emulator.faults.add({ match, times: Infinity, fault })
  const more = { runId: 7, attempt: 2, inputs: { 'timeout-minutes': '0.1' } }
  expectOutcome(await push(emulator, sha, {}, more), 'error', 'github-unavailable')
  outage.remove()
  const again = await push(emulator, sha, {}, { runId: 7, attempt: 3 })
  expect(again.outputs).toMatchObject({ 'job-id': first.outputs['job-id'], 'job-action': 'resumed' })
  expect(emulator.prompts()).toHaveLength(1)
})

test('3.8 a push that deletes a branch, as a merge often does, starts no job', async () => {
  const emulator = world()
  const inputs = { 'issue-title': 'Refresh' }
  const result = await push(emulator, '0'.repeat(40), { branch: 'feature' }, { inputs })
  expectOutcome(result, 'skipped', 'no-changes')
  expect(result.log).toContain('The docs agent was not asked. The push deleted a branch or a tag.')
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.calls()).not.toContain('POST /repos/octo/app/issues')
})

test('3.8 without the permission to look merges up, one warning says so, and the job runs', async () => {
  const emulator = world({ permissions: { pull_requests: 'none' } })
  const { sha } = emulator.merge()
  const result = await push(emulator, sha)
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe('')
  expect(emulator.prompts()[0]).toContain('src/direct.ts')
  const warnings = result.annotations.filter(({ level }) => level === 'warning')
  expect(warnings).toHaveLength(1)
  expect(warnings[0]?.message).toContain('pull-requests: read')
})
