import { expect, test } from 'vitest'
import type { Task } from '../../src/prompt/task.ts'
import { readingOf } from '../../src/request/reading.ts'
import { planRequest } from '../../src/run/plan-request.ts'
import type { Session } from '../../src/thread/session.ts'
import { IDENTITY, recorded, reportedWith } from '../request/helpers.ts'

/** Where a request goes whose thread has a job that failed, and of which run the own record is. */
async function planned(run: string, hasOwn = true) {
  const failed = reportedWith('A', '', 'failed')
  const known = recorded({
    ...IDENTITY,
    run: '7.1',
    ...failed,
    ...(!hasOwn && { key: 'other', origin: 'there' }),
  })
  const reading = readingOf([known], { ...IDENTITY, run })
  const session = {
    ...{ deps: { cancellation: { requested: new AbortController().signal } }, context: { runAttempt: 1 } },
    client: { read: async () => failed.job },
  } as unknown as Session
  const inputs = { conversation: 'continue', dryRun: false, pollMs: 1 }
  const task = { inputs, deadline: 1000 } as unknown as Task
  return await planRequest(session, reading, { run }, task, false)
}

test('5.2 a re-run of the request whose job failed asks a new job', async () => {
  expect(await planned('7.2')).toEqual({ kind: 'send', note: { job: 'failed' } })
})

test.each([
  ['another run of the same request, such as after a push that goes back', true],
  ['another request of the thread', false],
])('4.1 %s goes on with the job that failed', async (_, hasOwn) => {
  expect(await planned('8.1', hasOwn)).toMatchObject({ kind: 'send', job: { id: 'A' }, note: {} })
})
