import { expect, test } from 'vitest'
import type { NewPush } from '../../emulator/github/new.ts'
import type { ActionRun } from '../../emulator/runner.ts'
import {
  CODE,
  closes,
  codeWorld,
  FIRST,
  file,
  happens,
  headOf,
  INPUTS,
  PROMPT,
  pulled,
  pushes,
  SECOND,
  SECOND_PUSH,
  states,
  THIRD_PUSH,
} from '../helpers/code-world.ts'
import { SAYS } from '../helpers/phrases.ts'
import { expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.13: a pull request whose pushes go to the agent, each change once.

test('3.13 the first event asks for the docs of the whole, a push sends what it changed', {
  tags: 'bundle',
}, async () => {
  const emulator = codeWorld()
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
  const result = await pushes(emulator, SECOND_PUSH)
  expectOutcome(result, 'pull-request')
  expect(result.outputs['job-action']).toBe('continued')
  const [whole = '', more = ''] = emulator.prompts()
  expect(whole).toContain('+first')
  expect(more).toContain(PROMPT)
  expect(more).toContain('\n- Add retries\n')
  expect(more).toContain('+second')
  expect(more).not.toContain('+first')
  expect(emulator.promptCounts()).toEqual([2])
  expect(states(emulator)).toEqual(['pending', 'success'])
})

test.each([
  ['merges the base, too', ['src/other.ts'], '1 other file'],
  ['merges much of it', ['src/other.ts', 'src/more.ts'], '2 other files'],
  ['takes a change back, too', ['src/gone.ts'], '1 other file'],
])(
  '3.13 of a push that %s, only the files of the pull request go along, and no commits',
  async (_, paths, count) => {
    const emulator = codeWorld()
    await happens(emulator, 'labeled')
    await pushes(emulator, {
      files: [...FIRST, SECOND],
      commit: [SECOND, ...paths.map((path) => file(path, 'x'))],
    })
    const prompt = emulator.prompts().at(-1)
    expect(prompt).toContain('+second')
    expect(prompt).toContain(`${count} changed since then: of its base branch`)
    for (const left of [...paths, '- Add retries']) expect(prompt).not.toContain(left)
  },
)

test.each<[string, NewPush]>([
  ['a force push', { isForced: true, files: [file('src/retry.ts', 'third')] }],
  ['a push of which GitHub knows no comparison', { files: [file('src/retry.ts', 'third')], commit: [] }],
])('3.13 after %s the agent gets the whole pull request', async (_, push) => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  if (push.isForced !== true) {
    emulator.faults.add({
      match: { path: /\/compare\// },
      times: Infinity,
      fault: { kind: 'status', status: 404 },
    })
  }
  expectOutcome(await pushes(emulator, push), 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('Pull request #30: Add retries')
  expect(emulator.prompts().at(-1)).toContain('Changed files: 1')
  expect(emulator.prompts().at(-1)).toContain('+third')
})

test('3.13 a push while the job works goes to it', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 100 })
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 98 })
  await emulator.interrupted(run, READ, { signal: 'SIGINT' })
  const first = headOf(emulator)
  expectOutcome(await pushes(emulator, SECOND_PUSH), 'pull-request')
  expect(emulator.promptCounts()).toEqual([2])
  expect(emulator.prompts().at(-1)).not.toContain('+first')
  expect(states(emulator)).toEqual(['pending', 'success'])
  await emulator.collect()
  // Nothing tells whether the pull request came of the first turn or of the second.
  expect(states(emulator, first)).toEqual(['pending', 'error'])
})

test('3.13 4.13 an earlier request that ends late leaves the new head to what the later one says', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 2, ending: 'failed' })
  const inputs = { ...INPUTS, wait: 'false' }
  expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs }), 'started')
  const anew = { inputs: { conversation: 'new' } }
  await happens(emulator, 'labeled', anew)
  expectOutcome(await pushes(emulator, { isForced: true, files: FIRST }, anew), 'skipped', 'no-changes')
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
  expect(emulator.records(CODE).map(({ state }) => state)).toEqual(['ended', 'ended'])
  expect(states(emulator)).toEqual(['success'])
})

