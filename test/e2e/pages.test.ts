import { expect, test } from 'vitest'
import type { Edit } from './helpers/act.ts'
import { commented, dispatched } from './helpers/events.ts'
import { asSteps, quoted, withStepsAfter } from './helpers/quoted.ts'
import { expectOutcome, mainsOf, openSandbox, promptsOf, withInputs } from './helpers/sandbox.ts'

/** What pages quote is for the README's workflow, which is this example. */
const EXAMPLE = 'comment-command.yml'
const CODE = 30
const RETRIES = '/docs explain the new retry option'

/** What waits for checks has a file of its own. */
const withoutFixes: Edit = (workflow) => workflow.replace(/ +fix-attempts: 2\n/, '')

test.each([
  ['runs where there is one', 'open', 'pull-request', ['success']],
  ['does not run where there is none', 'none', 'no-pull-request', []],
])('README.md: the step that prints the link to the pull request %s', async (_, pr, outcome, results) => {
  const sandbox = await openSandbox()
  sandbox.emulator.service.everyTurn = { reads: 0, pr }
  const after = withStepsAfter(quoted('README.md', '- if: steps.docs.outputs.outcome'))
  const edit: Edit = (workflow) => after(withoutFixes(workflow))
  const run = await sandbox.run(EXAMPLE, commented(sandbox, RETRIES).event, { edit })
  expectOutcome(run, outcome)
  const echoes = mainsOf(run).filter(({ step }) => step.startsWith('echo'))
  expect(echoes.map(({ result }) => result)).toEqual(results)
})

test.each([
  ['a request', RETRIES, 'octo/app#77'],
  ['a skip', '/docs skip because only the tests change', 'Skipped by alice: only the tests change'],
])('docs/docs-with-the-code.md: with its lines, %s sets the status', async (_, words, said) => {
  const sandbox = await openSandbox()
  const { github } = sandbox.emulator
  github.addPullRequest({ number: CODE, user: 'alice', files: [{ filename: 'src/retry.ts' }] })
  const lines = withInputs(quoted('docs/docs-with-the-code.md', 'commit-status: docs'))
  const edit: Edit = (workflow) => lines(withoutFixes(workflow).replace('statuses: read', 'statuses: write'))
  await sandbox.run(EXAMPLE, commented(sandbox, words, 'alice', CODE).event, { edit })
  const status = github.statuses(github.pull(CODE).head.sha).at(-1)
  expect(status).toMatchObject({ context: 'docs', state: 'success', description: said })
})

test('docs/conversations.md: with its lines, a run by hand goes on with the job that they name', async () => {
  const sandbox = await openSandbox()
  await sandbox.run(EXAMPLE, commented(sandbox, RETRIES).event, { edit: withoutFixes })
  const { service } = sandbox.emulator
  const [job] = service.jobs()
  service.apiKey = 'another-key'
  const lines = quoted('docs/conversations.md', 'job-id: ').replace(/j_\w+/, job?.id ?? '')
  const edit: Edit = (workflow) =>
    withInputs(lines)(withoutFixes(workflow))
      .replace(/on:\n( .*\n)+/, 'on: workflow_dispatch\n')
      .replace(/ +if: >-\n.*\n.*\n/, '')
  const secrets = { MINTLIFY_API_KEY: service.apiKey }
  const run = await sandbox.run(EXAMPLE, dispatched(), { edit, secrets })
  expect(expectOutcome(run, 'pull-request').outputs).toMatchObject({
    'job-id': job?.id,
    'job-action': 'continued',
  })
  expect(promptsOf(sandbox)).toEqual([
    [expect.any(String), expect.stringContaining('Add an example for retries.')],
  ])
})

test('insights/README.md: what its step finds goes along as reference', async () => {
  const sandbox = await openSandbox()
  const step = quoted('insights/README.md', '- uses: OWNER/docs-agent/insights@v1')
  const edit: Edit = (workflow) =>
    withInputs(`reference-file: $\{{ steps.insights.outputs.file }}`)(withoutFixes(workflow)).replace(
      'steps:\n',
      `$&${asSteps(step)}`,
    )
  const run = await sandbox.run(EXAMPLE, commented(sandbox, '/docs fix what readers miss').event, { edit })
  expectOutcome(run, 'pull-request')
  expect(promptsOf(sandbox)).toEqual([[expect.stringContaining('File: insights.md')]])
})
