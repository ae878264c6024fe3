import { expect, test } from 'vitest'
import { expectOutcome, ISSUE, ownWorld, type World } from '../helpers/world.ts'

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

const COMMENT = { host: 'github', path: /\/issues\/comments\/\d+$/ } as const

test('3.1 a comment that GitHub does not list yet asks all the same', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  const match = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 200, body: [] } })
  expectOutcome(await emulator.act(said), 'pull-request')
})

test.each([403, 404, 410])('3.1 a comment that GitHub does not list, and answers with %i', async (status) => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  emulator.github.deleteComment(said.id)
  emulator.faults.add({ match: COMMENT, fault: { kind: 'status', status } })
  const result = await emulator.act(said)
  if (status === 403) expectOutcome(result, 'pull-request')
  else expectOutcome(result, 'skipped', 'comment-gone')
})

test('H2 a comment that was deleted after its job began: a re-run still tells the end', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ reads: 2 })
  const said = emulator.say('/docs explain')
  await emulator.act(said, { inputs: { wait: 'false' } })
  emulator.github.deleteComment(said.id)
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
})

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