test('3.13 a re-run of an older push sends nothing that the agent has', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.github.push(CODE, { isForced: true, files: FIRST })
  const rebase = pulled(emulator, 'synchronize')
  expectOutcome(await emulator.act(rebase, { runId: 97, inputs: INPUTS }), 'skipped', 'no-changes')
  await pushes(emulator, SECOND_PUSH)
  const again = await emulator.act(rebase, { runId: 97, attempt: 2, inputs: INPUTS })
  expectOutcome(again, 'skipped', 'no-changes')
  expect(emulator.prompts()).toHaveLength(2)
})

test('3.13 a late event asks for the pull request as it is now, and the event of the newest push then asks nothing', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.github.push(CODE, SECOND_PUSH)
  const late = pulled(emulator, 'synchronize')
  emulator.github.push(CODE, THIRD_PUSH)
  const newest = pulled(emulator, 'synchronize')
  expectOutcome(await emulator.act(late, { runId: 95, inputs: INPUTS }), 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('+third')
  expect(states(emulator)).toEqual(['pending', 'success'])
  expectOutcome(await emulator.act(newest, { runId: 96, inputs: INPUTS }), 'skipped', 'no-changes')
  expect(emulator.prompts()).toHaveLength(2)
})

test.each<[string, Partial<ActionRun>]>([
  ['another workflow', { workflow: 'Changelog' }],
  ['another call of one reusable workflow', {}],
])('3.13 %s on the same event asks as well, and gets each push', async (_, more) => {
  const emulator = codeWorld()
  const both = async (action: string, runId: number) => {
    const event = pulled(emulator, action)
    for (const [prompt, other] of [
      ['Document this.', {}],
      ['Write its changelog.', more],
    ] as const) {
      const result = await emulator.act(event, { runId, ...other, inputs: { ...INPUTS, prompt } })
      expectOutcome(result, 'pull-request')
    }
  }
  await both('labeled', 90)
  emulator.github.push(CODE, SECOND_PUSH)
  await both('synchronize', 91)
  const later = emulator.prompts().slice(2)
  expect(later).toEqual([expect.stringContaining('Document this.'), expect.stringContaining('changelog')])
  for (const prompt of later) expect(prompt).toContain('+second')
  // Each says what became of it, though both are about the same head.
  expect(emulator.bodies(CODE)).toHaveLength(2)
})

test.each([
  [true, 'octo/app#30 is merged into `main`. This pull request documents it: you can merge this one now.'],
  [
    false,
    'octo/app#30 was closed without a merge. This pull request documents it: close this one, unless you still need it.',
  ],
])(
  '3.13 the end of the code is told on the pull request of the docs, once (merged: %j)',
  { tags: 'bundle' },
  async (merged, words) => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    await happens(emulator, 'labeled')
    const before = emulator.bodies(77).length
    const closed = await closes(emulator, merged, { runId: 95 })
    expectOutcome(closed, 'skipped', 'pull-request-closed')
    expect(closed.summary).toMatch(
      /^## ℹ️ Pull request #30 is closed\n\n\[octo\/app#77\]\(\S+\) documents it\. The docs agent was not asked\.\n$/,
    )
    const again = await happens(emulator, 'closed', { runId: 95, attempt: 2 })
    expectOutcome(again, 'skipped', 'pull-request-closed')
    const told = emulator.bodies(77).slice(before)
    expect(told).toEqual([expect.stringContaining(words)])
    expect(emulator.bodies(CODE)).toHaveLength(1)
    expect(emulator.prompts()).toHaveLength(1)
  },
)

