import { expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import { ISSUE, READ, world } from '../helpers/world.ts'

const HOUR = 3_600_000
const FOREVER: Turn = { ending: 'active-forever' }
const LATE = { 'timeout-minutes': '0.2' }

interface Ending {
  readonly turn?: Turn
  readonly inputs?: Readonly<Record<string, string>>
  /** No annotation, unless it says so. */
  readonly level?: 'error' | 'warning'
}

test.each<[string, Ending, string, 0 | 1, string]>([
  ['a pull request', {}, 'pull-request', 0, 'rocket'],
  ['no pull request', { turn: { pr: 'none' } }, 'no-pull-request', 0, '+1'],
  ['archived', { turn: { ending: 'archived' }, level: 'warning' }, 'archived', 0, '+1'],
  ['failed', { turn: { ending: 'failed' }, level: 'error' }, 'failed', 1, 'confused'],
  ['timed out', { turn: FOREVER, inputs: LATE, level: 'error' }, 'timed-out', 1, 'confused'],
  [
    'warned',
    { turn: FOREVER, inputs: { ...LATE, 'on-timeout': 'Warn' }, level: 'warning' },
    'timed-out',
    0,
    '',
  ],
  [
    'failed, where a time-out would warn',
    { turn: { ending: 'failed' }, inputs: { 'on-timeout': 'warn' }, level: 'error' },
    'failed',
    1,
    'confused',
  ],
  [
    'a pull request, where a time-out would warn',
    { inputs: { 'on-timeout': 'warn' } },
    'pull-request',
    0,
    'rocket',
  ],
  ['wait: false', { turn: FOREVER, inputs: { wait: 'false' } }, 'started', 0, 'eyes'],
  ['dry-run', { inputs: { 'dry-run': 'true' } }, 'skipped', 0, '+1'],
])(
  '2.1 %s',
  { tags: 'bundle' },
  async (_, { turn = {}, inputs = {}, level }, outcome, exitCode, reaction) => {
    const emulator = world()
    emulator.service.everyTurn = turn
    const result = await emulator.ask('/docs Explain retries', { inputs, post: true })
    expect(result).toMatchObject({ exitCode, outputs: { outcome } })
    expect(result.annotations.map((one) => one.level)).toEqual(level === undefined ? [] : [level])

    const [said = '', ...more] = emulator.bodies()
    expect(more).toEqual([])
    // What tells of trouble is a new comment, so that people are notified (5.4).
    const posts = emulator
      .calls('github')
      .filter((call) => call === 'POST /repos/octo/app/issues/12/comments')
    if (exitCode === 1) expect(posts).toHaveLength(2)
    const headline = /^\*\*\S+ ([^*]+)\*\*/.exec(said)?.[1] ?? ''
    const heading = headline.includes('](') ? headline : headline.replaceAll('`', '')
    expect(result.summary.split('\n')[0]).toContain(heading)
    expect(result.log).toContain(headline.replaceAll('`', '').replace(/\[(.*)\]\((.*)\)/, '$1 ($2)'))

    const asker = emulator.github.comments(ISSUE)[0]?.id ?? 0
    if (reaction !== '') expect(emulator.reactions(asker)).toEqual([reaction])
    const last = emulator.github.comments(ISSUE).at(-1)?.id
    expect(result.outputs['comment-url']).toContain(`#issuecomment-${last}`)
    expect(result.post?.log).toBe('')
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
