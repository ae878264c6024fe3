import { expect, test } from 'vitest'
import type { RepositoryComment } from '../../src/github/answers.ts'
import { type CheckState, NO_CHECKS, type RequestIdentity } from '../../src/record/record.ts'
import { signingKey, signRecord } from '../../src/record/signed-record.ts'
import { findWork } from '../../src/story/sweep.ts'
import type { Session } from '../../src/thread/session.ts'
import { endedWith, IDENTITY, type RecordFields, recordOf, withJob } from '../record/helpers.ts'

const NOW = Date.UTC(2026, 6, 1)
const SECOND = 1000
const MINUTE = 60 * SECOND
const SCOPE = { key: signingKey('test-key'), projectId: 'docs', repositoryId: 4242 }

type Given = RecordFields & Partial<RequestIdentity>
interface Comment {
  readonly record: Given
  /** How long ago it was written last, in ms. */
  readonly ago: number
  readonly login?: string
}

/** What a sweep takes of a thread with these comments, the oldest first. */
async function takes(...comments: readonly Comment[]) {
  const listed = comments.map(({ record, ago, login = 'docs[bot]' }, at): RepositoryComment => {
    const signed = signRecord(recordOf({ writtenAt: at + 1, ...record }), { ...SCOPE, thread: 12 })
    return {
      ...{
        id: at + 1,
        nodeId: '',
        url: '',
        body: `words\n\n${signed}`,
        author: { login, bot: true },
        thread: 12,
      },
      ...{ createdAt: NOW - ago, isHidden: false, updatedAt: NOW - ago },
    }
  })
  const github = {
    clock: () => NOW,
    writerLogin: async () => 'docs[bot]',
    async *listRepositoryComments() {
      yield listed
    },
  }
  const work = await findWork({ github, scope: SCOPE } as unknown as Session, 0)
  const ids = (all: readonly { readonly id: number }[]) => all.map(({ id }) => id)
  const left = ids(work.unfinished)
  return { running: ids(work.running), left, followed: ids(work.followed), unsettled: ids(work.unsettled) }
}

const running: Given = { state: 'running', ...withJob('j_1', '', 'active'), ending: undefined }
const sending: Given = { state: 'sending', to: undefined, ending: undefined }
const uncertain = { outcome: 'error', reason: 'creation-uncertain', message: '' } as const
const reported: Given = endedWith('j_1')
const open: Given = { ...endedWith('j_1'), effectsDone: false }
const followed: Given = { ...endedWith('j_1'), checks: { ...NO_CHECKS, isWatched: true } }

const settings = { ...IDENTITY.settings, fixAttempts: 2 }
const ended = (status: CheckState['status']): Given => ({
  ...endedWith('j_1'),
  settings,
  checks: { ...NO_CHECKS, status },
})

type Taken = Awaited<ReturnType<typeof takes>>
const nothing: Taken = { running: [], left: [], followed: [], unsettled: [] }
const first: Taken = { ...nothing, left: [1] }
const collects: Taken = { ...nothing, running: [1] }
const follows: Taken = { ...nothing, followed: [1] }
const unsettled: Taken = { ...nothing, unsettled: [1] }

test.each<[string, Taken, Comment]>([
  ['collects a job', collects, { record: running, ago: 0 }],
  [
    'leaves a job to its run, and for a minute more',
    nothing,
    { record: { ...running, leaseMs: MINUTE }, ago: 2 * MINUTE - 1 },
  ],
  [
    'collects the job of a run that ended a minute ago',
    collects,
    { record: { ...running, leaseMs: MINUTE }, ago: 2 * MINUTE },
  ],
  [
    'leaves a request that goes out to its run for three minutes',
    nothing,
    { record: { ...sending, leaseMs: MINUTE }, ago: 3 * MINUTE - 1 },
  ],
  [
    'says that it is not known what became of it, three minutes after it went out',
    first,
    { record: { ...sending, leaseMs: MINUTE }, ago: 3 * MINUTE },
  ],
  ['says that once', nothing, { record: { ...sending, ending: uncertain }, ago: 9 * MINUTE }],
  ['leaves what is done', nothing, { record: reported, ago: 9 * MINUTE }],
  ['leaves an end to the run that says it for a minute', nothing, { record: open, ago: MINUTE - 1 }],
  ['does what a run left open a minute ago', first, { record: open, ago: MINUTE }],
  ['takes up checks that no run follows any more', follows, { record: followed, ago: 0 }],
  ['knows a head without checks', unsettled, { record: ended('none'), ago: 0 }],
  ['knows checks whose end nobody has seen', unsettled, { record: ended('pending'), ago: 0 }],
  ['leaves checks that passed', nothing, { record: ended('success'), ago: 0 }],
  ['leaves checks that failed', nothing, { record: ended('failure'), ago: 0 }],
  [
    'leaves checks to the run that follows them',
    nothing,
    { record: { ...followed, leaseMs: MINUTE }, ago: MINUTE },
  ],
])('8.1 a sweep %s', async (_, taken, comment) => {
  expect(await takes(comment)).toEqual(taken)
})

test.each([
  ['leaves the comment that a newer one replaced to the run that deletes it for a minute', MINUTE - 1, []],
  ['deletes the comment that a newer one replaced', MINUTE, [2]],
])('8.1 a sweep %s', async (_, ago, left) => {
  const all = [
    { record: sending, ago: 9 * MINUTE },
    { record: reported, ago },
  ]
  expect(await takes(...all)).toEqual({ ...nothing, left })
})

test('8.1 a sweep leaves the comment of another account', async () => {
  const all = [
    { record: sending, ago: 9 * MINUTE, login: 'other[bot]' },
    { record: reported, ago: 9 * MINUTE },
  ]
  expect(await takes(...all)).toEqual(nothing)
})

test('8.1 a sweep takes the earliest request first, each by its newest comment', async () => {
  const other = { ...IDENTITY, requestDigest: 'other', requestedAt: 0 }
  const all = [
    { record: { ...running, requestedAt: 5 }, ago: MINUTE },
    { record: { ...running, requestedAt: 5 }, ago: MINUTE },
    { record: { ...other, ...running }, ago: MINUTE },
  ]
  expect(await takes(...all)).toEqual({ ...nothing, running: [3, 2] })
})
