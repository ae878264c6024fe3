import * as v from 'valibot'
import {
  asObject,
  flag,
  isObject,
  issueNumber,
  type JsonObject,
  listOf,
  nameUpTo,
  optional,
  parseJson,
  text,
  textUpTo,
  whole,
} from '../base/json.ts'
import { LONGEST_LINK } from '../base/link.ts'
import { CHECKS_STATUSES } from './check-results.ts'
import { JOB } from './job.ts'
import { OUTCOMES, REASONS } from './outcome.ts'
import { PERMISSIONS } from './permission.ts'

// What one comment of the action remembers. The schema is the type: a field of a wrong type is read as if it were not there.
// Times are in ms since the epoch, 0 for none.

/** Bytes of a message. */
const LONGEST_MESSAGE = 300

/** No more remarks, with the lines of one review, have room in a prompt. */
const MOST_SENT = 300

/** Bytes of the parts that another version wrote. */
const LONGEST_REST = 2000

const isRest = (value: unknown): boolean =>
  isObject(value) && Buffer.byteLength(JSON.stringify(value)) <= LONGEST_REST

const digest = textUpTo(22)
const sha = nameUpTo(64)

function cutMessage(message: string): string {
  let kept = message.slice(0, LONGEST_MESSAGE)
  while (Buffer.byteLength(JSON.stringify(kept)) > LONGEST_MESSAGE + 2) kept = kept.slice(0, -1)
  return kept.toWellFormed()
}

const ENDING_FIELDS = v.object({
  outcome: v.picklist(OUTCOMES),
  reason: v.fallback(v.picklist(REASONS), ''),
  message: v.pipe(text, v.transform(cutMessage)),
})

const ENDING = v.fallback(ENDING_FIELDS, { outcome: 'error', reason: 'internal', message: '' })

/** What people are to know of the job that the request went to; empty for nothing. */
const NOTE = v.object({
  /** Why the job is new: the status of the earlier one; `gone` where the service no longer knows it. */
  job: optional(textUpTo(40)),
  pullRequest: optional(v.picklist(['merged', 'closed', 'unreadable'])),
  /** What became of an earlier request is not known: a new job may be a second one, and one that goes on may have its changes. */
  isEarlierInDoubt: optional(v.boolean()),
})
export type PlanNote = Readonly<v.InferOutput<typeof NOTE>>

/** What was read of the checks, and what went back. */
const CHECK_STATE = v.object({
  /** Unless they pass, a re-run reads them again. */
  status: v.picklist(CHECKS_STATUSES),
  /** SHAs of the commits whose failures this request sent back, or may have, in order. */
  sentFor: listOf(sha, 5),
  /** When the last of those went out, on GitHub's clock. */
  sentAt: whole,
  /** It is not known whether the last of those arrived: a process writes each down before it sends it. */
  isLastInDoubt: flag,
  /** The checks are followed: by the run that holds the request, else by the next sweep. */
  isWatched: flag,
  /** A head of the pull request had a check. */
  hadAny: flag,
  /** The branch of that head, by which an event tells its checks; '' where nobody has read it. */
  branch: textUpTo(255),
})
export type CheckState = Readonly<v.InferOutput<typeof CHECK_STATE>>

export const NO_CHECKS: CheckState = v.parse(CHECK_STATE, { status: 'pending' })

/** Remarks of a thread that went to the agent with a request. */
const SENT_REMARKS = v.object({
  /** Ids of the remarks, on GitHub. */
  ids: listOf(whole, MOST_SENT),
  /** When the command was written, after which their texts had not changed. */
  at: whole,
  /** When the oldest of these remarks was written, where older ones had no room; else 0. */
  from: whole,
})
export type SentRemarks = Readonly<v.InferOutput<typeof SENT_REMARKS>>

/** Changed lines of a pull request that had no room. */
const OMITTED_LINES = v.object({
  /** Of the lines that went with the changes, and those that did not. */
  digest,
  /** This request took the omitted lines along, as far as they had room. */
  isSent: flag,
})
export type OmittedLines = Readonly<v.InferOutput<typeof OMITTED_LINES>>

/** Docs of an earlier pull request, to which that of the request refers. */
const REFERRED_DOCS = v.object({
  /** Of the thread that knows them. */
  number: issueNumber,
  link: nameUpTo(LONGEST_LINK),
})
export type ReferredDocs = Readonly<v.InferOutput<typeof REFERRED_DOCS>>

