import { linkName } from '../base/link.ts'
import { cut, plainText } from '../base/text.ts'
import type { ChecksStatus } from '../record/check-results.ts'
import type { Reason } from '../record/outcome.ts'
import type { Report } from '../record/report.ts'

/** What a commit status says of the docs; the link is '' for the page of the run. */
export interface Verdict {
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly description: string
  readonly link: string
}

/** Characters: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
export const MAX_DESCRIPTION = 140

/** The login gives way: `isUndecided` knows the status by the words behind it. */
const withLogin = (before: string, login: string, behind: string): string =>
  `${before}${cut(login, MAX_DESCRIPTION - before.length - behind.length)}${behind}`

const saying =
  (state: Verdict['state']) =>
  (description: string, link = ''): Verdict => ({ state, description, link })
const success = saying('success')
const pending = saying('pending')
const error = saying('error')

export const WORKING = pending('The docs agent is working')

/** `conversation: skip` leaves these changes to a person. @param command word */
const busy = (command: string): Verdict =>
  pending(`The docs agent worked on another request: re-run, or ${cut(command, 20)} …, once it has ended`)

/** The pull request changes no file that counts. */
export const NONE_IN_PATHS = success('No file changed that `paths` names')

/** The input `ignore` names the pull request. */
export const IGNORED = success('Needs no docs: `ignore` names its author or a label')

export const NO_FILES = success('No file changed')

/** The pull request changes nothing any more. @param link to that of the docs @param command word */
export const docsOfNothing = (link: string, command: string): Verdict =>
  pending(
    `${linkName(link)} documents what is gone: close it and re-run, or ${cut(command, 20)} …, ${cut(command, 20)} skip`,
    link,
  )

/** How the checks of the docs' pull request stand when the run ends, behind its name. */
const CHECKS: Readonly<Record<ChecksStatus, Pick<Verdict, 'state' | 'description'>>> = {
  success: { state: 'success', description: '' },
  none: { state: 'success', description: '' },
  failure: { state: 'failure', description: ': its checks fail' },
  pending: {
    state: 'pending',
    description: ', whose checks have no known verdict: re-run to read them again',
  },
  unavailable: { state: 'pending', description: ', whose checks could not be read: re-run once they can be' },
}

/** No run follows them. */
const NEXT_LOOK = ': its checks are looked at when CI ends, or at the next sweep'

/** What a person said with `/docs skip`: a login, '' for a bot that may use it, and a reason, '' for none. */
export interface Skip {
  readonly requestedBy: string
  readonly why: string
}

/** @param link to the comment that says it, '' for none */
export const skipVerdict = ({ requestedBy, why }: Skip, link: string): Verdict =>
  success(`Skipped by ${requestedBy || 'a bot'}${why && `: ${why}`}`, link)

/** An earlier request about other changes may have a job. @param command word */
export const earlierInDoubt = (command: string): Verdict =>
  pending(
    `Not known whether the docs agent got an earlier request: re-run if the dashboard lacks it, ${cut(command, 20)} … or skip`,
  )

/** Records of the thread do not verify. @param command word */
export const notKnown = (command: string): Verdict =>
  pending(
    `Not known: a comment of the action does not verify (memory-key). ${cut(command, 20)} … asks, ${cut(command, 20)} skip decides`,
  )

/** Of a new head, whose changes the run could not look up. */
export const NO_MEMORY_KEY = error(
  'Input memory-key is missing or cannot be used: store its secret and pass it, as the run says',
)

/** Of changes that no person with the permission has brought or decided. @param command word */
export const botVerdict = (login: string, command: string): Verdict =>
  pending(
    withLogin(
      'Changed by ',
      login,
      `: a push by a person, ${cut(command, 20)} …, ${cut(command, 20)} skip or allowed-bots decides it`,
    ),
  )

/** A label that asks nothing, on changes that nobody decided. @param login '' where it is not known @param command word */
export const labelVerdict = (login: string, command: string): Verdict =>
  pending(
    withLogin(
      '',
      login || 'A bot',
      ` set a label but may not ask: a label by a person who may, ${cut(command, 20)} … or ${cut(command, 20)} skip decides it`,
    ),
  )

