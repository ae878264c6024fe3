import { expect, test } from 'vitest'
import { checkedWorld, FIX } from '../helpers/checked-world.ts'
import { CREATE, expectOutcome, ISSUE, ownWorld, READ, type World, world } from '../helpers/world.ts'

// Contract 3.2: words such as `retry` and `cancel` start nothing, and the answer says what does.

const AGAIN = ['retry', 'again please', 're-run', 'can you retry the failed job?'] as const

async function answerOf(emulator: World, words: string): Promise<string> {
  const prompts = emulator.prompts().length
  const { said, ...result } = await emulator.ask(`/docs ${words}`, { runId: 7 })
  expectOutcome(result, 'skipped', 'help')
  expect(emulator.prompts(), 'nothing was sent').toHaveLength(prompts)
  expect(emulator.reactions(said.id)).toEqual(['+1'])
  expect(emulator.lastWords()).toContain('**ℹ️ Nothing was started**, @alice.')
  return emulator.lastWords()
}

test.each(AGAIN)(
  '3.2 `/docs %s` after a refused payment: the cause, and the run to re-run',
  async (words) => {
    const emulator = world()
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
    await emulator.ask('/docs explain', { by: 'bob', runId: 5 })
    const answer = await answerOf(emulator, words)
    expect(answer).toMatch(/The last request here, by `bob`, did not reach the docs agent\. .*credits/s)
    expect(answer).toContain('[Re-run the workflow](https://github.com/octo/app/actions/runs/5) to send it')
    // Its answer is no request: the next one says the same.
    expect(await answerOf(emulator, words)).toContain('by `bob`, did not reach')
  },
)

test.each([
  ['too long', 5],
  ['longer', 8],
  ['much longer', 40],
])('H7 3.2 `/docs retry` after a refusal whose cause is %s: the answer leads to it', async (_, times) => {
  const emulator = world()
  const error = 'The branch `docs` does not exist. '.repeat(times)
  emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 400, body: { error } } })
  const first = await emulator.ask('/docs explain', { by: 'bob', runId: 5 })
  expectOutcome(first, 'error', 'rejected')
  const url = first.outputs['comment-url'] ?? ''
  expect(await answerOf(emulator, 'retry')).toContain(
    `did not reach the docs agent. [Its answer](${url}) says why. [Re-run the workflow](`,
  )
})

test.each(AGAIN)(
  'H7 3.2 `/docs %s` after a job that is gone: it is not known that it failed',
  async (words) => {
    const emulator = world()
    const gone = { kind: 'status', status: 404, body: { error: 'not found' } } as const
    emulator.service.script.push({ durationMs: 60_000 })
    const fault = emulator.faults.add({ match: READ, times: Number.POSITIVE_INFINITY, fault: gone })
    expectOutcome(await emulator.ask('/docs explain', { runId: 5 }), 'error', 'job-not-found')
    fault.remove()
    const answer = await answerOf(emulator, words)
    expect(answer).toContain('The job of the last request here is gone. [Re-run the workflow](')
    expect(answer).not.toContain('failed')
  },
)

test.each(['x', '頁', '"'])(
  '3.2 `/docs retry` after a refusal of many words: none of %j that are cut',
  async (one) => {
    const emulator = world()
    const body = { error: one.repeat(200) }
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 400, body } })
    await emulator.ask('/docs explain', { by: 'bob', runId: 5 })
    const answer = await answerOf(emulator, 'retry')
    expect(answer).toContain('by `bob`, did not reach the docs agent. [Its answer](')
    expect(answer).not.toContain(one.repeat(4))
  },
)

test.each(AGAIN)('3.2 `/docs %s` after a failed job', async (words) => {
  const emulator = world()
  emulator.service.script.push({ ending: 'failed' })
  await emulator.ask('/docs explain', { runId: 5 })
  expect(await answerOf(emulator, words)).toMatch(
    /by `alice`, failed\. \[Re-run the workflow\]\(.*\/runs\/5\)/,
  )
})

test.each(AGAIN)('3.2 `/docs %s` in doubt: where to look first', async (words) => {
  const emulator = world()
  emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' }, times: 9 })
  expectOutcome(await emulator.ask('/docs explain', { runId: 5 }), 'error', 'creation-uncertain')
  expect(await answerOf(emulator, words)).toContain(
    "It is not known whether the docs agent got the last request here. Look in Mintlify's dashboard: if it has",
  )
})

