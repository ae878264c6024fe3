import { expect, test } from 'vitest'
import { answerOfThread } from '../../../src/features/pull-request/same-changes.ts'
import { verdictOf } from '../../../src/features/pull-request/verdict.ts'
import type { ChangedFile } from '../../../src/github/answers.ts'
import type { RecordedComment } from '../../../src/record/fold.ts'
import { jobWithId } from '../../../src/record/job.ts'
import { recordsOf } from '../../../src/record/log.ts'
import { type Ending, ending } from '../../../src/record/outcome.ts'
import {
  type CheckState,
  NO_CHECKS,
  NO_IDENTITY,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
} from '../../../src/record/record.ts'
import { isSameChanges, pullChangesOf } from '../../../src/thread/pull-changes.ts'

// Contract 3.13 and 4.13, as tables: what a thread says of the changes of a pull request.

const LINK = 'https://github.com/octo/docs/pull/77'
const NOW = 1_000_000_000
const MINUTE = 60_000

const IDENTITY: RequestIdentity = {
  ...NO_IDENTITY,
  requestDigest: 'first',
  attempt: '2.1',
  requestedAt: 1,
  requestedBy: 'alice',
  command: '/docs',
  commitStatus: { name: 'docs', sha: 'a' },
  head: { sha: 'a', digest: 'FIRST', workflowStep: 'step' },
}

const turn = {
  job: { ...jobWithId('j_1'), prLink: LINK },
  note: {},
  acceptedAt: 0,
  messagedAt: 0,
  wasBusy: false,
  headBefore: '',
}
const SENDING: RequestState = { state: 'sending', to: undefined, ending: undefined }
const RUNNING: RequestState = { state: 'running', ...turn, ending: undefined }
const reported = (end: Ending): RequestState => ({
  ...{ state: 'ended', ...turn, ending: { ...end }, effectsDone: true, checks: undefined },
})
const closedWith = (end: Ending): RequestState => ({ state: 'closed', ending: { ...end }, effectsDone: true })
const DONE = reported(ending('pull-request'))
const FAILED = reported(ending('failed'))
const GONE = reported(ending('error', 'job-not-found', 'The service no longer knows this job.'))
const UNPAID = closedWith(ending('error', 'payment-required', 'No credits.'))
const UNCERTAIN = closedWith(ending('error', 'creation-uncertain', 'No answer.'))
const CUT_OFF = closedWith(ending('cancelled'))
const FULL = closedWith(ending('skipped', 'daily-limit'))
const BUSY = closedWith(ending('skipped', 'job-active'))
const LEFT: RequestState = { ...RUNNING, ending: { ...ending('cancelled') } }
const UNREADABLE: RequestState = { ...RUNNING, ending: { ...ending('error', 'unauthorized') } }

interface Past {
  readonly state: RequestState
  readonly of?: Partial<RequestIdentity>
  readonly heldMs?: number
}

let ids = 0
function comment({ state, of, heldMs = 0 }: Past): RecordedComment<RequestRecord> {
  ids += 1
  const record = { ...IDENTITY, attempt: '1.1', ...of, ...state, writtenAt: ids, leaseMs: heldMs }
  return {
    id: ids,
    nodeId: '',
    url: `https://x.test/${ids}`,
    body: '',
    createdAt: NOW,
    updatedAt: NOW,
    record,
  }
}

interface Happened {
  readonly reRun?: boolean
  readonly later?: number
  readonly attempt?: string
  /** After the last comment, in ms. */
  readonly labeled?: number
}

const answerTo = (past: readonly Past[], happened: Happened = {}) => {
  const { reRun: isReRun = false, later = MINUTE, attempt = IDENTITY.attempt, labeled } = happened
  const identity = { ...IDENTITY, attempt }
  const wanted = { now: NOW + later, isReRun, labeledAt: labeled === undefined ? 0 : NOW + labeled }
  const log = past.map(comment)
  const answer = answerOfThread(recordsOf(log, identity), identity, wanted)
  const said = verdictOf(log, identity.head, 'docs', wanted.now)
  return answer && [answer.ending.reason, said?.state]
}

