import { expect, test } from 'vitest'
import { plant } from '../collect/helpers.ts'
import { expectOutcome, ISSUE, ownWorld, READ, type World } from '../helpers/world.ts'

// Contract 5.7: a thread that was transferred, deleted or turned into a discussion is no outage.

const GOES = {
  'moved to another repository': ({ github }: World) => {
    github.addRepository('octo/other')
    github.transferIssue(ISSUE, 'octo/other')
  },
  deleted: ({ github }: World) => github.deleteIssue(ISSUE),
}
const ENDS = Object.entries(GOES)

test.each(ENDS)(
  '5.7 a command in a thread that was %s is bad input, and nothing is sent',
  async (how, go) => {
    const emulator = ownWorld()
    const said = emulator.say('/docs explain')
    go(emulator)
    const result = await emulator.act(said)
    expectOutcome(result, 'error', 'bad-input')
    expect(result.log).not.toContain('Could not read the comments')
    expect(result.log).toMatch(
      new RegExp(`The thread #12 is gone: .*${how}. Use the command in another one.`),
    )
    expect(emulator.calls('service')).toEqual([])
  },
)

test.each(ENDS)('5.7 a run whose thread was %s goes on without one, and says why', async (how, go) => {
  const emulator = ownWorld()
  go(emulator)
  const result = await emulator.refresh(1, { 'issue-number': String(ISSUE), labels: 'docs' })
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe('')
  expect(result.annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining(how) }])
  expect(result.log).not.toContain('in #12')
  expect(emulator.github.repo().issues.get(77)?.labels).toEqual(['docs'])
})

test.each(ENDS)('5.7 a thread that is %s while the job works is promised nothing', async (how, go) => {
  const emulator = ownWorld()
  emulator.faults.add({ match: READ, fault: { kind: 'call', call: () => go(emulator) } })
  const { outputs, log, summary, annotations, post } = await emulator.ask('/docs explain', { post: true })
  expect(outputs).toMatchObject({ outcome: 'pull-request', 'issue-number': '', 'comment-url': '' })
  expect(annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining(how) }])
  expect(log).not.toContain('still shows')
  expect(summary).toMatch(/\n\nReview it there\.\n\n/)
  expect(post?.log).toBe('')
})

test.each(ENDS)(
  '8.1 5.7 a sweep says that the thread was %s, and the next one asks for nothing',
  async (how, go) => {
    const emulator = ownWorld()
    await plant(emulator)
    emulator.faults.add({ match: READ, fault: { kind: 'call', call: () => go(emulator) } })
    const { exitCode, annotations } = await emulator.collect()
    expect(exitCode).toBe(0)
    expect(annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining(how) }])
    emulator.clearRequests()
    await emulator.collect()
    expect(emulator.calls()).toHaveLength(1)
  },
)
