import { expect, test } from 'vitest'
import { setStatus } from '../../src/docs-with-code/status.ts'
import { EMPTY_MEMORY } from '../../src/request/memory.ts'
import { type Ending, ending } from '../../src/request/outcome.ts'
import type { RequestIdentity, RequestState } from '../../src/request/record.ts'
import { recordsOf, type ThreadRecords } from '../../src/request/thread-records.ts'
import type { Session } from '../../src/thread/session.ts'
import { IDENTITY, recorded, reportedWith } from '../request/helpers.ts'

const MINE: RequestIdentity = {
  ...IDENTITY,
  commitStatus: { name: 'docs', sha: 'a' },
  head: { sha: 'a', digest: 'FIRST', step: 'step' },
}
const RED = { state: 'failure', description: 'The docs agent failed', link: '' } as const

const notSent = (end: Ending): RequestState => ({ state: 'notSent', ending: { ...end }, settled: true })

/** What the head says once the request ended, and another one was asked after it. */
async function said(later: RequestState, of: Partial<RequestIdentity> = {}): Promise<readonly string[]> {
  const set: string[] = []
  const github = {
    commitStatuses: async () => [],
    setCommitStatus: async (_: unknown, sha: string, { state }: { readonly state: string }) =>
      void set.push(`${sha} ${state}`),
  }
  const session = {
    ...{ deps: { secrets: [] }, github },
    context: { serverUrl: 'https://github.com', repository: { owner: 'octo', repo: 'app' } },
    warnings: { doneOrRefused: async (_: unknown, act: () => Promise<void>) => await act().then(() => true) },
  } as unknown as Session
  const own = recorded({ ...MINE, ...reportedWith('A', '', 'failed') })
  const other = recorded({ ...MINE, key: 'later', requestedAt: 2, ...of, ...later })
  const records: ThreadRecords = recordsOf([own, other], MINE)
  await setStatus(
    session,
    {
      ...{ identity: MINE, records: () => records, action: 'announced', thread: undefined },
      ...{ job: undefined, latest: EMPTY_MEMORY.latest },
    },
    RED,
  )
  return set
}

const KEPT = ['a failure']

test.each<[string, RequestState, Partial<RequestIdentity>, readonly string[]]>([
  ['was answered', reportedWith('B'), {}, []],
  [
    'was answered, about the same changes of another head',
    reportedWith('B'),
    { head: { ...MINE.head, sha: 'b' } },
    [],
  ],
  ['could not be sent', notSent(ending('error', 'payment-required', 'No credits.')), {}, []],
  ['had no place left in the day', notSent(ending('skipped', 'daily-limit')), {}, []],
  ['said that no documentation is needed', notSent(ending('skipped', 'docs-skipped')), {}, []],
  ['asked nothing', notSent(ending('skipped', 'job-active')), {}, KEPT],
  ['came too late to ask', notSent(ending('timed-out')), {}, KEPT],
  ['has another status', reportedWith('B'), { commitStatus: { name: 'api docs', sha: 'a' } }, KEPT],
  ['is about other changes', reportedWith('B'), { head: { ...MINE.head, sha: 'b', digest: 'SECOND' } }, KEPT],
  ['was asked before', reportedWith('B'), { requestedAt: 0 }, KEPT],
])('4.13 a head whose documentation failed, and another request %s', async (_, later, of, says) => {
  expect(await said(later, of)).toEqual(says)
})