test('3.2 `/docs retry` beside what works, what is done, what nobody follows, and nothing', async () => {
  const emulator = world()
  expect(await answerOf(emulator, 'retry')).toContain('This thread has no request yet.')
  await emulator.ask('/docs explain', { runId: 5 })
  expect(await answerOf(emulator, 'retry')).toMatch(/is done: \[octo\/docs#77\]/)
  emulator.service.script.push({ ending: 'active-forever' })
  await emulator.ask('/docs more', { runId: 6, inputs: { wait: 'false' } })
  expect(await answerOf(emulator, 'retry')).toMatch(
    /no run waits for it any more\. Comment `\/docs status` to see how it stands; \[re-run the workflow\]\(.*\/runs\/6\) to follow it/,
  )
})

test.each(['failed', 'completed', 'archived'] as const)(
  '3.2 `/docs retry` after a lost run whose job has ended as %s: what a re-run does then',
  async (ending) => {
    const emulator = ownWorld()
    emulator.service.script.push({ durationMs: 60_000, ending })
    const said = emulator.say('/docs explain')
    await emulator.interrupted(emulator.given(said, { runId: 5, post: false }), READ, { when: 'after' })
    await emulator.pass(7_200_000)
    expect(await answerOf(emulator, 'retry')).toMatch(
      /\[re-run the workflow\]\(.*\/runs\/5\) to follow it again, or to ask again if it failed\./,
    )
    await emulator.act(said, { runId: 5, attempt: 2 })
    expect(emulator.prompts()).toHaveLength(ending === 'failed' ? 2 : 1)
  },
)

test('3.2 `/docs retry` while the agent works', async () => {
  const emulator = world()
  emulator.service.script.push({ reads: 8 })
  const first = emulator.ask('/docs explain', { runId: 5 })
  await emulator.pass(5000)
  expect(await answerOf(emulator, 'retry')).toContain(
    'is at work. Comment `/docs status` to see how it stands.',
  )
  expectOutcome(await first, 'pull-request')
})

test.each([3, 6, 9])('3.2 `/docs retry` while a run follows checks, after %i minutes', async (minutes) => {
  const emulator = checkedWorld([[{ name: 'build', takesMs: 600_000 }]])
  const first = emulator.ask('/docs explain', { runId: 5, inputs: FIX })
  await emulator.pass(minutes * 60_000)
  expect(await answerOf(emulator, 'retry')).toContain(
    'is at work. Comment `/docs status` to see how it stands.',
  )
  expectOutcome(await first, 'pull-request')
})

test('3.2 `/docs retry` where the thread cannot be read', async () => {
  const emulator = world()
  emulator.faults.add({
    match: { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ },
    fault: { kind: 'status', status: 403 },
    times: 1,
  })
  const result = await emulator.ask('/docs retry')
  expectOutcome(result, 'skipped', 'help')
  expect(result.summary).toContain("I can't read this thread, so I don't know how its last request ended.")
})

test.each(['cancel', 'stop it', 'abort, please', 'nvm', 'stop the last request, bitte'])(
  '3.2 `/docs %s`: the agent cannot be stopped',
  async (words) => {
    const emulator = world()
    expect(await answerOf(emulator, words)).toContain(
      "The docs agent can't be stopped. To drop its work, close its pull request",
    )
    expect(emulator.calls('service')).toEqual([])
  },
)

/** A person lets a tool write the comment, and the tool adds where it comes from. */
const FOOTER = '🤖 Generated with [Claude Code](https://claude.com/claude-code)'

test.each([
  ['retry', 'help', 'This thread has no request yet'],
  ['cancel', 'help', "The docs agent can't be stopped"],
  ['status', 'status', '**ℹ️ '],
])('3.2 `/docs %s` with the footer of a tool below starts nothing', async (words, reason, says) => {
  const emulator = world()
  const { said: _, ...result } = await emulator.ask(`/docs ${words}\n\n---\n${FOOTER}`)
  expectOutcome(result, 'skipped', reason)
  expect(emulator.lastWords()).toContain(says)
  expect(emulator.lastWords()).not.toContain('left out')
  expect(emulator.calls('service')).toEqual([])
})

test.each(['-h', '--help', 'version', 'help me'])('3.2 `/docs %s` is help', async (words) => {
  const emulator = world()
  expectOutcome(await emulator.ask(`/docs ${words}`), 'skipped', 'help')
  expect(emulator.lastWords(ISSUE)).toContain('How to use the docs agent')
})

test.each([
  ['/docs explain retries\n\n/docs skip', 'pull-request', ''],
  ['/docs status\n/docs explain retries', 'skipped', 'status'],
  ['/docs help\n\n/docs new page', 'skipped', 'help'],
])(
  '3.2 two commands in one comment, %j: the first one counts, and the answer says so',
  async (body, outcome, reason) => {
    const emulator = world()
    expectOutcome(await emulator.ask(body), outcome, reason)
    expect(emulator.lastWords()).toContain('Only the first command of the comment counted')
    for (const prompt of emulator.prompts()) expect(prompt).not.toContain('/docs')
  },
)

test('3.2 the re-run that the answer names asks once more', async () => {
  const emulator = world()
  emulator.service.script.push({ ending: 'failed' })
  const { said } = await emulator.ask('/docs explain', { runId: 5 })
  await answerOf(emulator, 'retry')
  expectOutcome(await emulator.act(said, { runId: 5, attempt: 2 }), 'pull-request')
})
