import { describe, expect, test } from 'vitest'
import { jobWithId } from '../../src/record/job.ts'
import { type Ending, ending } from '../../src/record/outcome.ts'
import { NO_CHECKS, type RequestState } from '../../src/record/record.ts'
import { decide, isNews, lastKnownEnding } from '../../src/story/decide.ts'

const DONE = ending('pull-request')
const FAILED = ending('failed')
const LATE = ending('timed-out')
const GONE = ending('error', 'job-not-found', 'The service no longer knows this job.')
const UNPAID = ending('error', 'payment-required', 'No credits.')
const LOST = ending('error', 'creation-uncertain', 'No answer.')
const AWAY = ending('error', 'github-unavailable', 'GitHub did not answer.')
const CUT = ending('cancelled')
const STARTED = ending('started')
const DRY = ending('skipped', 'dry-run')

const turn = { job: jobWithId('j_1'), acceptedAt: 0, note: {}, messagedAt: 0, wasBusy: false, headBefore: '' }
const IDLE: RequestState = { state: 'idle' }
const SENDING: RequestState = { state: 'sending', to: undefined, ending: undefined }
const running = (end?: Ending): RequestState => ({ state: 'running', ...turn, ending: end && { ...end } })
const reported = (end: Ending, effectsDone = true): RequestState => ({
  ...{ state: 'ended', ...turn, ending: { ...end }, effectsDone, checks: undefined },
})
const closedWith = (end: Ending, effectsDone = true): RequestState => ({
  ...{ state: 'closed', ending: { ...end }, effectsDone },
})
const followed: RequestState = {
  ...(reported(DONE) as Extract<RequestState, { state: 'ended' }>),
  checks: { ...NO_CHECKS, isWatched: true },
}
const unsettled: RequestState = {
  ...(reported(DONE) as Extract<RequestState, { state: 'ended' }>),
  checks: NO_CHECKS,
}

interface Row {
  readonly when: string
  readonly state: RequestState
  readonly end: Ending
  readonly shown?: RequestState & { readonly leaseMs?: number }
  /** This process wrote down that it sends the request. */
  readonly isAnnounced?: boolean
  readonly by?: 'sweep' | 'checks'
  /** The outcome or reason, the state, the words, and whether anything is left to do. */
  readonly gives: readonly [
    said: string,
    state: RequestState['state'],
    words: 'new' | 'edited' | 'kept',
    isOpen: boolean,
  ]
}