const held = { heldMs: 30 * MINUTE }
/** Asks, or goes on with its own request. */
const GOES_ON = undefined

test.each<[string, readonly Past[], Happened, unknown]>([
  ['no request', [], {}, GOES_ON],
  [
    'about other changes',
    [{ state: DONE, of: { requestDigest: 'other', head: { ...IDENTITY.head, digest: 'OTHER' } } }],
    {},
    GOES_ON,
  ],
  ['of this run, done', [{ state: DONE, of: { attempt: '2.1' } }], { attempt: '2.2', reRun: true }, GOES_ON],
  ['that goes out', [{ state: SENDING, ...held }], {}, ['no-changes', 'pending']],
  [
    'that went out, and no run answers for it',
    [{ state: SENDING, ...held }],
    { later: 4 * MINUTE },
    ['no-changes', 'error'],
  ],
  ['whose job a run follows', [{ state: RUNNING, ...held }], {}, ['no-changes', 'pending']],
  ['whose job nobody follows', [{ state: RUNNING }], {}, GOES_ON],
  ['whose run is long gone', [{ state: RUNNING, ...held }], { later: 32 * MINUTE }, GOES_ON],
  ['done', [{ state: DONE }], {}, ['no-changes', 'success']],
  ['that failed', [{ state: FAILED }], {}, ['no-changes', 'failure']],
  ['that failed after the label was set', [{ state: FAILED }], { labeled: -1 }, ['no-changes', 'failure']],
  ['that failed before the label was set', [{ state: FAILED }], { labeled: 1 }, GOES_ON],
  ['that failed, and a person re-runs', [{ state: FAILED }], { reRun: true }, GOES_ON],
  ['whose job is gone', [{ state: GONE }], {}, ['no-changes', 'error']],
  ['done before the label was set', [{ state: DONE }], { labeled: 1 }, ['no-changes', 'success']],
  ['that was not sent', [{ state: UNPAID }], {}, GOES_ON],
  ['that was cut off before it was sent', [{ state: CUT_OFF }], {}, GOES_ON],
  ['whose answer was lost', [{ state: UNCERTAIN }], {}, ['no-changes', 'error']],
  ['whose answer was lost, and a person re-runs', [{ state: UNCERTAIN }], { reRun: true }, GOES_ON],
])('3.13 a `pull_request` event finds a request %s', (_, past, at, expected) => {
  expect(answerTo(past, at)).toEqual(expected)
})

/** The comment about other changes came later. */
const LATER: Past = {
  state: DONE,
  of: { requestDigest: 'other', requestedAt: 2, head: { sha: 'b', digest: 'OTHER', workflowStep: 'step' } },
}

test.each<[string, Past, boolean, unknown]>([
  ['was done', { state: DONE }, false, ['no-changes', 'success']],
  ['failed', { state: FAILED }, false, ['no-changes', 'failure']],
  ['failed, and a person re-runs', { state: FAILED }, true, GOES_ON],
  ['was not sent', { state: UNPAID }, false, GOES_ON],
  ['may have been lost', { state: UNCERTAIN }, false, ['no-changes', 'error']],
  ['may have been lost, and a person re-runs', { state: UNCERTAIN }, true, GOES_ON],
])('3.13 an event goes back to changes whose request %s', (_, past, reRun, expected) => {
  expect(answerTo([past, LATER], { reRun })).toEqual(expected)
})

test('3.2 3.13 a skip goes before all of them', () => {
  const skipped: Past = {
    state: { ...closedWith(ending('skipped', 'docs-skipped')), why: '' } as RequestState,
    of: { requestDigest: 'skip', requestedAt: 9, requestedBy: 'bob' },
  }
  expect(answerTo([{ state: FAILED }, skipped])).toEqual(['docs-skipped', 'success'])
})

