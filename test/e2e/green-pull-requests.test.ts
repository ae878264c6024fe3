import { expect, test } from 'vitest'
import { commented } from './helpers/events.ts'
import { quoted, withStepsAfter } from './helpers/quoted.ts'
import { openSandbox, rootStep } from './helpers/sandbox.ts'

const PAGE = 'docs/green-pull-requests.md'

test.each([
  ['green if all checks pass', [{ name: 'Links' }], 0],
  ['red if one fails', [{ name: 'Links', conclusion: 'failure' as const }], 1],
])('with the step of the page, a run is %s', async (_, checks, exitCode) => {
  const sandbox = await openSandbox()
  sandbox.emulator.github.checks.everyHead = checks
  const edit = withStepsAfter(quoted(PAGE, '- if: steps.docs.outputs.checks'))
  const { event } = commented(sandbox, '/docs explain the new retry option')
  const run = await sandbox.run('comment-command.yml', event, { edit })
  expect(rootStep(run).result).toBe('success')
  expect(run.exitCode).toBe(exitCode)
})