const EFFECTS_DONE = v.fallback(v.boolean(), true)

/** How the agent got the request. */
const accepted = {
  job: JOB,
  /** When that was, in the order of `writtenAt`: the thread goes on with the job that accepted last. */
  acceptedAt: whole,
  note: v.fallback(NOTE, {}),
  /** When the job got this request as a message; 0 for a new job. */
  messagedAt: whole,
  /** The job worked on an earlier turn right before that message. */
  wasBusy: flag,
  /** SHA of the head of its pull request before that message; '' where it is not known. */
  headBefore: textUpTo(64),
}

const STATES = [
  /** Nothing went out: it was not tried, or the service surely did not get it. Only the runner keeps this, for the post step. */
  v.object({ state: v.literal('idle') }),
  /**
   * The request is about to go out, or went out without an answer: to this job; undefined for a new one. `ending` is what a
   * sweep wrote about it: from then on, a re-run asks again.
   */
  v.object({ state: v.literal('sending'), to: optional(JOB), ending: optional(ENDING_FIELDS) }),
  /** The job has it. `ending` is what a run said when it stopped waiting; undefined while one waits. */
  v.object({ state: v.literal('running'), ...accepted, ending: optional(ENDING_FIELDS) }),
  /** The thread says how it ended. */
  v.object({
    state: v.literal('ended'),
    ...accepted,
    ending: ENDING,
    /** GitHub did all that follows, or refused it. If not, the next process does all of it once more. */
    effectsDone: EFFECTS_DONE,
    checks: optional(CHECK_STATE),
  }),
  /** It ended without a job that is known, and the thread says why: a re-run asks again. */
  v.object({
    state: v.literal('closed'),
    ending: ENDING,
    effectsDone: EFFECTS_DONE,
    /** The job that may have it. */
    to: optional(JOB),
    /** Of `/docs skip`: what the person says. */
    why: optional(textUpTo(360)),
  }),
] as const
const STATE = v.variant('state', STATES)
export type RequestState = Readonly<v.InferOutput<typeof STATE>>
export type Running = Extract<RequestState, { state: 'running' }>

/** What a comment remembers that is of no one request. */
const THREAD_STATES = [
  v.object({ state: v.literal('refusal') }),
  /** On the agent's own pull request: the way back to the job, and the thread that asked for it. */
  v.object({ state: v.literal('backlink'), job: JOB, acceptedAt: whole, thread: optional(whole) }),
  /** In the body of a tracking issue, which it tells from others of its title. */
  v.object({ state: v.literal('tracking') }),
] as const

/** Entries of one list. */
export const MOST_NAMES = 10
/** Numbers of merged pull requests. */
export const MOST_MERGED = 20
/** Of those who wrote the code, asked for one review. */
export const MOST_AUTHORS = 5
/** Times of asks, so also the highest `daily-limit`. */
export const MOST_ASKS = 50
/** Bytes of JSON for the input `paths`, which admits no more: '' means that every file counts, so none may be cut. */
export const LONGEST_PATHS = 4000
/** Links to pull requests of one job. */
const MOST_LINKS = 3

/** What the workflow that asked allows. */
const SETTINGS = v.object({
  reviewers: listOf(nameUpTo(121), MOST_NAMES),
  labels: listOf(nameUpTo(150), MOST_NAMES),
  /** How often failures of checks may go back to the agent; with 0, nobody follows them. */
  fixAttempts: whole,
  /** The input `daily-limit`, for failures that go back; 0 for none. */
  dailyLimit: whole,
  /** What the person who asked has to hold when failures go back; undefined where no person's permission counts. */
  minPermission: v.optional(v.fallback(v.picklist(PERMISSIONS), 'admin')),
  /** What checks print goes back also from a repository that is not public. */
  checkLogs: flag,
})

const NO_SETTINGS = { fixAttempts: 0, dailyLimit: 0, checkLogs: false } as const

