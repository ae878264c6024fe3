import { expect, test } from 'vitest'
import { type Step, startStep } from '../../emulator/runner/step.ts'
import { type ActionRun, type RunningAction, startAction } from '../../emulator/runner.ts'
import { FIX, fixes } from '../helpers/checked-world.ts'
import { currentStep } from '../helpers/step-in-process.ts'
import { green, MINUTE, red, steppedWorld, sweep } from '../helpers/stepped-world.ts'
import { ISSUE, type World } from '../helpers/world.ts'

// H1, H2, H7 and 8.6: two sweeps meet a head that fails, or a sweep and another run, at once or a while apart, and one of the two is
// killed at each of its requests in turn. A message goes at most once for each head, and later sweeps
// bring the request to its end.

type Comes = (emulator: World) => ActionRun

const sweeps: Comes = (emulator) => emulator.sweepGiven(FIX, { runId: 9_200_001 })

/** alice's command once more, in a run that waits. */
const reRun: Comes = (emulator) => {
  const { github, shown } = emulator
  const [comment] = github.comments(ISSUE)
  if (comment === undefined) throw new Error('alice has said nothing')
  const said = { action: 'created', issue: shown.issue(ISSUE), comment: shown.comment(comment) }
  const payload = { ...said, sender: shown.user('alice'), repository: shown.repository() }
  return emulator.given({ name: 'issue_comment', payload }, { attempt: 2, inputs: FIX, post: false })
}

const says =
  (words: string, inputs: Readonly<Record<string, string>>): Comes =>
  (emulator) =>
    emulator.given(emulator.say(words, { by: 'bob' }), { runId: 77, inputs, post: false })

const OTHERS: Readonly<Record<string, Comes>> = {
  'a sweep': (emulator) => emulator.sweepGiven(FIX, { runId: 9_200_002 }),
  'a re-run that waits': reRun,
  'a command that waits for nothing': says('/docs shorten it', { ...FIX, wait: 'false' }),
  'a command that waits': says('/docs shorten it', FIX),
  'a run that ends what others left': says('/docs status', FIX),
}

/** The head has failed, and a sweep has said so or not. */
async function redWorld(isReported: boolean) {
  const emulator = await steppedWorld({ heads: [red()] })
  emulator.github.checks.everyHead = green()
  if (isReported) await sweep(emulator, { afterMs: 0 })
  await emulator.pass(5 * MINUTE)
  emulator.service.tick()
  emulator.clearRequests()
  return emulator
}

/** Commits whose failures went to the agent more than once. */
const twiceSent = (emulator: World): string[] => {
  const sent = fixes(emulator).filter((prompt) => prompt.startsWith('Checks of'))
  // Only the first head fails.
  return sent.slice(1)
}

async function comesToItsEnd(emulator: World, where: string): Promise<void> {
  for (let at = 0; at < 5; at += 1) await sweep(emulator, { afterMs: 15 * MINUTE })
  // A run whose runner is lost holds its request for an hour.
  await sweep(emulator, { afterMs: 90 * MINUTE })
  for (let at = 0; at < 3; at += 1) await sweep(emulator, { afterMs: 15 * MINUTE })
  expect(twiceSent(emulator), where).toEqual([])
  for (const record of emulator.records()) {
    const { checks } = record.state === 'ended' ? record : {}
    expect([record.state, checks?.isWatched], where).not.toContainEqual(true)
    expect(record.state, where).not.toBe('running')
  }
  // What a person was told then was true then.
  const ends = emulator.bodies().filter((body) => !body.startsWith('**ℹ️ The job '))
  expect(ends.join('\n'), where).not.toMatch(/is working|are running|go back to the agent|next sweep/)
}

const APART_MS = [0, 50, 150, 300, 3000]

/** In the order in which they come. */
const NTH = { first: 0, second: 1 } as const

interface Struck {
  /** Which of the two is killed, and at which of its requests, from 0; -1 for none. */
  readonly which: 0 | 1
  readonly at: number
  /** GitHub or the service gets that request all the same. */
  readonly isReceived: boolean
}