const COMMAND = {
  requestDigest: 'command',
  requestedAt: 5,
  head: { sha: 'a', digest: 'FIRST', workflowStep: '' },
}
const ELSEWHERE = { ...COMMAND, head: { sha: 'b', digest: 'OTHER', workflowStep: '' } }
const REBASED = { ...COMMAND, head: { sha: 'b', digest: 'FIRST', workflowStep: '' } }
const UNREAD = { ...COMMAND, head: { sha: 'a', digest: '', workflowStep: '' } }
const OF_NAME = { ...COMMAND, commitStatus: { name: 'guides', sha: 'a' } }
const OF_NONE = { ...COMMAND, commitStatus: { name: '', sha: '' } }
const SKIP: Past = {
  state: { ...closedWith(ending('skipped', 'docs-skipped')), why: 'a typo' } as RequestState,
  of: { ...ELSEWHERE, requestDigest: 'skip', requestedAt: 3, requestedBy: 'bob' },
}
const checked = (status: CheckState['status'], isWatched = false): RequestState => ({
  ...(DONE as Extract<RequestState, { state: 'ended' }>),
  checks: { ...NO_CHECKS, status, isWatched, hadAny: true },
})

const UNAVAILABLE: Past = { state: checked('unavailable'), of: COMMAND }

const NOTHING = undefined
const DELIVERED = 'success: octo/docs#77'
const WORKS = 'pending: The docs agent is working'
const RED = 'failure: The docs agent failed'
const SKIPPED = 'success: Skipped by bob: a typo'
const UNREAD_CHECKS = 'pending: octo/docs#77, whose checks could not be read: re-run once they can be'
const NOT_KNOWN =
  'error: It is not known whether the docs agent got the request: re-run if the dashboard lacks it, or /docs skip'

/** Of head `a` with the changes FIRST, for the status `docs`, a minute after the last comment. */
function saidOf(past: readonly Past[]): string | undefined {
  const said = verdictOf(past.map(comment), IDENTITY.head, 'docs', NOW + MINUTE)
  return said && `${said.state}: ${said.description}`
}

