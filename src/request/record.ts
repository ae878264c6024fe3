import * as v from 'valibot'
import { flag, listOf, names, parseJson, text, whole } from '../json.ts'
import { CHECKS } from './check-state.ts'
import { JOB } from './job.ts'
import { OUTCOMES, REASONS } from './outcome.ts'

/**
 * What one comment of the action remembers. The schema is the type: a record with a field of a wrong type is read as far
 * as it goes. Times are in ms since the epoch, 0 for none.
 */

/** What follows the end of a request, in the thread and on the pull request (contract 5.6). */
export const PARTS = [
  'reaction',
  'link',
  'reviewers',
  'labels',
  'issue',
  'end',
  'lines',
  'preview',
  'checks',
  'status',
] as const
export type Part = (typeof PARTS)[number]

/** Characters of a message that a record keeps. The comment of the request has it in full. */
const LONGEST_MESSAGE = 1000

const ENDING = v.object({
  outcome: v.picklist(OUTCOMES),
  reason: v.fallback(v.picklist(REASONS), ''),
  message: v.pipe(
    text,
    v.transform((message) => message.slice(0, LONGEST_MESSAGE).toWellFormed()),
  ),
})

/** What the comment says of the end of the request, and what is still to do. */
const end = {
  /** Undefined while the comment says that the agent works. */
  ending: v.fallback(v.optional(ENDING), undefined),
  /** What still follows: closed one by one, once it is done or GitHub refuses it. */
  openParts: listOf(v.picklist(PARTS)),
}

export const PULL_REQUEST_STATES = ['none', 'open', 'merged', 'closed', 'unreadable'] as const

/** Why the job is new (`job`, or a pull request that ended), or that its pull request could not be read; empty for neither. */
const NOTE = v.object({
  /** The status of the earlier job; `gone` where the service no longer knows it. */
  job: v.fallback(v.optional(v.string()), undefined),
  pullRequest: v.fallback(v.optional(v.picklist(PULL_REQUEST_STATES)), undefined),
})
export type PlanNote = Readonly<v.InferOutput<typeof NOTE>>

const withJob = {
  job: JOB,
  note: v.fallback(NOTE, {}),
  /** When the job got this request as a message; 0 for a new job (contract 4.8). */
  messagedAt: whole,
  /** SHA of the head of its pull request before that message, where that is known (4.12). */
  headBefore: v.fallback(v.optional(v.string()), undefined),
  /** The job worked on an earlier turn right before that message. */
  wasBusy: flag,
}

/** What is known of a request to the agent. Every process of the action goes on from it. */
const STATES = [
  /** Nothing was sent. */
  v.object({ state: v.literal('idle'), ...end }),
  /**
   * The request is about to go out, or went out, and its answer is not known. `jobId` is '' for a new job. A sweep that
   * tells people so notes an ending and leaves the state. Any other process that ends here, but one that is skipped, makes it `unknown`.
   */
  v.object({ state: v.literal('sending'), jobId: text, ...end }),
  /** The service may have processed the request, and people were asked to look. */
  v.object({ state: v.literal('unknown'), jobId: text, ...end }),
  /** The service surely did not process it. */
  v.object({ state: v.literal('notSent'), ...end }),
  /** The job works, or goes on while no run waits for it. */
  v.object({ state: v.literal('running'), ...withJob, ...end }),
  /** The job ended, and the thread shows that or is about to: no run reports it again. */
  v.object({
    state: v.literal('reported'),
    ...withJob,
    ...end,
    /** Of its pull request, once the action looks at them (4.12). */
    checks: v.fallback(v.optional(CHECKS), undefined),
    /** A comment on the pull request leads back to the thread. */
    isLinked: flag,
  }),
] as const
const STATE = v.variant('state', STATES)
export type RequestState = v.InferOutput<typeof STATE>
export type StateName = RequestState['state']
export type Running = Extract<RequestState, { state: 'running' }>
export type Reported = Extract<RequestState, { state: 'reported' }>

/** What a comment remembers that is of no one request. */
const THREAD_STATES = [
  v.object({ state: v.literal('refusal') }),
  /** On the agent's own pull request: the way back to the job, and the thread that asked for it. */
  v.object({ state: v.literal('link'), job: JOB, thread: v.fallback(v.optional(whole), undefined) }),
  v.object({ state: v.literal('tracking') }),
  /** A person said that the changes of the pull request need no documentation (3.2). */
  v.object({ state: v.literal('docs-skipped'), why: text }),
] as const
export type ThreadState = v.InferOutput<(typeof THREAD_STATES)[number]>

