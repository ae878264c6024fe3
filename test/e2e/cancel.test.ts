import { expect, test } from 'vitest'
import { commented } from './helpers/events.ts'
import { commentsIn, openSandbox, postsOf, reactionsTo, rootStep, withoutLeaks } from './helpers/sandbox.ts'

const EXAMPLE = 'comment-command.yml'

// A runner asks a step to end (SIGINT, then SIGTERM) before it kills it. act, on SIGINT, kills the step's process at
// once, and goes on to the post steps: so the post step reports here. How the step itself answers signals is tested in
// test/scenarios/endings-signals.test.ts.
test('6.2 a cancelled run says that the job goes on', async () => {
  const sandbox = await openSandbox()
  sandbox.emulator.service.script.push({ ending: 'active-forever' })
  const { event, id } = commented(sandbox, '/docs explain retries')
  const running = sandbox.start(EXAMPLE, event)
  const cancel = () => void running.child.kill('SIGINT')
  const firstRead = { host: 'service', method: 'GET', path: /\/job\/[^/]+$/ } as const
  sandbox.emulator.faults.add({ match: firstRead, fault: { kind: 'call', when: 'after', call: cancel } })
  const run = withoutLeaks(await running.done)

  const job = sandbox.emulator.service.jobs()[0]
  expect([run.exitCode, rootStep(run).result]).toEqual([1, 'failure'])
  expect(rootStep(run).outputs).toMatchObject({ 'job-id': job?.id, status: 'active' })
  expect(postsOf(run)).toMatchObject([{ result: 'success', summary: expect.stringContaining('cut short') }])
  expect(commentsIn(sandbox)).toEqual([
    expect.stringMatching(/^\*\*⏹️ The run was cut short; the job `j_\w+` goes on/),
  ])
  expect(reactionsTo(sandbox, id)).toEqual(['confused'])
  expect(job?.status).toBe('active')
})