test.each<[string, readonly Past[], string | undefined]>([
  ['nothing', [], NOTHING],
  // One request about this head.
  ['one that goes out', [{ state: SENDING, ...held }], WORKS],
  ['one that went out, and no run holds it', [{ state: SENDING }], NOT_KNOWN],
  ['one whose answer was lost', [{ state: UNCERTAIN }], NOT_KNOWN],
  ['one whose job works, and a run follows it', [{ state: RUNNING, ...held }], WORKS],
  ['one whose job works, and no run follows it', [{ state: RUNNING }], WORKS],
  ['one whose run was cancelled while the job works', [{ state: LEFT }], WORKS],
  [
    'one whose job can no longer be read',
    [{ state: UNREADABLE }],
    'error: The run can no longer follow the job: re-run to follow it, or /docs skip',
  ],
  ['one that is done', [{ state: DONE }], DELIVERED],
  [
    'one whose pull request has checks that a run follows',
    [{ state: checked('pending', true), heldMs: 9 * MINUTE }],
    WORKS,
  ],
  [
    'one whose pull request has checks that no run follows',
    [{ state: checked('pending', true) }],
    'pending: octo/docs#77: its checks are looked at when CI ends, or at the next sweep',
  ],
  ['one whose checks pass', [{ state: checked('success') }], DELIVERED],
  ['one whose checks fail', [{ state: checked('failure') }], `failure: octo/docs#77: its checks fail`],
  [
    'one whose checks have no verdict',
    [{ state: checked('pending') }],
    'pending: octo/docs#77, whose checks have no known verdict: re-run to read them again',
  ],
  ['one whose checks cannot be read', [{ state: checked('unavailable') }], UNREAD_CHECKS],
  ['one that failed', [{ state: FAILED }], RED],
  [
    'one whose job is gone',
    [{ state: GONE }],
    'error: The run can no longer follow the job: /docs new …, or /docs skip',
  ],
  [
    'one that was not paid',
    [{ state: UNPAID }],
    'error: No credits are left, or the plan or a bill needs attention: see the run, or /docs skip',
  ],
  [
    'one that was cut off before it was sent',
    [{ state: CUT_OFF }],
    'error: The docs agent did not get the request: see the run, or /docs skip',
  ],
  ['one without a place in the day', [{ state: FULL }], 'error: The daily limit is reached: re-run later'],
  ['one that asked nothing', [{ state: BUSY }], NOTHING],
  // The latest about this head, or these changes.
  ['done; then a command failed', [{ state: DONE }, { state: FAILED, of: COMMAND }], RED],
  ['failed; then a command is done', [{ state: FAILED }, { state: DONE, of: COMMAND }], DELIVERED],
  ['failed; then a command works', [{ state: FAILED }, { state: RUNNING, of: COMMAND }], WORKS],
  ['works; then a command is done', [{ state: RUNNING }, { state: DONE, of: COMMAND }], DELIVERED],
  ['done; then a command may be lost', [{ state: DONE }, { state: SENDING, of: COMMAND }], NOT_KNOWN],
  ['failed; then a command asked nothing', [{ state: FAILED }, { state: BUSY, of: COMMAND }], RED],
  ['done; then one failed on the rebased head', [{ state: DONE }, { state: FAILED, of: REBASED }], RED],
  ['done; then one with a cut list failed here', [{ state: DONE }, { state: FAILED, of: UNREAD }], RED],
  ['done; then its checks cannot be read', [{ state: DONE }, UNAVAILABLE], UNREAD_CHECKS],
  ['done; then one failed on other changes', [{ state: DONE }, { state: FAILED, of: ELSEWHERE }], DELIVERED],
  ['done on other changes alone', [{ state: DONE, of: ELSEWHERE }], NOTHING],
  ['done; then one of another status failed', [{ state: DONE }, { state: FAILED, of: OF_NAME }], DELIVERED],
  ['done for another status alone', [{ state: DONE, of: OF_NAME }], NOTHING],
  // A skip is about whatever the pull request changes.
  ['a skip', [SKIP], SKIPPED],
  ['failed; then a skip', [{ state: FAILED }, SKIP], SKIPPED],
  ['works; then a skip', [{ state: RUNNING }, SKIP], SKIPPED],
  ['a skip; then a command failed', [SKIP, { state: FAILED, of: COMMAND }], RED],
  ['a skip; then a command goes out', [SKIP, { state: SENDING, of: COMMAND, ...held }], WORKS],
  ['a skip; then one works on other changes', [SKIP, { state: RUNNING, of: ELSEWHERE }], NOTHING],
  ['a skip; then a command asked nothing', [SKIP, { state: BUSY, of: COMMAND }], SKIPPED],
  ['a skip; then an event was not paid', [SKIP, { state: UNPAID, of: { requestedAt: 9 } }], SKIPPED],
  // Whichever workflow asks: the agent may have what the skip was about.
  [
    'failed; then a skip; then one of no status',
    [{ state: FAILED }, SKIP, { state: DONE, of: OF_NONE }],
    RED,
  ],
  [
    'done; then a skip; then one of no status works',
    [{ state: DONE }, SKIP, { state: RUNNING, of: OF_NONE }],
    DELIVERED,
  ],
  [
    'a skip; then one of no status that may have gone out',
    [SKIP, { state: UNCERTAIN, of: OF_NONE }],
    NOTHING,
  ],
  ['a skip; then one of no status that was not paid', [SKIP, { state: UNPAID, of: OF_NONE }], SKIPPED],
  [
    'a skip; then one of another status',
    [SKIP, { state: FAILED, of: { ...OF_NAME, requestedAt: 9 } }],
    NOTHING,
  ],
])('4.13 the log tells of a head: %s', (_, past, says) => {
  expect(saidOf(past)).toBe(says)
  // In whichever order GitHub lists the comments.
  expect(saidOf(past.toReversed())).toBe(says)
})

