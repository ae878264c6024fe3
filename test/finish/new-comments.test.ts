import { expect, test } from 'vitest'
import { openWorld, type Step, type World } from '../helpers/in-process.ts'

const READ = { host: 'service', method: 'GET' } as const
const CREATE = { host: 'service', method: 'POST' } as const

/** The comments that the action created, in order, and those that it left. */
function commentsOf({ emulator }: World) {
  const sent = emulator.requests.filter(({ path }) => path.endsWith('/issues/12/comments'))
  return sent.filter(({ method }) => method === 'POST').map(({ body }) => (body as { body: string }).body)
}

const ENDINGS: readonly (readonly [string, string, (world: World) => Step])[] = [
  [
    'a time-out',
    'timed-out',
    (world) => {
      world.emulator.service.script.push({ ending: 'active-forever' })
      return world.start(1)
    },
  ],
  [
    'a cancellation',
    'cancelled',
    (world) => {
      const call = () => step.canceller.cancel()
      world.emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
      const step = world.start(1)
      return step
    },
  ],
  [
    'an error',
    'error',
    (world) => {
      world.emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
      return world.start(1)
    },
  ],
]

test.each(ENDINGS)(
  '5.4 %s after a status comment is a new comment, and the old one goes',
  async (_, outcome, run) => {
    const world = openWorld('/docs explain')
    const { outputs } = await run(world).done
    expect(outputs.outcome).toBe(outcome)
    const [status = '', result = '', ...more] = commentsOf(world)
    expect(more).toEqual([])
    expect(status).toContain('is working')
    expect(world.comments()).toEqual([result])
  },
)

test('5.2 a re-run whose prompt was computed anew finds its job, and sends nothing', async () => {
  const world = openWorld('A comment.')
  world.emulator.service.script.push({ ending: 'active-forever' })
  const first = await world.start(1, { prompt: 'Refresh, as of 06:17.' }).done
  const again = await world.start(2, { prompt: 'Refresh, as of 09:00.' }).done
  expect(again.outputs).toMatchObject({ 'job-id': first.outputs['job-id'], 'job-action': 'resumed' })
  expect(world.serviceCalls().filter((call) => call.startsWith('POST'))).toHaveLength(1)
  expect(world.comments()).toHaveLength(1)
})