test('3.13 a pull request that is closed without a merge asks nothing, whatever the thread knows', async () => {
  const emulator = codeWorld()
  const result = await closes(emulator, false)
  expectOutcome(result, 'skipped', 'pull-request-closed')
  expect(result.summary).toBe('## ℹ️ Pull request #30 is closed\n\nThe docs agent was not asked.\n')
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.bodies(CODE)).toEqual([])
})

test('3.13 a pull request that was closed while its run waited asks nothing, and asks once it is open again', async () => {
  const emulator = codeWorld()
  const opened = pulled(emulator, 'opened')
  emulator.github.closePullRequest(CODE, { merged: false })
  expectOutcome(await emulator.act(opened, { inputs: INPUTS }), 'skipped', 'pull-request-closed')
  expect(emulator.calls('service')).toEqual([])
  expect(states(emulator)).toEqual([])
  emulator.github.editIssue(CODE, { state: 'open' })
  expectOutcome(await happens(emulator, 'reopened'), 'pull-request')
})

test('3.13 where no head is remembered, the merge of a pull request asks the agent, for each step of the run', async () => {
  const emulator = codeWorld()
  const run = { runId: 88, env: { GITHUB_ACTION: 'docs' } }
  expectOutcome(await closes(emulator, true, run), 'pull-request')
  expectOutcome(
    await happens(emulator, 'closed', { ...run, env: { GITHUB_ACTION: 'changelog' } }),
    'pull-request',
  )
  expectOutcome(await happens(emulator, 'closed', { ...run, attempt: 2 }), 'pull-request')
  expect(emulator.prompts()).toHaveLength(2)
})

test.each([
  ['an event', (emulator: World) => happens(emulator, 'labeled')],
  [
    'a command',
    (emulator: World) => emulator.ask('/docs explain', { on: CODE, inputs: { 'commit-status': 'docs' } }),
  ],
] as const)(
  '4.13 a push between the reads of %s: its head gets no status that it has not earned',
  async (_, comes) => {
    const emulator = codeWorld()
    const first = headOf(emulator)
    const match = { method: 'GET', path: /\/pulls\/30\/files$/ } as const
    const call = () => void emulator.github.push(CODE, { files: [SECOND], commit: [SECOND] })
    emulator.faults.add({ match, fault: { kind: 'call', when: 'after', call } })
    await comes(emulator)
    expect(emulator.prompts()[0]).toContain('+first')
    expect(states(emulator, first)).toEqual(['pending', 'success'])
    expect(states(emulator)).toEqual([])
  },
)

test('H2 3.13 cancelled right after its comment, an event says that it asked nothing: that the agent works does not stand on', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled', { runId: 90 })
  emulator.github.push(CODE, SECOND_PUSH)
  const run = emulator.given(pulled(emulator, 'synchronize'), { inputs: INPUTS, runId: 91 })
  const comments = { host: 'github', method: 'POST', path: /\/comments$/ } as const
  const { outputs } = await emulator.interrupted(run, comments, { signal: 'SIGINT', when: 'after' })
  expect(outputs.outcome).toBe('cancelled')
  expect(emulator.promptCounts()).toEqual([1])
  expect(emulator.lastWords(CODE)).toContain('cut short')
  expect(emulator.bodies(CODE).join('\n')).not.toContain(SAYS.works)
})

test.each(['opened', 'labeled', 'synchronize'])(
  '3.13 where GitHub takes no comment, `%s` is not sent: the next event would send it again',
  async (action) => {
    const emulator = codeWorld()
    const match = { method: 'POST', path: /\/issues\/30\/comments$/ }
    const body = { message: 'Resource not accessible by integration' }
    emulator.faults.add({ match, fault: { kind: 'status', status: 403, body } })
    const result = await happens(emulator, action)
    expectOutcome(result, 'error', 'bad-input')
    expect(result.log).toContain('Nothing was sent, because the thread could not remember it')
    expect(emulator.calls('service')).toEqual([])
  },
)
