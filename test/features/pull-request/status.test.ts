import { expect, test } from 'vitest'
import { recordsOf, type ThreadRecords } from '../../../src/core/log.ts'
import { type Ending, ending } from '../../../src/core/outcome.ts'
import type { RequestIdentity, RequestState } from '../../../src/core/record.ts'
import type { Session } from '../../../src/core/session.ts'
import { setStatus } from '../../../src/features/pull-request/status.ts'
import { endedWith, IDENTITY, recorded } from '../../core/helpers.ts'

const MINE: RequestIdentity = {
  ...IDENTITY,
  commitStatus: { name: 'docs', sha: 'a' },
  head: { sha: 'a', digest: 'FIRST', step: 'step' },
}
const RED = { state: 'failure', description: 'The docs agent failed', link: '' } as const

const closedWith = (end: Ending): RequestState => ({ state: 'closed', ending: { ...end }, settled: true })

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
    warnings: { warnOnFailure: async (_: unknown, act: () => Promise<true>) => await act() },
  } as unknown as Session
  const own = recorded({ ...MINE, ...endedWith('A', '', 'failed') })
  const other = recorded({ ...MINE, key: 'later', requestedAt: 2, ...of, ...later })
  const records: ThreadRecords = recordsOf([own, other], MINE)
  await setStatus(
    session,
    { identity: MINE, records: () => records, stage: 'announced', thread: undefined, job: undefined },
    RED,
  )
  return set
}

const KEPT = ['a failure']

test.each<[string, RequestState, Partial<RequestIdentity>, readonly string[]]>([
  ['was answered', endedWith('B'), {}, []],
  [
    'was answered, about the same changes of another head',
    endedWith('B'),
    { head: { ...MINE.head, sha: 'b' } },
    [],
  ],
  ['could not be sent', closedWith(ending('error', 'payment-required', 'No credits.')), {}, []],
  ['had no place left in the day', closedWith(ending('skipped', 'daily-limit')), {}, []],
  ['said that no documentation is needed', closedWith(ending('skipped', 'docs-skipped')), {}, []],
  ['asked nothing', closedWith(ending('skipped', 'job-active')), {}, KEPT],
  ['came too late to ask', closedWith(ending('timed-out')), {}, KEPT],
  ['has another status', endedWith('B'), { commitStatus: { name: 'api docs', sha: 'a' } }, KEPT],
  ['is about other changes', endedWith('B'), { head: { ...MINE.head, sha: 'b', digest: 'SECOND' } }, KEPT],
  ['was asked before', endedWith('B'), { requestedAt: 0 }, KEPT],
])('4.13 a head whose documentation failed, and another request %s', async (_, later, of, says) => {
  expect(await said(later, of)).toEqual(says)
})
