import { expect, test } from 'vitest'
import type { Life } from '../../simulator/life.ts'
import { breachesAfter, breachesAfterSweeps } from '../../simulator/rules.ts'
import { askAll, attemptAt, HOUR, type Stage, stageOf, sweep } from '../../simulator/stage.ts'
import { type Ask, undisturbed } from '../../simulator/story.ts'
import { openWorld } from '../../simulator/world.ts'
import { WRITES } from '../helpers/code-world.ts'
import { ask, attempt, plainStory } from '../helpers/story.ts'

// Two writers in one thread, that of a pull request: the first one is paused right before a write, with all that it has read, the
// second one runs to its end, and the first one goes on. So for each write of the first one in turn. Then sweeps come.

/** No run waits for another one for longer than what goes out is held. */
const PAUSE_MS = 120_000

const INPUTS = { 'timeout-minutes': '50', 'commit-status': 'docs' }
const USUAL = { on: 'pull', inputs: INPUTS, turn: { durationMs: 5000 } } as const

/** All events of the pull request have the words of their workflow. @param id also names the file that a push changes */
const event = (name: Ask['event'], id: string) => (stage: Stage) =>
  askAll(stage, [
    ask([undisturbed(0)], {
      ...{ ...USUAL, id, event: name, workflow: 'Docs of code' },
      words: 'document this change (ask-code;)',
    }),
  ])

const command =
  (id: string, more: Partial<Ask> = {}) =>
  (stage: Stage) =>
    askAll(stage, [
      ask([undisturbed(0)], { ...USUAL, id: `ask-${id}`, words: `explain ${id} (ask-${id};)`, ...more }),
    ])

/** What the first writer does, and the second one, if it differs. */
type Writer = readonly [first: (stage: Stage) => Promise<void>, second?: (stage: Stage) => Promise<void>]

const reRun = (nth: number) => async (stage: Stage) => {
  const request = stage.history.requests[nth]
  if (request !== undefined) await attemptAt(stage, request, undisturbed(0))
}

/** The main step of this one is killed while its job works. */
const KILLED = 'killed'

const WRITERS: Readonly<Record<string, Writer>> = {
  'a push': [event('code-pushed', 'ask-1'), event('code-pushed', 'ask-2')],
  'a label': [event('code-labeled', 'ask-3')],
  'a command': [command('this'), command('that', { author: 'bob', sender: 'bob' })],
  'a re-run': [reRun(0), reRun(1)],
  'a post step': [command(`${KILLED}-1`), command(`${KILLED}-2`)],
  'a sweep': [(stage) => sweep(stage, { blows: [], inputs: { 'since-hours': '744' } })],
  'a command that heals': [command('status', { event: 'status' })],
}

const READS_JOB = /^GET \S+\/job\/\w+$/
const NAMES_JOB = /^PATCH \S+\/issues\/comments\/\d+$/

/** What became of the two requests that the thread has before, and at which request their runs were lost. */
const BEFORE = {
  'two runs were lost while their job worked': { lostAt: READS_JOB, ending: 'completed' },
  'two runs were lost once their requests were out': { lostAt: NAMES_JOB, ending: 'completed' },
  'two jobs failed': { lostAt: undefined, ending: 'failed' },
} as const

type Meeting = (life: Life, request: string) => Promise<void> | void
const NOTHING: Meeting = () => {}

/** @returns the breaches, and before which write the first one was paused; undefined where it has written less */
async function meet(before: keyof typeof BEFORE, first: string, second: string, nth: number) {
  let meeting = NOTHING
  const world = await openWorld({ ...plainStory(), permissions: WRITES }, async (label) => {
    const life = world.lives.find(({ name }) => label.startsWith(`${name} `))
    if (life !== undefined) await meeting(life, label.slice(life.name.length + 1))
  })
  const { clock, emulator, messages, lives } = world
  const breaches: unknown[] = []
  const stage: Stage = stageOf(world, (life) => void breaches.push(...breachesAfter(stage.history, life)))
  const pass = async (ms: number) => {
    await clock.sleep(ms)
    emulator.service.tick()
  }
  const hasSent = (life: Life) => messages.find((one) => one.life === life)

  const { lostAt, ending } = BEFORE[before]
  meeting = (life, request) => {
    if (hasSent(life) && lostAt?.test(request)) life.kill('its host was lost')
  }
  for (const author of ['alice', 'bob']) {
    const attempts = [attempt({ post: lostAt === undefined ? 'runs' : 'lost' })]
    const turn = { durationMs: 5000, ending }
    await command(`of-${author}`, { author, sender: author, attempts, turn })(stage)
    await pass(2 * HOUR)
  }

  let writes = 0
  let paused: { readonly request: string; readonly other: Promise<void> } | undefined
  meeting = async (life, request) => {
    const isKilled = life.role === 'main' && hasSent(life)?.call.body.includes(KILLED)
    if (isKilled && READS_JOB.test(request)) return life.kill('cut off')
    const isFirst = first !== 'a post step' || life.role === 'post'
    if (paused !== undefined || !isFirst || /^GET|\/graphql$/.test(request)) return
    writes += 1
    if (writes <= nth) return
    world.note(`${life.name} is paused before ${request}`)
    // What takes too long may have gone out.
    world.faults.set('paused', 1)
    const [one, other = one] = WRITERS[second] ?? []
    paused = { request, other: Promise.resolve(other?.(stage)) }
    await Promise.race([paused.other, clock.sleep(PAUSE_MS)])
    world.note(`${life.name} goes on`)
  }
  await WRITERS[first]?.[0](stage)
  await paused?.other
  meeting = NOTHING

  // The first one that sees an end between two turns leaves it to the next.
  for (const ms of [9 * HOUR, HOUR]) {
    await pass(ms)
    await sweep(stage, { blows: [], inputs: { 'since-hours': '744' } })
  }
  breaches.push(...breachesAfterSweeps(stage.history))
  for (const life of lives) life.forget()
  world.close()
  return { breaches, at: paused?.request, timeline: world.timeline }
}

const NAMES = Object.keys(WRITERS)
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const))

for (const before of Object.keys(BEFORE) as (keyof typeof BEFORE)[])
  test.each(PAIRS)(`${before}: %s is paused before each write in turn, and %s comes`, async (...pair) => {
    for (let nth = 0; ; nth += 1) {
      const { breaches, at, timeline } = await meet(before, ...pair, nth)
      expect(breaches, `paused before ${at}\n${timeline.join('\n')}`).toEqual([])
      if (at === undefined) break
    }
  })
