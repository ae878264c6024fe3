import { expect, test } from 'vitest'
import { commented, reviewed } from './helpers/events.ts'
import {
  commentsIn,
  expectNothing,
  expectOutcome,
  openSandbox,
  promptsOf,
  reactionsTo,
} from './helpers/sandbox.ts'

const EXAMPLE = 'comment-command.yml'

test('a comment starts a job, what fails of its pull request goes back, and the next comment continues it', async () => {
  const sandbox = await openSandbox()
  sandbox.emulator.github.checks.script.push([{ name: 'Links', conclusion: 'failure' }])
  const first = commented(sandbox, '/docs explain the new retry option')
  const step = expectOutcome(await sandbox.run(EXAMPLE, first.event), 'pull-request')
  expect(step.outputs).toMatchObject({
    'job-action': 'created',
    status: 'completed',
    checks: 'success',
    fixes: '1',
    'pr-link': 'https://github.com/octo/app/pull/77',
  })
  expect(JSON.parse(step.outputs.result ?? '')).toMatchObject({ outcome: 'pull-request' })
  expect(step.summary).toContain('[octo/app#77](https://github.com/octo/app/pull/77)')
  expect(step.log).toContain('comment command by alice on octo/app#12')
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77.* for @alice/)])
  expect(commentsIn(sandbox, 77)).toEqual([expect.stringContaining('octo/app#12')])
  expect(new Set(sandbox.network.tunnels)).toEqual(new Set(['api.mintlify.com:443', 'api.github.com:443']))
  expect(reactionsTo(sandbox, first.id)).toEqual(['rocket'])

  const second = commented(sandbox, '/docs shorten it', 'alice', 77)
  const next = expectOutcome(await sandbox.run(EXAMPLE, second.event), 'pull-request')
  expect(next.outputs['job-action']).toBe('continued')
  expect(promptsOf(sandbox)).toEqual([
    [expect.stringContaining('explain the new retry option'), expect.stringContaining('Links'), 'shorten it'],
  ])
  expect(reactionsTo(sandbox, second.id)).toEqual(['rocket'])
})

test('two comments at once, in a workflow without `concurrency`: one job gets both', async () => {
  const sandbox = await openSandbox()
  const events = ['/docs explain the new retry option', '/docs shorten the page'].map(
    (words) => commented(sandbox, words).event,
  )
  const runs = await Promise.all(events.map((event) => sandbox.run(EXAMPLE, event)))
  const actions = runs.map((run) => expectOutcome(run, 'pull-request').outputs['job-action'])
  expect(actions.toSorted()).toEqual(['continued', 'created'])
  const [prompts = [], ...others] = promptsOf(sandbox)
  expect(others).toEqual([])
  // The conversation, in the fence, may have the request of the other one.
  const requests = prompts.map((prompt) => prompt.split('=== begin')[0] ?? '')
  for (const words of ['explain the new retry option', 'shorten the page'])
    expect(requests.filter((request) => request.includes(words))).toHaveLength(1)
  expect(commentsIn(sandbox).join('\n')).not.toContain('is working')
})

test('a comment without the command starts nothing at all', async () => {
  const sandbox = await openSandbox()
  expectNothing(sandbox, await sandbox.run(EXAMPLE, commented(sandbox, 'See the page for more').event))
})

test('a review that begins with the command is one request', async () => {
  const sandbox = await openSandbox()
  const { event, number } = reviewed(sandbox, '/docs tighten this')
  expectOutcome(await sandbox.run(EXAMPLE, event), 'pull-request')
  expect(promptsOf(sandbox)).toEqual([[expect.stringContaining('tighten this')]])
  expect(commentsIn(sandbox, number)).toEqual([expect.stringContaining('for @alice')])
})

test('a review that is no command starts nothing at all', async () => {
  const sandbox = await openSandbox()
  expectNothing(sandbox, await sandbox.run(EXAMPLE, reviewed(sandbox, 'Looks good').event))
})
