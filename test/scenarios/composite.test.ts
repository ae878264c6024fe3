import { expect, test } from 'vitest'
import type { ActionRun } from '../../emulator/runner.ts'
import { ownWorld, READ, SCHEDULE } from '../helpers/world.ts'

/** Inside a composite action, the post step gets the inputs of that one, or none. */
function inComposite(run: ActionRun, outer: Readonly<Record<string, string>>): ActionRun {
  const { launch } = run
  if (launch === undefined) throw new Error('steps are not started in this process')
  return {
    ...run,
    launch: (step) => {
      if (!step.folder.endsWith('post')) return launch(step)
      const own = Object.entries(step.env).filter(([name]) => !name.startsWith('INPUT_'))
      return launch({ ...step, env: { ...Object.fromEntries(own), ...outer } })
    },
  }
}

const OUTER = [{}, { 'INPUT_API-KEY': '' }, { INPUT_PROMPT: 'Update the docs.', INPUT_LANGUAGE: 'en' }]
const EVENTS = ['issue_comment', 'schedule'] as const

// Steps are started in this process.
test.each(EVENTS.flatMap((name) => OUTER.map((outer) => [name, outer] as const)))(
  '6.2 %s: a post step with the inputs %j says so, and leaves the thread as it is',
  async (name, outer) => {
    const emulator = ownWorld()
    emulator.service.script.push({ reads: 2 })
    const run =
      name === 'schedule'
        ? emulator.given(SCHEDULE, { inputs: { prompt: 'Explain retries', 'issue-number': '12' } })
        : emulator.given(emulator.say('/docs Explain retries'))
    const { post } = await emulator.interrupted(inComposite(run, outer), READ, { fault: { kind: 'stall' } })
    expect(post?.annotations).toEqual([
      {
        level: 'warning',
        message: expect.stringMatching(/got none of its inputs.*Re-run the workflow to pick up/),
      },
    ])
    const [{ id } = {}] = emulator.service.jobs()
    expect(emulator.records()).toMatchObject([{ state: 'running', job: { id } }])
    const again = await emulator.act(run.event, { inputs: run.inputs ?? {}, attempt: 2 })
    expect(again.outputs).toMatchObject({ outcome: 'pull-request', 'job-id': id, 'job-action': 'resumed' })
    expect(emulator.promptCounts()).toEqual([1])
  },
)
