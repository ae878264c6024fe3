import { expect, test } from 'vitest'
import { type ActionRun, runAction, startAction } from '../../emulator/runner.ts'
import { FIX, fixes } from '../helpers/checked-world.ts'
import { green, MINUTE, red, steppedWorld, sweep } from '../helpers/stepped-world.ts'
import { ISSUE, type World } from '../helpers/world.ts'

// H1, H2, H7 and 8.6: two sweeps meet a head that fails, or a sweep and another run, each as long after the other as their requests
// take, and one of the two is killed at each of its requests in turn. A message goes at most once for each head, and later sweeps
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

/** A run that waits reads on for an hour: what follows is more of the same. */
const MOST_KILLS = 40

for (const [name, other] of Object.entries(OTHERS))
  for (const isReported of name === 'a sweep' ? [true, false] : [true])
    for (const apartMs of name === 'a sweep' ? [0, 50, 150, 300, 3000] : [150])
      for (const which of ['first', 'second'])
        test(`a sweep, and ${name} ${apartMs} ms later: the ${which} one is killed at each request in turn${isReported ? '' : ', and its job is new'}`, async () => {
          const ends = new Map<string, number>()
          for (let at = 0; at < MOST_KILLS; at += 1) {
            const emulator = await redWorld(isReported)
            const plays = [sweeps(emulator), other(emulator)] as const
            let seen = 0
            let kill = (): void => undefined
            emulator.faults.source = () => {
              seen += 1
              if (seen === at + 1) kill()
              return {
                kind: 'delay',
                ms: 20 + ((seen * 7919) % 400),
                when: seen % 2 === 0 ? 'before' : 'after',
              }
            }
            const both: Promise<unknown>[] = []
            for (const [n, run] of plays.entries()) {
              if (n > 0 && apartMs > 0) await emulator.pass(apartMs)
              if ((which === 'first') !== (n === 0)) both.push(runAction(run))
              else {
                const killed = startAction(run)
                kill = () => void killed.kill('SIGKILL')
                both.push(killed.done)
              }
            }
            await Promise.all(both)
            emulator.faults.source = () => undefined
            await comesToItsEnd(emulator, `killed at request ${at}`)
            const words = emulator.bodies().map((body) => body.split('\n')[0]?.replace(/\(http[^)]*\)/g, ''))
            const end = `${fixes(emulator).length}: ${words.join(' | ')}`
            ends.set(end, (ends.get(end) ?? 0) + 1)
            if (seen <= at) break
          }
          if (process.env.ENDS) console.log(JSON.stringify([...ends], undefined, 1))
        })
