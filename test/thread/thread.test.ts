import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { type SigningScope, signingKey, signRecord } from '../../src/record/signed-record.ts'
import { writeComment } from '../../src/thread/comment.ts'
import { deleteReplaced } from '../../src/thread/delete-replaced.ts'
import { Run } from '../../src/thread/run.ts'
import type { Session } from '../../src/thread/session.ts'
import { Thread } from '../../src/thread/thread.ts'
import { failureWarnings } from '../../src/words/side-tasks.ts'
import { githubOf } from '../helpers/emulated-github.ts'
import {
  endedWith,
  IDENTITY,
  type RecordFields,
  recordOf,
  requestRecordOf,
  withJob,
} from '../record/helpers.ts'

const signing: SigningScope = { key: signingKey('test-key'), projectId: 'docs', repositoryId: 1, thread: 12 }
const running = { state: 'running', ...withJob('j_1', '', 'active') } as const
const reported = endedWith('j_1')
const BOT = 'github-actions[bot]'

/** A thread in which these records stand already, in comments of a bot unless they name another author. */
async function setUp(records: readonly (RecordFields & { readonly by?: string })[] = []) {
  const clock = simulatedClock()
  const emulator = createEmulator(clock)
  emulator.github.addIssue({ number: 12 })
  for (const { by = BOT, ...fields } of records) {
    const record = recordOf(fields as RecordFields)
    emulator.github.addComment(12, { login: by, body: `Words\n\n${signRecord(record, signing)}` })
  }
  const github = await githubOf(emulator, clock)
  const warnings = failureWarnings({ warning: () => {}, debug: () => {} }, { owner: 'octo', repo: 'app' })
  const more = {
    deps: { ...clock, monotonic: clock.passed, secrets: [] },
    ...{ github, warnings, scope: signing, commentMode: 'recreate' },
  }
  const session = more as unknown as Session
  const thread = new Thread(12)
  await thread.read(session)
  const bodies = () => emulator.github.comments(12).map(({ body }) => body.split('\n')[0])
  /** The request, as the run that serves it takes it up. */
  const request = () => {
    const own = new Run(IDENTITY, { thread, mayWrite: true })
    own.resume(requestRecordOf(reported))
    return own
  }
  return { emulator, session, thread, bodies, request }
}

test('5.1 a result that another bot repeats with its record takes the result of the action from no one', async () => {
  const { session, bodies, request } = await setUp([{ ...reported, by: 'echo[bot]' }, reported])
  await deleteReplaced(session, request())
  expect(bodies()).toEqual(['Words', 'Words'])
})

test('5.1 a record in a comment of a person counts for nothing', async () => {
  const { thread } = await setUp([{ ...reported, by: 'mallory' }])
  expect(thread.recordsFor(IDENTITY)).toMatchObject({ current: undefined, others: [] })
})

test('5.1 a record is newer than every other, whatever the clock of the runner says', async () => {
  const future = Date.UTC(2100, 0)
  const { thread, session } = await setUp([{ ...running, writtenAt: future }])
  expect(thread.nextWrittenAt(session)).toBeGreaterThan(future)
})

test.each([
  ['a result that another process said stays', 2000, 'Words'],
  ['an older one does not', 500, 'New words'],
])('5.2 in place of a deleted comment, %s', async (_, writtenAt, words) => {
  const { emulator, session, thread, bodies, request } = await setUp([running])
  const id = thread.recordsFor(IDENTITY).current?.id ?? 0
  const own = request()
  emulator.github.deleteComment(id)
  const theirs = signRecord(recordOf({ ...reported, writtenAt }), signing)
  emulator.github.addComment(12, { login: BOT, body: `Words\n\n${theirs}` })
  await writeComment(session, own, { kind: 'result', words: 'New words' })
  expect(bodies()).toEqual([words])
})

const sending = { state: 'sending', to: undefined, ending: undefined } as const
test.each<[string, RecordFields, string]>([
  ['the end that another process wrote into it since', { ...reported, writtenAt: 3000 }, 'ended'],
  [
    'the end that another process wrote into it in the same millisecond',
    { ...reported, writtenAt: 2000 },
    'ended',
  ],
  ['what a run that takes the request up wrote into it since', { ...sending, writtenAt: 2001 }, 'sending'],
  ['what this process wrote, where the list lags', { ...reported, writtenAt: 1999 }, 'running'],
])('5.1 of a comment that this process wrote, %s counts', async (_, theirs, state) => {
  const { emulator, session, thread } = await setUp()
  const { id } = await thread.write(session, undefined, recordOf({ ...running, writtenAt: 2000 }), 'Words')
  emulator.github.editComment(id, `Words\n\n${signRecord(recordOf(theirs), signing)}`)
  await thread.read(session)
  expect(thread.recordsFor(IDENTITY).current?.record.state).toBe(state)
})
