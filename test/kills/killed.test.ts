import { describe, expect, test } from 'vitest'
import { isPrompt, outcomeOf } from '../../simulator/history.ts'
import type { Call, Life } from '../../simulator/life.ts'
import { breachesAfter, breachesAfterSweep, breachesAtEnd } from '../../simulator/rules.ts'
import type { Stage } from '../../simulator/stage.ts'
import type { Attempt } from '../../simulator/story.ts'
import { threadsOf } from '../../simulator/world.ts'
import { asks, FIRST_COMMAND, TALES, type Tale } from '../broken/helpers/tales.ts'
import { tell } from '../broken/helpers/walk.ts'
import { attempt, kill } from '../helpers/story.ts'

/** Plays the tale, whose request has these attempts. */
const tellWith = (
  tale: Tale,
  attempts: readonly Attempt[],
  judge: (stage: Stage, life: Life) => void = () => {},
) => tell({ ...tale, run: (stage) => tale.run(stage, attempts) }, { judge })

/** The last main step, or sweep. */
const lastOf = ({ world }: Stage): Life | undefined => world.lives.findLast(({ role }) => role !== 'post')

/** 2, 6.2: what shows right after a process, before another one can make up for it. */
function complaintsAfter({ world, history }: Stage, { name, role, fate, calls, footprint }: Life): string[] {
  // Before the permission is known, a run says nothing about what others have left behind.
  const main = world.lives.findLast((life) => life.role === 'main')
  const hasActed = main?.calls.some(({ host, method }) => host === 'service' || method !== 'GET') === true
  const isOver = role === 'post' && fate === 'ended' && hasActed && outcomeOf(main) !== 'started'
  const sent = calls.findIndex(isPrompt)
  const isRead = sent >= 0 && calls.slice(sent + 1).some(isReadOfJob)
  const commentsOf = (words: string) =>
    threadsOf(world).map(
      (thread) => world.emulator.github.comments(thread).filter(({ body }) => body.includes(words)).length,
    )
  const hasEyes = history.requests.some(
    ({ event: { comment } }) =>
      comment &&
      world.emulator.github.reactions(comment.kind, comment.id).some(({ content }) => content === 'eyes'),
  )
  const isOpen = hasEyes || commentsOf('is working**').some((many) => many > 0)
  const leadsBackTwice = commentsOf('This pull request answers').some((many) => many > 1)
  return [
    ...(leadsBackTwice ? [`${name} leads back from a pull request twice`] : []),
    ...(role === 'main' && isRead && !footprint.outputs.get('job-id') ? [`${name} names no job`] : []),
    ...(isOver && isOpen ? [`${name} leaves the thread as under way`] : []),
  ]
}

const isReadOfJob = ({ method, path }: Call): boolean => method === 'GET' && /\/job\/[^/]+$/.test(path)

/** What is wrong after these attempts and two that nothing disturbs, of which the first may ask people to look. */
async function complaintsOf(tale: Tale, attempts: readonly Attempt[], outcome: string): Promise<string[]> {
  const found: string[] = []
  const { stage } = await tellWith(tale, [...attempts, attempt(), attempt()], (stage, life) => {
    found.push(...breachesAfter(stage.history, life).map(({ complaint }) => complaint))
    found.push(...complaintsAfter(stage, life))
  })
  const ended = outcomeOf(lastOf(stage))
  if (ended !== outcome) found.push(`the last attempt ends as ${ended}`)
  const left = [...breachesAfterSweep(stage.history), ...breachesAtEnd(stage.history)]
  return [...found, ...left.map(({ complaint }) => complaint)]
}

const first = lastOf((await tell(FIRST_COMMAND)).stage)
/** Kills a first command at such a request, before or after the server has processed it. */
const killedAt = (place: 'request' | 'answer', isIt: (call: Call) => boolean, more: Partial<Attempt> = {}) =>
  attempt({ blows: [kill(place, (first?.calls.findIndex(isIt) ?? 0) + 1)], ...more })
const isStatus = ({ method, path }: Call): boolean =>
  method === 'POST' && /\/issues\/\d+\/comments$/.test(path)
const LOST = { post: 'lost' } as const

interface Case {
  readonly name: string
  readonly tale: Tale
  readonly earlier: readonly Attempt[]
}

const CASES: readonly Case[] = [
  ...TALES,
  { name: 'new', before: asks(1), run: asks(2, { event: 'new' }) },
  { name: 'help', before: asks(1), run: asks(2, { event: 'help' }) },
].map((tale) => ({ name: tale.name, tale, earlier: [] }))

const RE_RUNS: readonly Case[] = [
  ['has reported', attempt()],
  ['was lost while it waited', killedAt('answer', isReadOfJob, LOST)],
  ['was lost before the job was noted', killedAt('request', isPrompt, LOST)],
  ['was killed while it waited, and said so', killedAt('answer', isReadOfJob)],
  ['was lost before it asked', killedAt('answer', isStatus, LOST)],
].map(([name, earlier]) => ({
  ...{ name: `a re-run of an attempt that ${name}`, tale: FIRST_COMMAND },
  earlier: [earlier as Attempt],
}))

describe.each([...CASES, ...RE_RUNS])('$name', ({ tale, earlier }) => {
  test.each([
    ['request', 'runs'],
    ['request', 'lost'],
    ['answer', 'runs'],
    ['answer', 'lost'],
  ] as const)('5.2 6.2 killed at each %s in turn, the post step %s', async (place, post) => {
    const whole = lastOf((await tellWith(tale, [...earlier, attempt()])).stage)
    const outcome = outcomeOf(lastOf((await tell(tale)).stage))
    expect(whole?.calls.length).toBeGreaterThan(1)
    for (const [at, { method, path }] of whole?.calls.entries() ?? []) {
      const killed = attempt({ blows: [kill(place, at + 1)], post })
      const found = await complaintsOf(tale, [...earlier, killed], outcome)
      expect(found, `killed at ${place} ${at + 1}, ${method} ${path}`).toEqual([])
    }
  })
})

test.each([
  ['before it asked', killedAt('answer', isStatus)],
  ['with its request under way', killedAt('request', isPrompt)],
  ['with its request processed', killedAt('answer', isPrompt)],
  ['while it waited', killedAt('answer', isReadOfJob)],
])('6.2 a first command that was killed %s, and its post step at each request in turn', async (_, killed) => {
  const { world } = (await tellWith(FIRST_COMMAND, [killed])).stage
  const post = world.lives.find(({ role }) => role === 'post')
  expect(post?.calls.length).toBeGreaterThan(2)
  for (const at of post?.calls.keys() ?? []) {
    const both = { ...killed, postBlows: [kill('request', at + 1)] }
    expect(await complaintsOf(FIRST_COMMAND, [both], 'pull-request'), `at request ${at + 1}`).toEqual([])
  }
})