const IDENTITY = v.object({
  /** Digest of the request (5.2): a re-run of the same event finds its own record by it. */
  key: text,
  /** Digest of the request's text, as its comment shows it: a text that people edited there is none of it (5.2). */
  textDigest: text,
  /** Digest of run, workflow, job, step and project: a re-run finds its record by it where its prompt is another one. */
  origin: text,
  /** `<run id>.<attempt>` of the run that wrote the record. */
  run: text,
  /** How often a re-run asked again, because the job had failed (5.2). */
  round: whole,
  /** By the first attempt. */
  requestedAt: whole,
  /** A login; '' for no person. */
  requestedBy: text,
  command: text,
  /** The comment that asked, `issue:123` or `review:123`; '' for none. It gets the reaction. */
  comment: text,
  /** What the run that reports the end does for the pull request. */
  settings: v.fallback(
    v.object({
      preview: flag,
      /** Logins, `org/team` for teams, `requester` for the person who asked, and `authors`. */
      reviewers: names,
      labels: names,
      /** Its run follows the checks of the pull request (4.12). */
      followsChecks: v.fallback(v.optional(v.boolean()), undefined),
    }),
    { preview: false, reviewers: [], labels: [] },
  ),
  /** The commit status that the request decides: its name, and the head of the pull request (4.13). '' for none. */
  commitStatus: v.fallback(v.object({ name: text, sha: text }), { name: '', sha: '' }),
  /** Of a `pull_request` event: head, digests of its changes and the step. Of a command: at most the changes (3.13). */
  head: v.fallback(v.object({ sha: text, digest: text, step: text }), { sha: '', digest: '', step: '' }),
  /** The pull request of the code was open when this was asked: the result says whether it has ended since (3.13). */
  saysCodeEnd: flag,
  /** Newest merge that the request covers (3.10). */
  coversUntil: whole,
  /** Numbers of the merged pull requests that the request is for, in the order of their merges (3.8, 3.10). */
  merged: listOf(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  /** Logins of those who wrote the code, for `reviewers`: of the newest merges first. */
  authors: names,
  /** The thread is a tracking issue, whose body shows the last refresh (3.9). */
  tracking: flag,
})
export type RequestIdentity = Readonly<v.InferOutput<typeof IDENTITY>>

/** The request is about the changes of a pull request. */
export const hasHead = ({ head }: Pick<RequestIdentity, 'head'>): boolean =>
  head.sha !== '' || head.digest !== ''

export const runIdOf = ({ run }: Pick<RequestIdentity, 'run'>): string => run.split('.')[0] ?? ''

/** Attempts of one run do not run at the same time. */
export const isOfRun = (one: Pick<RequestIdentity, 'run'>, other: Pick<RequestIdentity, 'run'>): boolean =>
  runIdOf(one) === runIdOf(other)

const TIMES = v.object({
  writtenAt: whole,
  /** For how many ms after `writtenAt` a run waits for the job, or for the checks or preview of its pull request. */
  waitsMs: whole,
})
export type Times = v.InferOutput<typeof TIMES>

/** What is known of one request. */
type RequestFields = RequestIdentity & RequestState
/** Also what the main step saves for the post step. */
export type RequestRecord = RequestFields & Times
type ThreadRecord = RequestIdentity & ThreadState & Times
export type ActionRecord = RequestRecord | ThreadRecord
export type SkipRecord = Extract<ThreadRecord, { state: 'docs-skipped' }>

const RECORD = v.intersect([IDENTITY, TIMES, v.variant('state', [...STATES, ...THREAD_STATES])])

export const identityOf = (record: RequestRecord): RequestIdentity => v.parse(IDENTITY, record)
export const stateOf = (record: RequestRecord): RequestState => v.parse(STATE, record)

const OF_THREAD: ReadonlySet<string> = new Set(THREAD_STATES.map(({ entries }) => entries.state.literal))

export const isRequestRecord = (record: ActionRecord): record is RequestRecord => !OF_THREAD.has(record.state)

/** @returns undefined for what is no record */
export function parseRecord(json: string): ActionRecord | undefined {
  const raw = parseJson(json)
  if (!v.is(v.record(v.string(), v.unknown()), raw)) return undefined
  const { output, success } = v.safeParse(RECORD, raw)
  return success ? output : undefined
}
