import type { GitHubError } from '../base/errors.ts'
import { codeSpan, count, joined, listed, minuteOf, plainText } from '../base/text.ts'
import { type Ending, ending } from '../record/outcome.ts'
import type { RequestIdentity } from '../record/record.ts'
import type { Report } from '../record/report.ts'
import { KEY_SECRET } from './api-keys.ts'
import { explainGitHub, explainRefusal } from './explain.ts'
import { markdownLink, pullRequestLink, RERUN } from './phrases.ts'
import { describeUncounted, type UncountedMerges } from './uncounted-merges.ts'

/** Why the run started a new job, or what it did not know of the one that goes on; '' for nothing. */
export function planNote({ note, followUp }: Pick<Report, 'note' | 'followUp'>): string {
  const { job, pullRequest, isEarlierInDoubt } = note
  if (isEarlierInDoubt === true && followUp)
    return 'It is not known whether the agent got an earlier request here, so it may have had some of these changes already.'
  if (isEarlierInDoubt === true)
    return 'An earlier request here was not answered, so it may have started a job of its own. This is a new job.'
  if (job === 'gone') return 'The job of this thread no longer exists, so this is a new one.'
  if (job === 'failed') return 'The job of an earlier attempt failed, so this is a new one.'
  if (job !== undefined) return `The job of this thread is ${job}, so this is a new one.`
  if (pullRequest === 'unreadable') return 'The earlier pull request could not be read, so it counts as open.'
  return pullRequest === undefined ? '' : `The earlier pull request is ${pullRequest}, so this is a new job.`
}

/**
 * @param why it is not known whether the agent got the request: a sentence
 * @param jobId of the job that was sent a message; '' for a new one
 * @param then what asks it again
 */
export const unsure = (why: string, jobId: string, then = 're-run the workflow'): string =>
  jobId === ''
    ? `${why} Look for the job in Mintlify's dashboard. If it is there, wait for its pull request; if not, ${then}.`
    : `${why} Look at the job in Mintlify's dashboard. If it has the request, wait for its pull request; if not, ${then}.`

/** @param first account, of the command @param second of `collect` */
export const otherAccount = (first: string, second: string): string =>
  `The results come from ${codeSpan(second)}, which does not delete the earlier comments of ${codeSpan(first)}, so those still say that the docs agent is working. Use the same github-token in both workflows.`

/** A comment of the account that writes here, as somebody else than the action wrote it, or with another key. */
const UNVERIFIED =
  'A comment of the action here does not verify: `memory-key` is another one, or somebody changed the comment.'

/** The same, and what ends it. @param command word */
export const unverified = (command: string): string =>
  `${UNVERIFIED} ${codeSpan(`${command} …`)} asks the docs agent all the same.`

/** What `/docs status` says of it. @param hasJob one is known @param command word */
export const unverifiedStatus = (hasJob: boolean, command: string): string =>
  `It is not known whether this thread has ${hasJob ? 'a later' : 'a'} job. ${unverified(command)}`

