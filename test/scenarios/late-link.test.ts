import { expect, test } from 'vitest'
import { CODE, codeWorld, DELIVERED, happens, INPUTS, pulled, saidOf } from '../helpers/code-world.ts'
import { CREATE, READ, type World } from '../helpers/world.ts'

// Contract 4.3: the link of a job that has completed may come one read later.

const HOUR = 3_600_000

/** The answers to reads lack the link, for so many reads from its end on. */
function withoutLink(emulator: World, times = 1) {
  const { faults, service } = emulator
  const call = () => {
    const [job] = service.jobs()
    if (job === undefined) throw new Error('no job')
    faults.add({
      match: READ,
      times,
      fault: {
        kind: 'wrongType',
        type: 'application/json',
        body: JSON.stringify({ id: job.id, status: 'completed' }),
      },
    })
  }
  faults.add({ match: CREATE, fault: { kind: 'call', when: 'after', call } })
}

const BY: [string, (emulator: World) => Promise<unknown>][] = [
  ['the run that waits', (emulator) => happens(emulator, 'opened')],
  [
    'a sweep',
    async (emulator) => {
      await happens(emulator, 'opened', { inputs: { wait: 'false' } })
      await emulator.pass(HOUR)
      await emulator.collect()
    },
  ],
  [
    'the next run of the thread',
    async (emulator) => {
      await happens(emulator, 'opened', { inputs: { wait: 'false' } })
      await emulator.pass(HOUR)
      await emulator.ask('/docs help', { on: CODE, runId: 2 })
    },
  ],
  [
    'the post step',
    async (emulator) => {
      const run = emulator.given(pulled(emulator, 'opened'), { inputs: INPUTS })
      await emulator.interrupted(run, { method: 'PATCH', path: /\/issues\/comments\// }, { when: 'after' })
    },
  ],
]

test.each(BY)('N6 4.3 %s looks once more, before it says that there is none', async (_, comes) => {
  const emulator = codeWorld()
  emulator.service.everyTurn = { reads: 0 }
  withoutLink(emulator)
  await comes(emulator)
  expect(saidOf(emulator)).toEqual(['pending: The docs agent is working', DELIVERED])
})

test.each([
  ['`/docs status`', '/docs status'],
  ['the next request', '/docs shorten'],
  ['`/docs status please`', '/docs status please'],
  ['a new job', '/docs new shorten'],
])('N6 4.3 a link that comes later still is said by %s, in comment and status', async (_, body) => {
  const emulator = codeWorld()
  emulator.service.everyTurn = { reads: 0 }
  withoutLink(emulator, 2)
  await happens(emulator, 'opened')
  expect(saidOf(emulator).at(-1)).toBe('success: The docs agent opened no pull request')
  const isRead = body !== '/docs new shorten'
  await emulator.ask(body, { on: CODE, runId: 2 })
  if (!isRead) await emulator.ask('/docs status', { on: CODE, runId: 3 })
  expect(saidOf(emulator).at(-1)).toBe(isRead ? DELIVERED : 'success: The docs agent opened no pull request')
  const [first = ''] = emulator.bodies(CODE)
  expect(first.includes('octo/docs#77')).toBe(isRead)
})

test.each(BY.slice(0, 3))('N6 4.3 %s says that there is none, where there is none', async (_, comes) => {
  const emulator = codeWorld()
  emulator.service.everyTurn = { reads: 0, pr: 'none' }
  await comes(emulator)
  expect(saidOf(emulator).at(-1)).toBe('success: The docs agent opened no pull request')
})

test.each<[string, (emulator: World) => Promise<unknown>]>([
  ['a run that waits', (emulator) => happens(emulator, 'opened')],
  ['a run that does not wait', (emulator) => happens(emulator, 'opened', { inputs: { wait: 'false' } })],
  ['a command', (emulator) => emulator.ask('/docs explain', { on: CODE, runId: 2, inputs: INPUTS })],
])('N6 4.3 %s looks once more at a job that the answer to its creation calls completed', async (_, comes) => {
  const emulator = codeWorld()
  emulator.service.everyTurn = { answerStatus: 'completed', pr: 'none' }
  const call = () => {
    const [job] = emulator.service.jobs()
    if (job === undefined) throw new Error('no job')
    job.prLink = 'https://github.com/octo/docs/pull/77'
  }
  emulator.faults.add({ match: CREATE, fault: { kind: 'call', when: 'after', call } })
  await comes(emulator)
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})