test.each([
  ['the same head, of which the list was cut', { sha: 'a', digest: '' }, { sha: 'a', digest: '' }, true],
  ['two heads with the same changes', { sha: 'a', digest: 'X' }, { sha: 'b', digest: 'X' }, true],
  ['two heads with other changes', { sha: 'a', digest: 'X' }, { sha: 'b', digest: 'Y' }, false],
  ['two heads of which the lists were cut', { sha: 'a', digest: '' }, { sha: 'b', digest: '' }, false],
])('3.13 %s are the same code: %j %j %j', (_, one, other, expected) => {
  expect(isSameChanges(one, other)).toBe(expected)
})

const file = (over: Partial<ChangedFile> = {}): ChangedFile => ({
  ...{
    path: 'a.ts',
    earlierPath: '',
    status: 'modified',
    additions: 1,
    deletions: 0,
    sha: 's',
    patch: '@@ -1 +1 @@\n+x',
  },
  ...over,
})

async function digestOf(files: readonly ChangedFile[], changedFiles?: number): Promise<string> {
  const pull = { number: 30, headSha: 'a', state: 'open', changedFiles }
  const repository = { owner: 'octo', repo: 'app' }
  const github = { repository, pullRequest: async () => pull, pullRequestFiles: async () => files }
  return (await pullChangesOf({ github } as never, 30, undefined)).digest
}

const SAME = await digestOf([file()])

test.each<[string, ChangedFile[], boolean]>([
  ['other line numbers', [file({ patch: '@@ -9,2 +8,3 @@ function f\n+x' })], true],
  ['other counts', [file({ additions: 7 })], true],
  ['one more hunk', [file({ patch: '@@ -1 +1 @@\n+x\n@@ -9 +9 @@\n+x' })], false],
  ['another text', [file({ patch: '@@ -1 +1 @@\n+y' })], false],
  ['another path', [file({ path: 'b.ts' })], false],
  ['another earlier path', [file({ earlierPath: 'b.ts' })], false],
  ['another status', [file({ status: 'added' })], false],
  ['one more file', [file(), file({ path: 'b.ts' })], false],
])('3.13 %s: the same changes is %j', async (_, files, expected) => {
  expect((await digestOf(files)) === SAME).toBe(expected)
})

test.each(['\r', '\u2028', '\u2029'])(
  '3.13 a line that holds %j is one, whatever it looks like',
  async (mark) => {
    const patch = (text: string, at: number) =>
      `@@ -${at} +${at} @@ one${mark}${at}\n+x${mark}@@ -1 +1 @@ ${text}`
    const of = (text: string, at = 1) => digestOf([file({ patch: patch(text, at) })])
    expect(await of('first', 9)).toBe(await of('first'))
    expect(await of('second')).not.toBe(await of('first'))
  },
)

test('3.13 files are in no order, those without a patch are known by their blob', async () => {
  const [one, two] = [file({ patch: '', sha: 'one' }), file({ path: 'b.png', patch: '', sha: 'two' })]
  expect(await digestOf([one, two])).toBe(await digestOf([two, one]))
  expect(await digestOf([{ ...one, sha: 'three' }, two])).not.toBe(await digestOf([one, two]))
})

test.each<[string, ChangedFile[], number | undefined]>([
  ['is shorter than the pull request says', [file()], 2],
  ['has as many files as GitHub lists at most', Array.from({ length: 3000 }, () => file()), undefined],
  ['names a file without patch and blob', [file({ patch: '', sha: '' })], undefined],
])('3.13 a list that %s has no digest', async (_, files, changedFiles) => {
  expect(await digestOf(files, changedFiles)).toBe('')
})