/** Why a run ended as it did, or what to do about it, where outcome and reason alone do not tell. */
export const CAUSES = {
  /** The job was gone before its end was seen. */
  jobGone: 'The service no longer knows this job: someone may have deleted it.',
  unreadablePullRequest:
    'Give the token `pull-requests: read` on that repository, or set `conversation: continue`.',
  mayBeItsOwn:
    'This pull request may be the work of that job, which is known only once the job ends. Then re-run the workflow.',
  noneInPaths: 'No file changed that `paths` names.',
  ignored: 'Input `ignore` names this pull request.',
  noFiles: 'The pull request changes no file.',
  emptyPush: 'The push changed no file, or brought only commits that were there before.',
  sameChanges: 'The agent already has the changes of this pull request.',
  beingSent: 'Another run began to send the changes of this pull request, so this one leaves them to it.',
  failedBefore: 'An earlier job about these changes failed, or is gone. Re-run the workflow to ask again.',
  /** Records of the thread do not verify. */
  notKnown: `${UNVERIFIED} It is not known what the docs agent has, so only a command asks it.`,
  earlierInDoubt:
    "It is not known whether the docs agent got an earlier request about this pull request. Look for its job in Mintlify's dashboard; if there is none, re-run the workflow.",
  mayBeAsked:
    "It is not known whether the docs agent got the changes of this pull request. Look for its job in Mintlify's dashboard; if there is none, re-run the workflow.",
  endUncertain:
    'It is not known whether the docs agent finished the changes of this pull request: the end of its job may be that of a later request. A command asks again.',
  botReRun:
    'Only a person can ask again what the docs agent may have got: a person re-runs the workflow, or asks anew.',
  lostItsTurn:
    'GitHub took more than three minutes to show this thread, so nothing was sent. Re-run the workflow in a few minutes.',
  drySkip: 'A dry run remembers no skip. Remove `dry-run` to say that the changes need no documentation.',
  skipForgotten: 'The thread does not remember this skip, so the next push asks the docs agent.',
  decided:
    'Of the pull requests that the push merged, each that counts has decided its documentation, or the agent works on it.',
  noThreadHere:
    'Commands work in issues and pull requests, not in discussions and on commits: write this one as a comment there.',
  picturesAlone: 'The docs agent gets no pictures: say in words what it should do.',
  partOfReview: 'It belongs to a review, of which the first command counts.',
  deleted: 'The push deleted a branch or a tag.',
  emptyReferences: 'The reference files are empty.',
  /** A fork inherits the workflows, and their schedules. */
  fork: `This repository is a fork, which gets no secrets from its source. To use the docs agent here, add an API key of your own as ${KEY_SECRET}; else disable this workflow under Actions.`,
  /** The answers to `/docs status`. */
  goneStatus: 'The job of this thread no longer exists.',
} as const

/** What `/docs status` says of a thread that GitHub does not show. @param command word */
export const unreadStatus = (error: unknown, command: string): string =>
  `I can't read this thread, so I don't know its job. ${explainGitHub(error, 'read its comments', 'issues: write')} Then comment ${codeSpan(`${command} status`)} again.`

/** Why an event of a pull request that `ignore` names sets no status of its own. */
const NO_STATUS = {
  unverified: `It sets no commit status. ${UNVERIFIED}`,
  asked: 'A request here may be about these changes, so the commit status is left to it.',
  shown: 'The commit status stays as it is.',
  permission:
    'It sets no commit status, because GitHub does not show that the author, or the account that set the label, has the permission of `min-permission`.',
} as const
export type NoStatus = keyof typeof NO_STATUS

/** @param why it sets none; undefined where it sets one, or none is wanted @param command word */
export function ignoredCause(why: NoStatus | undefined, command: string): string {
  if (why === undefined) return CAUSES.ignored
  const decides = `${codeSpan(`${command} …`)} or ${codeSpan(`${command} skip`)} decides it.`
  const remedy = {
    unverified: decides,
    asked: `If there is none, ${decides}`,
    shown: '',
    permission: decides,
  }
  return joined(' ', CAUSES.ignored, NO_STATUS[why], remedy[why])
}

interface RequestInDoubt extends Pick<RequestIdentity, 'requestedBy' | 'requestedAt'> {
  /** The page of the run that asked. */
  readonly runUrl: string
  /** That run sends it now. */
  readonly isSending: boolean
}

const requestName = ({ requestedBy, requestedAt, runUrl, isSending }: RequestInDoubt): string =>
  `${isSending ? 'the request' : markdownLink('the request', runUrl)}${requestedBy === '' ? '' : ` of ${codeSpan(requestedBy, 100)}`} from ${minuteOf(requestedAt)}`

