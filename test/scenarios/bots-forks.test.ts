import { expect, test } from 'vitest'
import type { NewPush } from '../../emulator/github/new.ts'
import { codeWorld, FIRST, file, INPUTS, pulled, saidOf } from '../helpers/code-world.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract H3, 3.4: a bot repeats a person's skip only where no stranger can have changed what it is about.

const PULL = 31
const SKIPPED = 'success: Skipped by alice'
const OTHER = [file('src/retry.ts', 'a backdoor')]

/** A workflow of `pull_request_target` has secrets, whoever pushes. */
const comes = (emulator: World, action: string, by: string, runId: number) =>
  emulator.act(
    { ...pulled(emulator, action, by, PULL), name: 'pull_request_target' },
    { runId, inputs: INPUTS },
  )

async function skipped(headRepository?: string) {
  const emulator = codeWorld()
  emulator.github.addPullRequest({
    ...{ number: PULL, user: 'alice', files: FIRST },
    ...(headRepository !== undefined && { headRepository }),
  })
  await comes(emulator, 'opened', 'alice', 41)
  await emulator.ask('/docs skip', { on: PULL, runId: 42, inputs: { 'commit-status': 'docs' } })
  expect(said(emulator)).toBe(SKIPPED)
  return emulator
}

const said = (emulator: World) => saidOf(emulator, emulator.github.pull(PULL).head.sha).at(-1)

const PUSHES: [string, NewPush][] = [
  ['other changes', { files: OTHER }],
  ['a file more', { files: [...FIRST, ...OTHER] }],
  ['a force push of other changes', { isForced: true, files: OTHER }],
]

test.each(PUSHES)(
  'H3 3.4 %s of a bot in a fork are pending, after a skip, also once another bot sets a label',
  async (_, push) => {
    const emulator = await skipped('mallory/app')
    emulator.github.push(PULL, push)
    expectOutcome(await comes(emulator, 'synchronize', 'mallory-app[bot]', 43), 'skipped', 'bot')
    expect(said(emulator)).toMatch(/^pending: Changed by mallory-app\[bot\]/)
    await comes(emulator, 'labeled', 'labeler[bot]', 44)
    expect(said(emulator)).toMatch(/^pending: Changed by mallory-app\[bot\]/)
    await emulator.ask('/docs skip', { on: PULL, runId: 45, inputs: { 'commit-status': 'docs' } })
    expect(said(emulator)).toBe(SKIPPED)
  },
)

test.each(['labeled', 'unlabeled', 'reopened'])(
  'H3 3.4 `%s` of a bot makes nothing green of what a stranger pushed to a fork',
  async (action) => {
    const emulator = await skipped('mallory/app')
    emulator.github.push(PULL, { files: OTHER })
    expectOutcome(await comes(emulator, 'synchronize', 'mallory', 43), 'skipped', 'permission-denied')
    await comes(emulator, action, 'labeler[bot]', 44)
    expect(said(emulator)).not.toBe(SKIPPED)
  },
)

test.each([
  ['a rebase of a fork', 'mallory/app', FIRST],
  ['a rebase of a fork that moves the lines', 'mallory/app', [file('src/retry.ts', 'first', 40)]],
  ['a rebase of a fork that moves them to the top', 'mallory/app', [file('src/retry.ts', 'first', 0)]],
  ['a rebase in this repository', undefined, FIRST],
  ['changes in this repository', undefined, OTHER],
])('3.4 %s by a bot keeps the skip', async (_, headRepository, files) => {
  const emulator = await skipped(headRepository)
  emulator.github.push(PULL, { isForced: true, files })
  expectOutcome(await comes(emulator, 'synchronize', 'pre-commit-ci[bot]', 43), 'skipped', 'bot')
  expect(said(emulator)).toBe(SKIPPED)
})