const ROWS: readonly Row[] = [
  {
    when: 'it never went out',
    state: IDLE,
    end: UNPAID,
    gives: ['payment-required', 'closed', 'new', true],
  },
  {
    when: 'it surely did not go out',
    state: IDLE,
    end: UNPAID,
    shown: SENDING,
    isAnnounced: true,
    gives: ['payment-required', 'closed', 'new', true],
  },
  {
    when: 'the other one of two commands has the job by then',
    state: IDLE,
    end: ending('skipped', 'job-active'),
    shown: SENDING,
    isAnnounced: true,
    gives: ['job-active', 'closed', 'new', true],
  },
  {
    when: 'a re-run is cut off before it asks again',
    state: IDLE,
    end: CUT,
    shown: closedWith(UNPAID),
    gives: ['cancelled', 'closed', 'kept', false],
  },
  {
    when: 'an event, or a re-run that is cut off, finds that the answer was lost',
    state: IDLE,
    end: CUT,
    shown: closedWith(LOST),
    gives: ['cancelled', 'closed', 'kept', false],
  },
  {
    when: 'a re-run is cut off, and its job had failed',
    state: IDLE,
    end: CUT,
    shown: reported(FAILED),
    gives: ['cancelled', 'ended', 'kept', false],
  },
  {
    when: 'a dry run comes while the job works',
    state: IDLE,
    end: DRY,
    shown: running(),
    gives: ['dry-run', 'running', 'kept', false],
  },
  {
    when: 'a post step finds it sent',
    state: SENDING,
    end: CUT,
    shown: SENDING,
    gives: ['creation-uncertain', 'closed', 'new', true],
  },
  {
    when: 'GitHub went away as it was sent',
    state: SENDING,
    end: AWAY,
    gives: ['creation-uncertain', 'closed', 'new', true],
  },
  {
    when: 'a sweep finds it sent: no run has told people',
    state: SENDING,
    end: CUT,
    shown: SENDING,
    by: 'sweep',
    gives: ['creation-uncertain', 'sending', 'new', true],
  },
  {
    when: 'the run is cut short while its job works',
    state: running(),
    end: CUT,
    shown: running(),
    gives: ['cancelled', 'running', 'new', true],
  },
  {
    when: 'another process reported the job as the time of this run was up',
    state: reported(DONE),
    end: LATE,
    shown: reported(DONE),
    gives: ['pull-request', 'ended', 'kept', false],
  },
  {
    when: 'the job ended',
    state: running(),
    end: DONE,
    shown: running(),
    gives: ['pull-request', 'ended', 'new', true],
  },
  {
    when: 'the job is gone',
    state: running(),
    end: GONE,
    shown: running(),
    gives: ['job-not-found', 'ended', 'new', true],
  },
  {
    when: 'the run does not wait',
    state: running(),
    end: STARTED,
    shown: running(),
    gives: ['started', 'running', 'edited', true],
  },
  {
    when: 'the run is late',
    state: running(),
    end: LATE,
    shown: running(),
    gives: ['timed-out', 'running', 'new', true],
  },
  {
    when: 'the post step of a run that said so',
    state: running(LATE),
    end: LATE,
    shown: running(LATE),
    gives: ['timed-out', 'running', 'kept', false],
  },
  {
    when: 'all is done',
    state: reported(DONE),
    end: DONE,
    shown: reported(DONE),
    gives: ['pull-request', 'ended', 'kept', false],
  },
  {
    when: 'something is left to do',
    state: reported(DONE, false),
    end: DONE,
    shown: reported(DONE, false),
    gives: ['pull-request', 'ended', 'kept', true],
  },
  {
    when: 'the runner alone knows the result',
    state: reported(DONE, false),
    end: DONE,
    shown: running(),
    gives: ['pull-request', 'ended', 'new', true],
  },
  {
    when: 'the run that followed the checks was lost',
    state: followed,
    end: DONE,
    shown: { ...followed, leaseMs: 60_000 },
    by: 'sweep',
    gives: ['pull-request', 'ended', 'edited', true],
  },
  {
    when: 'no run follows the checks, as the thread says',
    state: followed,
    end: DONE,
    shown: { ...followed, leaseMs: 0 },
    by: 'sweep',
    gives: ['pull-request', 'ended', 'kept', false],
  },
  {
    when: 'a re-run leaves the checks to sweeps',
    state: unsettled,
    end: DONE,
    shown: unsettled,
    gives: ['pull-request', 'ended', 'edited', true],
  },
  {
    when: 'a sweep leaves checks that nobody follows',
    state: unsettled,
    end: DONE,
    shown: unsettled,
    by: 'sweep',
    gives: ['pull-request', 'ended', 'kept', false],
  },
  {
    when: 'a re-run follows them',
    state: followed,
    end: DONE,
    shown: followed,
    by: 'checks',
    gives: ['pull-request', 'ended', 'kept', true],
  },
]

describe('which end counts, what the record becomes, whose words stand, and what is left', () => {
  test.each(ROWS)('$when', ({ state, end, shown, isAnnounced, by, gives }) => {
    const decision = decide({
      ...{ state, ending: end, shown, isAnnounced: isAnnounced === true },
      ...{ isSweep: by === 'sweep', isMain: by !== 'sweep', watchesChecks: by === 'checks' },
      followsChecks: by === 'checks',
    })
    const { outcome, reason } = decision.ending
    const said = outcome === 'error' || outcome === 'skipped' ? reason : outcome
    const words = isNews(decision.ending, decision.state, shown) ? 'new' : 'edited'
    expect([
      ...[said, decision.state.state],
      ...[decision.hasNewWords ? words : 'kept', decision.isOpen],
    ]).toEqual(gives)
  })
})

describe('what is known of the end where no process looks at the job', () => {
  for (const status of ['completed', 'failed', 'archived'])
    test(`a job that is ${status} has ended, and right after a message that may be the turn before`, () => {
      const job = { ...jobWithId('j_1'), status }
      const first: RequestState = { state: 'running', ...turn, job, ending: undefined }
      expect(lastKnownEnding(first).outcome).not.toBe('cancelled')
      expect(lastKnownEnding({ ...first, messagedAt: 5 }).outcome).toBe('cancelled')
      expect(lastKnownEnding({ ...first, messagedAt: 5, ending: LATE })).toEqual(LATE)
    })
})