/** What `/docs status` says of requests that the agent may have. @param all the latest first */
export function describeInDoubt(all: readonly RequestInDoubt[]): string {
  const sending = all.filter(({ isSending }) => isSending)
  const names = all.filter(({ isSending }) => !isSending).map(requestName)
  const sent = sending.map(
    (one) =>
      `${markdownLink('A run', one.runUrl)} has begun to send ${requestName(one)}; no answer is known yet.`,
  )
  if (names.length === 0) return joined(' ', ...sent)
  const notKnown = `It is not known whether the agent got ${listed(names)}.`
  const remedy =
    names.length === 1
      ? 'If it is there, wait for its pull request; if not, re-run the workflow behind the link.'
      : 'For each that is not there, re-run the workflow behind its link.'
  return joined(' ', ...sent, notKnown, `Look in Mintlify's dashboard. ${remedy}`)
}

export const notListed = (login: string): string =>
  `List ${codeSpan(login, 100)} in \`allowed-bots\` to let it use the action.`

/** @param command word */
export const skipsPullRequests = (command: string): string =>
  `${codeSpan(`${command} skip`)} is for pull requests: it says that their changes need no documentation.`

/** What could be the reason of a skip as well as a request. */
export const skipOrRequest = (command: string): string =>
  `The comment could skip the documentation, or ask for something. To skip it, write \`${command} skip because …\` with one clause, and nothing else; to ask, write \`${command} …\` without \`skip\`.`

const WHY_NOT_UNREAD = {
  'creation-uncertain':
    "This is a re-run, and an earlier attempt may have asked. Look for its job in Mintlify's dashboard, before you ask anew.",
  'github-unavailable': 'Nothing was sent, because the agent may have these changes already.',
  'bad-input':
    'Nothing was sent, because input `conversation` is `skip`, and the pull request of this thread may be open.',
} as const

/** The thread cannot be read: why the run must not go on without it. @param readError of GitHub; undefined where none is known */
export function unreadThread(reason: keyof typeof WHY_NOT_UNREAD, readError: unknown): Ending {
  const [cause, then] =
    readError === undefined
      ? ['The action could not read the thread.', RERUN]
      : explainRefusal(readError, 'read the comments of the thread', 'issues: write')
  const go = reason === 'creation-uncertain' ? '' : then
  return ending('error', reason, joined(' ', cause, WHY_NOT_UNREAD[reason], go))
}

/** A re-run beside records that do not verify. */
export const notKnownReRun = (): Ending =>
  ending(
    'error',
    'creation-uncertain',
    `This is a re-run, and an earlier attempt may have asked. ${UNVERIFIED} Look for its job in Mintlify's dashboard, before you ask anew.`,
  )

/** @param number of the tracking issue @param command word */
export const notKnownIssue = (number: number, command: string): string =>
  `Input \`memory-key\` does not verify what issue #${number} remembers: pass the key that signed it. Else comment ${codeSpan(`${command} …`)} there to ask, or close the issue to start afresh.`

/** Some may be unknown, because the token may not read them. */
export const nonePushed = (uncounted: UncountedMerges): string =>
  joined(
    ' ',
    'No known pull request of this push counts.',
    describeUncounted(uncounted) || 'Input `merged-labels` asks for labels of pull requests.',
  )

interface MergeCounts {
  readonly all: number
  /** Without those that are left out, and without the docs agent's own. */
  readonly counting: number
}

/** @param place such as `into main since 2026-11-09 06:17 UTC` */
export function nothingMerged(
  { all, counting }: MergeCounts,
  uncounted: UncountedMerges,
  place: string,
): string {
  const left = describeUncounted(uncounted)
  const byFiles = counting > 0 ? ' that changed a file that `paths` names' : ' that counts'
  const what = counting === 0 && left === '' ? ' but pull requests of the docs agent' : byFiles
  return joined(
    ' ',
    `Nothing${all === 0 ? '' : what} was merged ${place}, and no reference file has text.`,
    left,
  )
}

