import { codeSpan, joined, plainText } from '../base/text.ts'
import type { Check, CheckResult, ChecksReport } from '../record/check-results.ts'
import { isRed } from '../record/check-results.ts'
import { codeLink, MAX_NAMED, pullRequestLink, type ReplyOptions, reply, sentenceOf } from './phrases.ts'

function names(checks: readonly Check[]): string {
  const shown = checks.slice(0, MAX_NAMED).map(({ name, url }) => codeLink(name, url) || 'one without a name')
  const more = checks.length > MAX_NAMED ? [`${checks.length - MAX_NAMED} more`] : []
  return [...shown, ...more].join(', ')
}

const times = (fixes: number): string => ['', 'once', 'twice'][fixes] ?? `${fixes} times`

/** No run waits for checks. */
export const NEXT_LOOK = 'Its checks are looked at when CI ends, or at the next sweep'

/** `failures went back to the agent once`; '' for never. */
function wentBack({ fixes, isLastInDoubt = false }: ChecksReport): string {
  if (fixes === 0) return ''
  if (!isLastInDoubt) return `failures went back to the agent ${times(fixes)}`
  const notKnown = 'it is not known whether the agent got them'
  if (fixes === 1) return `failures may have gone back to the agent, and ${notKnown}`
  return `failures went back to the agent ${times(fixes - 1)} and may have gone once more, and ${notKnown}`
}

/** How the checks stand: one or two sentences without the last full stop, for comment, summary and log. */
export function checksSentence(report: ChecksReport, runUrl: string): string {
  const { phase, followedBy } = report
  const follow = runUrl === '' ? '' : `[Follow the run](${runUrl})`
  const back = wentBack(report)
  if (phase === 'left') {
    const stands = report.checks.some(isRed) ? resultsOf(report) : ''
    const said = stands === '' ? back.replace(/^f/, 'F') : joined('; ', stands, back)
    return joined('. ', said, NEXT_LOOK)
  }
  if (phase === 'reading') return joined('. ', 'Its checks are running', follow)
  if (phase === 'fixing') return joined('. ', resultsOf(report), 'Failures go back to the agent', follow)
  if (followedBy !== undefined)
    // A person who did not ask here is named, and not mentioned.
    return `${followedBy === '' ? 'A later request' : `The later request of ${followedBy}`} follows its checks`
  const why = report.notSentBack ? `No further failures go back: ${report.notSentBack}` : ''
  return joined('. ', joined('; ', resultsOf(report), back), why.replace(/\.$/, ''))
}

/** Where no check is known. */
const WITHOUT_CHECKS = {
  success: 'Its checks pass',
  failure: 'Its checks fail',
  pending: 'No verdict of its checks is known',
  none: 'It has no checks',
  unavailable: 'Its checks could not be read',
} as const satisfies Readonly<Record<ChecksReport['status'], string>>

type Says = readonly [
  results: readonly CheckResult[],
  needs: readonly Check['needs'][],
  one: string,
  many: string,
]
const ANY = [undefined, 'resolve-conflict', 'approve-workflows', 'approve-deployment'] as const

/** What did not pass, the most important first: of one check, and of several. */
const SAYS: readonly Says[] = [
  [['failed'], [undefined], 'fails', 'fail'],
  [['failed'], ['resolve-conflict'], 'fails on a conflict', 'fail on a conflict'],
  [['fails-on-base'], ANY, 'fails on its base branch as well', 'fail on its base branch as well'],
  [['works', 'queued'], ANY, 'had not ended', 'had not ended'],
  [
    ['needs-approval'],
    ['approve-workflows', 'approve-deployment'],
    'waits for a person to approve it',
    'wait for a person to approve them',
  ],
  [['needs-approval'], [undefined], 'waits for a person', 'wait for a person'],
  [['no-verdict'], ANY, 'has no verdict', 'have no verdict'],
]

/** `` Of its 4 checks, `build` fails, `e2e` had not ended ``. */
function resultsOf({ status, checks }: ChecksReport): string {
  if (checks.length === 0 || status === 'unavailable') return WITHOUT_CHECKS[status]
  const isOne = checks.length === 1
  const parts = SAYS.flatMap(([results, needs, one, many]) => {
    const found = checks.filter((check) => results.includes(check.result) && needs.includes(check.needs))
    return found.length === 0 ? [] : [`${names(found)} ${found.length === 1 ? one : many}`]
  })
  if (parts.length > 0)
    return `${isOne ? 'Its check ' : `Of its ${checks.length} checks, `}${parts.join(', ')}`
  // They may be those of a moment ago.
  if (status !== 'success') return WITHOUT_CHECKS[status]
  return isOne ? 'Its check passes' : `Its ${checks.length} checks pass`
}

