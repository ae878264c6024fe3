import { describe, expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import { ISSUE, READ, world } from '../helpers/world.ts'

interface Ending {
  readonly name: string
  readonly turn?: Turn
  readonly inputs?: Readonly<Record<string, string>>
  readonly outcome: string
  readonly exitCode: 0 | 1
  readonly annotation?: 'error' | 'warning'
  readonly reaction: string
}

const HOUR = 3_600_000
const forever: Turn = { ending: 'active-forever' }
const ENDINGS: readonly Ending[] = [
  {
    name: 'a pull request',
    outcome: 'pull-request',
    exitCode: 0,
    reaction: 'rocket',
  },
  {
    name: 'no pull request',
    turn: { pr: 'none' },
    outcome: 'no-pull-request',
    exitCode: 0,
    reaction: '+1',
  },
  {
    name: 'archived',
    turn: { ending: 'archived' },
    outcome: 'archived',
    exitCode: 0,
    annotation: 'warning',
    reaction: '+1',
  },
  {
    name: 'failed',
    turn: { ending: 'failed' },
    outcome: 'failed',
    exitCode: 1,
    annotation: 'error',
    reaction: 'confused',
  },
  {
    name: 'timed out',
    turn: forever,
    inputs: { 'timeout-minutes': '0.2' },
    outcome: 'timed-out',
    exitCode: 1,
    annotation: 'error',
    reaction: 'confused',
  },
  {
    name: 'timed out, on-timeout: warn',
    turn: forever,
    inputs: { 'timeout-minutes': '0.2', 'on-timeout': 'Warn' },
    outcome: 'timed-out',
    exitCode: 0,
    annotation: 'warning',
    reaction: expect.any(String),
  },
  {
    name: 'wait: false',
    turn: forever,
    inputs: { wait: 'false' },
    outcome: 'started',
    exitCode: 0,
    reaction: 'eyes',
  },
  {
    name: 'dry-run',
    inputs: { 'dry-run': 'true' },
    outcome: 'skipped',
    exitCode: 0,
    reaction: '+1',
  },
]

describe.each(ENDINGS)(
  '2.1 $name',
  { tags: 'bundle' },
  ({ turn = {}, inputs = {}, annotation, reaction, ...ending }) => {
    test(`${ending.outcome}, exit code ${ending.exitCode}`, async () => {
      const emulator = world()
      emulator.service.everyTurn = turn
      const result = await emulator.ask('/docs Explain retries', { inputs, post: true })
      expect(result).toMatchObject({ exitCode: ending.exitCode, outputs: { outcome: ending.outcome } })
      expect(result.annotations.map(({ level }) => level)).toEqual(
        annotation === undefined ? [] : [annotation],
      )

      const [said = '', ...more] = emulator.bodies()
      expect(more).toEqual([])
      // What tells of trouble is a new comment, so that people are notified (5.4).
      const posts = emulator
        .calls('github')
        .filter((call) => call === 'POST /repos/octo/app/issues/12/comments')
      if (ending.exitCode === 1) expect(posts).toHaveLength(2)
      const headline = /^\*\*\S+ ([^*]+)\*\*/.exec(said)?.[1] ?? ''
      const heading = headline.includes('](') ? headline : headline.replaceAll('`', '')
      expect(result.summary.split('\n')[0]).toContain(heading)
      expect(result.log).toContain(headline.replaceAll('`', '').replace(/\[(.*)\]\((.*)\)/, '$1 ($2)'))

      const asker = emulator.github.comments(ISSUE)[0]?.id ?? 0
      expect(emulator.github.reactions('issue', asker).map(({ content }) => content)).toEqual([reaction])
      expect(result.outputs['comment-url']).toContain(
        `#issuecomment-${emulator.github.comments(ISSUE).at(-1)?.id}`,
      )
      expect(result.post?.log).toBe('')
    })
  },
)

test.each([-HOUR, HOUR])(
  '4.6 a wall clock that is set by %i ms while the run waits changes nothing',
  async (ms) => {
    const [usual, emulator] = [world(), world()]
    usual.service.script.push({ durationMs: 120_000 })
    const { outputs } = await usual.ask('/docs explain')
    emulator.service.script.push({ reads: usual.calls('service').length - 2 })
    emulator.faults.add({ match: READ, fault: { kind: 'call', call: () => emulator.setWallClock(ms) } })
    const result = await emulator.ask('/docs explain')
    expect(result.outputs.outcome).toBe('pull-request')
    expect(result.outputs['duration-seconds']).toBe(outputs['duration-seconds'])
  },
)

test.each([
  ['/docs explain', { path: /permission$/ }],
  ['/docs explain', { method: 'POST', path: /\/comments$/ }],
  ['/docs status', { path: /permission$/ }],
])('4.4 %s: nothing is sent once GitHub has used up the time (%o)', async (body, match) => {
  const emulator = world()
  emulator.faults.add({ match, fault: { kind: 'delay', ms: 9000 } })
  const { outputs } = await emulator.ask(body, { inputs: { 'timeout-minutes': '0.1' } })
  expect(emulator.calls('service')).toEqual([])
  if (body === '/docs explain') expect(outputs.outcome).toBe('timed-out')
})
