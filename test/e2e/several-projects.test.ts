import { expect, test } from 'vitest'
import { dispatched } from './helpers/events.ts'
import { commentsIn, expectOutcome, ISSUE, openSandbox, type Sandbox } from './helpers/sandbox.ts'

const EXAMPLE = 'several-projects.yml'

/** One run of the workflow: its jobs at the same time, each on a runner of its own. */
function ask(sandbox: Sandbox, inputs: Readonly<Record<string, string>>) {
  const vars = { DOCS_AGENT_PROJECT_ID_GUIDES: 'guides', DOCS_AGENT_PROJECT_ID_REFERENCE: 'reference' }
  const job = (name: string) => sandbox.run(EXAMPLE, dispatched(inputs), { vars, matrix: `name:${name}` })
  return Promise.all(['guides', 'reference'].map(job))
}

test('each project has a job of its own, reports to the issue, and goes on with its own', async () => {
  const sandbox = await openSandbox({ projectId: 'guides', otherProjects: ['reference'] })
  const request = async (prompt: string) => {
    const runs = await ask(sandbox, { prompt, 'issue-number': String(ISSUE) })
    return runs.map((run) => expectOutcome(run, 'pull-request').outputs)
  }
  const first = await request('Explain retries')
  expect(first.map((outputs) => outputs['job-action'])).toEqual(['created', 'created'])
  expect(commentsIn(sandbox)).toHaveLength(2)

  const second = await request('Shorten it')
  expect(second.map((outputs) => outputs['job-action'])).toEqual(['continued', 'continued'])
  expect(second.map((outputs) => outputs['pr-link'])).toEqual(first.map((outputs) => outputs['pr-link']))
  const jobs = sandbox.emulator.service.jobs().map(({ project, prompts }) => [project, prompts.length])
  expect(jobs.sort()).toEqual([
    ['guides', 2],
    ['reference', 2],
  ])
})