export function checksSign(report: ChecksReport | undefined): '✅' | '⚠️' | '⏳' {
  if (report === undefined) return '✅'
  const { phase, status, checks, followedBy } = report
  if (phase !== undefined) return '⏳'
  if (status === 'failure' || status === 'unavailable' || checks.some(isRed)) return '⚠️'
  if (checks.some(({ result }) => result === 'needs-approval')) return '⚠️'
  return status === 'pending' && followedBy === undefined ? '⏳' : '✅'
}

/** What people can do about it; '' while the run does something, undefined where nothing but the review is left. */
export function checksRemedy(
  { phase, status, checks, fixes }: ChecksReport,
  options: ReplyOptions,
): string | undefined {
  if (phase !== undefined && (phase !== 'left' || fixes > 0)) return ''
  if (status !== 'failure') return undefined
  const red = checks.filter(isRed)
  const conflict = sentenceOf(
    ', or ',
    'resolve the conflict in the pull request',
    reply(options, 'resolve the conflict'),
  )
  if (red.length > 0 && red.every(isConflict)) return conflict
  const others = sentenceOf(', or ', 'look at the pull request', reply(options, '…', 'with what to do'))
  return joined(' ', red.some(isConflict) ? conflict : '', others)
}

const isConflict = ({ needs }: Check): boolean => needs === 'resolve-conflict'

/** What waits for a person, and where that person can let it go on; '' for nothing, and while the run does something. */
export function approvalRemedy({ phase, checks }: ChecksReport): string {
  if (phase !== undefined) return ''
  const waiting = checks.filter(({ result }) => result === 'needs-approval')
  const named = (needs: Check['needs']) => {
    const found = waiting.filter((check) => check.needs === needs)
    return found.length === 0 ? '' : names(found)
  }
  const [deployments, others] = [named('approve-deployment'), named(undefined)]
  return joined(
    ' ',
    named('approve-workflows') && 'Approve the workflows in the pull request.',
    deployments && `Open ${deployments}, and approve the deployment.`,
    others && `Open ${others} to see what is to be done.`,
  )
}

/** One cell of the summary. */
export function checksFact({ status, fixes, isLastInDoubt = false }: ChecksReport): string {
  const went = `failures ${isLastInDoubt ? 'may have gone' : 'went'} back ${times(fixes)}`
  return joined(', ', codeSpan(status), fixes === 0 ? '' : went)
}

/** What keeps the run from following the checks, or from sending them back. */
const TROUBLES = {
  elsewhere: (link, server) => `${link} is not a pull request on ${server}, so its checks cannot be read.`,
  later: (link, why) => `This sweep could not follow the checks of ${link}. ${why} The next one tries again.`,
  lost: (link, why) => `The run can no longer follow the checks of ${link}. ${why}`,
  unrecorded: () =>
    'Failures do not go back to the agent, because the thread takes no record, and without one they could go twice.',
  uncertain: (link, why) =>
    `It is not known whether the agent got the failures of ${link}. ${why} Look at the dashboard.`,
  unsent: (link, why) => `The agent did not get the failures of ${link}. ${why}`,
} as const satisfies Readonly<Record<string, (link: string, why: string) => string>>

/** With another request of the job, or by another process that was lost. */
export const WENT_BEFORE = 'those of this commit went back before, or may have'

/** @param has '' where it cannot be read */
export const noPermission = (login: string, needs: string, has: string): string =>
  has === ''
    ? `The permission of ${codeSpan(login)}, who asked, cannot be read.`
    : `${codeSpan(login)}, who asked, has ${has} permission now, and ${needs} is needed.`

/** The inputs of `collect` allow less than the workflow that asked. */
export const FEWER_ATTEMPTS = '`fix-attempts` of the workflow that collects allows no more'

/** A lease is a comment of its own. */
export const NO_LEASE =
  '`collect` sends failures back only with `comment: recreate`, because two runs of it at once could send them twice'
export const NO_RECORD = 'the thread takes no new comment, and without one they could go twice'

/** Deployment rights, a title or a label that a check asks for: no commit gives them. */
export const TURNED_NONE = 'the last fix repaired none of these checks'

/** @param said who says so, and why: a sentence */
export const skippedFixes = (said: string): string => `no documentation is needed. ${said}`

/** A warning. @param why a sentence; the host of GitHub, where the pull request is elsewhere */
export const explainChecks = (trouble: keyof typeof TROUBLES, prLink: string, why = ''): string =>
  plainText(TROUBLES[trouble](pullRequestLink(prLink), why))

/** For the log. @param repository `owner/name` */
export const explainPrivateChecks = (repository: string): string =>
  `${repository} is not public, so the agent gets no logs and no details of its failing checks. To send them, set \`check-logs: true\`.`