const IDENTITY = v.object({
  /** Digest of the request: a re-run of the same event, and an event about the same changes, find their record by it. */
  requestDigest: digest,
  /** Digest of run, workflow, job, step and project: a re-run finds its record by it where its prompt is another one. */
  attemptsDigest: digest,
  /** `<run id>.<attempt>` of the run that wrote the record. */
  attempt: textUpTo(40),
  /** By the first attempt. */
  requestedAt: whole,
  /** A login; '' for no person. */
  requestedBy: textUpTo(60),
  command: textUpTo(150),
  /** The comment that asked, `issue:123` or `review:123`; '' for none. It gets the reaction. */
  comment: textUpTo(40),
  settings: v.fallback(SETTINGS, { ...NO_SETTINGS, reviewers: [], labels: [] }),
  /** The commit status that the request decides: its name, and the head of the pull request. '' for none. */
  commitStatus: v.fallback(v.object({ name: textUpTo(765), sha: textUpTo(64) }), { name: '', sha: '' }),
  /** The changes that the request is about: their head, a digest, and the step of a `pull_request` event. */
  head: v.fallback(v.object({ sha: textUpTo(64), digest, workflowStep: digest }), {
    sha: '',
    digest: '',
    workflowStep: '',
  }),
  /** The files that `head.digest` is about, as patterns, for what decides `commitStatus` later; '' for all. */
  paths: textUpTo(LONGEST_PATHS),
  /** Newest merge that the request covers. */
  coversUntil: whole,
  /** Numbers of the merged pull requests that the request is for, or of the last of them, in the order of their merges. */
  merged: listOf(issueNumber, MOST_MERGED),
  /** Logins of those who wrote the code, for `reviewers`. */
  authors: listOf(nameUpTo(45), MOST_AUTHORS + 1),
  /** The thread is a tracking issue. */
  tracking: flag,
  /** What of the conversation went along; undefined for nothing. */
  conversation: optional(SENT_REMARKS),
  /** What of the changes did not go, or went later; undefined for nothing. */
  omittedLines: optional(OMITTED_LINES),
  /** Undefined for none. */
  referredDocs: optional(REFERRED_DOCS),
  /** For `daily-limit`, the newest first: when this request and its fixes went to the agent, or may have, in ms since the epoch. */
  asks: listOf(whole, MOST_ASKS),
  /** Links to the agent's pull requests that got reviewers and labels for it. */
  reviewersSetOn: listOf(nameUpTo(LONGEST_LINK), MOST_LINKS),
  /** Parts that this version does not know: another one wrote them, and they are carried on unread. */
  rest: v.fallback(v.custom<JsonObject>(isRest), {}),
})
export type RequestIdentity = Readonly<v.InferOutput<typeof IDENTITY>>

/** The identity of a record that is of no request. */
export const NO_IDENTITY: RequestIdentity = v.parse(IDENTITY, {})

const TIMES = v.object({
  writtenAt: whole,
  /** For how many ms after `writtenAt` a run holds the request: others leave it alone. */
  leaseMs: whole,
})
type Times = v.InferOutput<typeof TIMES>

/** Also what the main step saves for the post step. */
export type RequestRecord = RequestIdentity & RequestState & Times
type ThreadRecord = RequestIdentity & v.InferOutput<(typeof THREAD_STATES)[number]> & Times
export type ActionRecord = RequestRecord | ThreadRecord

const RECORD = v.intersect([IDENTITY, TIMES, v.variant('state', [...STATES, ...THREAD_STATES])])

export const identityOf = (record: RequestRecord): RequestIdentity => v.parse(IDENTITY, record)
export const stateOf = (record: RequestRecord): RequestState => v.parse(STATE, record)

const OF_THREAD: ReadonlySet<string> = new Set(THREAD_STATES.map(({ entries }) => entries.state.literal))
export const isRequestRecord = (record: ActionRecord): record is RequestRecord => !OF_THREAD.has(record.state)

/** As records keep it: what is longer than a comment can hold is left out. */
export const bounded = (record: ActionRecord): ActionRecord => v.parse(RECORD, record)

const KNOWN_PARTS = new Set([
  ...[IDENTITY, TIMES, ...STATES, ...THREAD_STATES].flatMap(({ entries }) => Object.keys(entries)),
  'project',
])

/** @returns undefined for what is no record */
export function parseRecord(json: string): ActionRecord | undefined {
  const written = asObject(parseJson(json))
  const unknown = Object.entries(written).filter(([part]) => !KNOWN_PARTS.has(part))
  const rest = unknown.length === 0 ? written.rest : Object.fromEntries(unknown)
  const { output, success } = v.safeParse(RECORD, { ...written, rest })
  return success ? output : undefined
}

/** As it is written into a comment, where it names its project by this digest. */
export function recordJson(record: ActionRecord, project: string): string {
  const { rest, ...parts } = bounded(record)
  return JSON.stringify({ ...rest, ...parts, project })
}