/** Of the log, beside the outcome, without Markdown. */
export const WARNINGS = {
  noAuthors:
    'Input reviewers names authors, but this run knows none who can review the pull request. Name people in reviewers.',
  nothingToSkipBy:
    'Input conversation is skip, but this run has no thread that remembers a job, so every run starts a new one. Set issue-number or issue-title, without comment: off.',
  noLastRun:
    'Input changes-since is last-run, but this run has no thread that remembers the last one, so it goes back seven days. Set issue-title, without comment: off.',
  unusableLink:
    "The service sent an unusable link to the pull request: look at the job in Mintlify's dashboard.",
  noInputs:
    'The post step got none of its inputs, as happens in a composite action, so it reports nothing. Re-run the workflow to pick up the job.',
} as const

/** Without memory a re-run starts again: people should know before they look for one job and find two. */
export function lostMemory(hasThread: boolean): string {
  const why = hasThread ? 'comment is off' : 'the run has no thread (issue-number)'
  return `This is a re-run, and the action does not know what the earlier attempt started, because ${why}. Look in Mintlify's dashboard for a second job.`
}

export const unreadPermission = (login: string, error: GitHubError): string =>
  plainText(explainGitHub(error, `read the permission of ${login}, so it counts as none`, ''))

export const settingsElsewhere = (url: string, host: string): string =>
  `Could not set \`reviewers\` and \`labels\`: ${pullRequestLink(url)} is not a pull request on ${host}. Set them there by hand.`

/** What of the input `reviewers` asks no one for a review, '' for nothing. @param owner of the pull request's repository */
export function missingReviewers(
  {
    lacksRequester,
    foreignTeams,
  }: { readonly lacksRequester: boolean; readonly foreignTeams: readonly string[] },
  owner: string,
): string {
  const teams = foreignTeams.map((team) => codeSpan(team, 100)).join(', ')
  if (!lacksRequester && teams === '') return ''
  return joined(
    ' ',
    lacksRequester ? 'Input `reviewers` names `requester`, but no person asked for this run.' : '',
    teams && `Input \`reviewers\` names ${teams}, but only teams of ${codeSpan(owner)} can review here.`,
    'Name people or teams of the owner in `reviewers`.',
  )
}

/** The thread takes no record, so the same work would be paid again. */
export function notRemembered(error: unknown): string {
  const [cause, then] = explainRefusal(error, 'write the status comment', 'issues: write')
  return `${cause} Nothing was sent, because the thread could not remember it, and the next run would send it again. ${then}`
}

/** @param detail in the words of GitHub; '' where they were lost */
export const threadGone = (number: number, detail: string): string =>
  `${joined(': ', `The thread #${number} is gone`, detail)}. Use the command in another one.`

/** @param freeAt in ms since the epoch */
export function limitReached(limit: number, freeAt: number): string {
  // The whole minute by which it surely is, which is often one of tomorrow.
  const at = minuteOf(Math.ceil(freeAt / 60_000) * 60_000)
  return `\`daily-limit\` allows ${count(limit, 'request')} in 24 hours. Re-run the workflow after ${at}.`
}

/** @param name of the commit status */
export const setByOthers = (name: string): string =>
  plainText(
    `Something else set ${codeSpan(name)} on this commit. Give each project and each workflow its own \`commit-status\`.`,
  )

/** Warnings about `daily-limit`, of the log. */
export const NOT_COUNTED =
  'This run keeps no record in a thread, so daily-limit neither counts nor refuses its requests.'

export const unverifiedNotCounted = (comments: number): string =>
  `The records of ${count(comments, 'comment')} of the last day do not verify, so daily-limit cannot count the requests in them: pass the same memory-key in all workflows.`

/** Of a sweep. @param threads in which records do not verify */
export const unverifiedThreads = (threads: number): string =>
  `In ${count(threads, 'thread')}, records do not verify, so it is not known whether jobs are open there: pass the memory-key that signed them.`