interface Play {
  readonly comes: Comes
  readonly isReported: boolean
  readonly apartMs: number
}

interface Played {
  readonly emulator: World
  /** The requests of each of the two, such as `GET /repos`. */
  readonly sent: readonly [string[], string[]]
}

/** Two of them meet, and one is killed. Each request takes as long as its place among all of them says. */
async function meet(
  { comes, isReported, apartMs }: Play,
  { which, at, isReceived }: Struck,
): Promise<Played> {
  const emulator = await redWorld(isReported)
  const sent: Played['sent'] = [[], []]
  const steps: Step[] = []
  const runs = [sweeps(emulator), comes(emulator)].map(({ launch = startStep, ...run }) => ({
    ...run,
    launch(step: Step) {
      steps.push(step)
      return launch(step)
    },
  }))
  let seen = 0
  const running: RunningAction[] = []
  emulator.faults.source = ({ method, path }) => {
    seen += 1
    const nth = currentStep.getStore() === steps[1] ? 1 : 0
    const own = sent[nth].push(`${method} ${path}`) - 1
    if (nth === which && own === at) {
      running[nth]?.kill('SIGKILL')
      return { kind: 'reset', when: isReceived ? 'after' : 'before' }
    }
    return { kind: 'delay', ms: 20 + ((seen * 7919) % 400), when: seen % 2 === 0 ? 'before' : 'after' }
  }
  for (const [n, run] of runs.entries()) {
    if (n > 0 && apartMs > 0) await emulator.pass(apartMs)
    running.push(startAction(run))
  }
  const results = await Promise.all(running.map(({ done }) => done))
  expect(results.map(({ signal }) => signal)[which] ?? null).toBe(at < 0 ? null : 'SIGKILL')
  emulator.faults.source = () => undefined
  return { emulator, sent }
}

/** A run that waits reads the same again and again: what it has read twice since its last write is more of the same. */
function killsOf(sent: readonly string[]): readonly Pick<Struck, 'at' | 'isReceived'>[] {
  let since: string[] = []
  return sent.flatMap((request, at) => {
    if (!request.startsWith('GET ')) {
      since = []
      return [false, true].map((isReceived) => ({ at, isReceived }))
    }
    since.push(request)
    return since.filter((one) => one === request).length > 2 ? [] : { at, isReceived: true }
  })
}

const playedOnce = new Map<string, Promise<Played>>()

for (const [name, comes] of Object.entries(OTHERS))
  for (const isReported of name === 'a sweep' ? [true, false] : [true])
    for (const apartMs of APART_MS)
      for (const [killed, which] of Object.entries(NTH))
        test(`a sweep, and ${name} ${apartMs} ms later: the ${killed} one is killed at each of its requests in turn${isReported ? '' : ', and its job is new'}`, async () => {
          const play = { comes, isReported, apartMs }
          const key = `${name} ${isReported} ${apartMs}`
          const whole = playedOnce.get(key) ?? meet(play, { which, at: -1, isReceived: true })
          playedOnce.set(key, whole)
          const { sent } = await whole
          const ends = new Map<string, number>()
          for (const { at, isReceived } of killsOf(sent[which])) {
            const { emulator } = await meet(play, { which, at, isReceived })
            const where = `killed at ${sent[which][at]}, its request ${at}${isReceived ? '' : ', which is lost'}`
            await comesToItsEnd(emulator, where)
            const words = emulator.bodies().map((body) => body.split('\n')[0]?.replace(/\(http[^)]*\)/g, ''))
            const end = `${fixes(emulator).length}: ${words.join(' | ')}`
            ends.set(end, (ends.get(end) ?? 0) + 1)
          }
          const plays = [...ends.values()].reduce((sum, one) => sum + one, 0)
          expect(plays).toBeGreaterThan(0)
          if (process.env.ENDS) console.log(`${plays} plays`, JSON.stringify([...ends], undefined, 1))
        })