/** Whether a status says only that nothing has decided the head yet. @param command word */
export const isUndecided = (
  { state, description }: { readonly state: string; readonly description: string },
  command: string,
): boolean =>
  [unreadVerdict(command), NO_MEMORY_KEY].some(
    (one) => one.state === state && one.description === description,
  ) ||
  (state === 'pending' &&
    [botVerdict('', command).description, labelVerdict('', command).description].some((words) =>
      description.endsWith(words.replace(/^(?:Changed by |A bot)/, '')),
    ))

const QUEUED = {
  /** Nothing decided, or the agent works. */
  none: 'have no verdict; wait for it, then queue again',
  red: 'have a red verdict; do what it says, then queue again',
  unread: 'cannot be read; look at the run, then queue again',
  unknown: '',
} as const

/** Of the commit of a merge queue, whose pull request is not green. @param number of that, undefined where it is not known */
export const queueVerdict = (why: keyof typeof QUEUED, number: number | undefined): Verdict =>
  error(
    number === undefined
      ? 'The pull request of this merge queue is not known: set the status by hand'
      : `The docs of #${number} ${QUEUED[why]}`,
  )

const orSkip = (command: string): string => `, or ${cut(command, 20)} skip`

/** @param command word */
export const unreadVerdict = (command: string): Verdict => error(`${UNREAD}${orSkip(command)}`)

const UNREAD = 'GitHub cannot be read: see the run'

/** What to do about an error, where the commit status can say it: a required one holds the merge up. */
const ERRORS: Readonly<Partial<Record<Reason, string>>> = {
  unauthorized: 'The service does not take the API key: see the run',
  forbidden: 'The service does not allow this: see the run',
  'payment-required': 'No credits are left, or the plan or a bill needs attention: see the run',
  'rate-limited': 'The service asks to wait: re-run later',
  'service-unavailable': 'The service is unavailable: re-run later',
  network: 'The service cannot be reached: check the run',
  'github-unavailable': UNREAD,
  'creation-uncertain':
    'It is not known whether the docs agent got the request: re-run if the dashboard lacks it',
}

interface VerdictFacts extends Pick<Report, 'outcome' | 'reason' | 'job'> {
  readonly message?: string
  /** The command word. */
  readonly command: string
  readonly checks?: { readonly status: ChecksStatus; readonly isWatched?: boolean } | undefined
}

/** A record may hold no usable link. */
const nameOfPullRequest = (link: string): string =>
  link === '' ? 'The pull request of the docs agent' : linkName(link)

/** The verdict of an end; undefined where nothing was decided. */
export function commitVerdictOf({
  outcome,
  reason,
  job,
  checks,
  command,
  message = '',
}: VerdictFacts): Verdict | undefined {
  const link = job?.prLink ?? ''
  const says = (state: Verdict['state'], description: string): Verdict => ({ state, description, link })
  switch (outcome) {
    case 'pull-request': {
      if (checks?.isWatched === true) return says('pending', `${nameOfPullRequest(link)}${NEXT_LOOK}`)
      const verdict = CHECKS[checks?.status ?? 'none']
      return says(verdict.state, `${nameOfPullRequest(link)}${verdict.description}`)
    }
    case 'no-pull-request':
      if (job?.unusableLink === true)
        return says('success', 'The docs agent finished, but its link to the pull request cannot be used')
      return says('success', 'The docs agent opened no pull request')
    case 'failed':
      return says('failure', 'The docs agent failed')
    case 'archived':
      return says('failure', 'The job of the docs agent was archived')
    // One that went out has its job.
    case 'timed-out':
    case 'cancelled':
    case 'error': {
      if (reason === 'end-uncertain')
        return says(
          'error',
          `Not known whether it was finished: ${cut(command, 20)} … asks again, or ${cut(command, 20)} skip`,
        )
      const isLost = job !== undefined && reason !== 'creation-uncertain'
      const then = reason === 'job-not-found' ? `${cut(command, 20)} new …` : 're-run to follow it'
      const why = isLost
        ? `The run can no longer follow the job: ${then}`
        : (ERRORS[reason] ?? 'The docs agent did not get the request: see the run')
      return says('error', `${why}${orSkip(command)}`)
    }
    case 'skipped':
      if (reason === 'job-active') return busy(command)
      if (reason === 'daily-limit')
        return says('error', plainText(message) || 'The daily limit is reached: re-run later')
      return reason === 'pull-request-open' ? says('success', nameOfPullRequest(link)) : undefined
    case 'started':
      return undefined
    default:
      return outcome satisfies never
  }
}
