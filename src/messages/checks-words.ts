import { type Check, type CheckResult, type ChecksReport, withResult } from '../request/checks-report.ts'
import type { Preview } from '../request/job.ts'
import { code, count, joined, plainText } from '../text.ts'
import { codeLink, MAX_NAMED, pullRequestLink, type ReplyContext, reply, sentenceOf } from './phrases.ts'

/** Undefined until it is known. */
type PreviewEnd = Preview['status'] | undefined

function names(checks: readonly Check[]): string {
  const shown = checks.slice(0, MAX_NAMED).map(({ name, url }) => codeLink(name, url) || 'one without a name')
  const more = checks.length > MAX_NAMED ? [`${checks.length - MAX_NAMED} more`] : []
  return [...shown, ...more].join(', ')
}

const times = (fixes: number): string => (fixes === 1 ? 'once' : `${fixes} times`)

/** How the checks stand: one or two sentences without the last full stop, for comment, summary and log. */
export function checksSentence(report: ChecksReport, preview: PreviewEnd, runUrl: string): string {
  const { phase, status, followedBy, checks } = report
  const follow = runUrl === '' ? '' : `[Follow the run](${runUrl})`
  if (phase === 'reading') return joined('. ', 'Its checks are running', follow)
  if (phase === 'fixing') {
    const broken = preview === 'failure' ? 'Its preview does not build' : ''
    return joined('. ', ...facts(report), broken, 'What fails goes back to the agent', follow)
  }
  if (followedBy !== undefined)
    // A person who did not ask here is named, and not mentioned (contract 5.4).
    return `${followedBy === '' ? 'A later request' : `The later request of ${followedBy}`} follows its checks`
  switch (status) {
    case 'success': {
      const passing =
        checks.length === 1 ? 'Its check passes' : joined(' ', 'Its', several(checks), 'checks pass')
      return `${passing}${afterFixes(report, preview)}`
    }
    case 'failure':
      return facts(report).join('. ') || `Its checks fail${attempts(report, true)}`
    case 'pending': {
      // The deadline came, what is left may never end, or a person has to act.
      const known = facts(report).join('. ') || 'The run stopped before its checks ended'
      return `${known}${withResult(report, 'failed').length > 0 ? '' : wentBack(report)}`
    }
    case 'none':
      return `It has no checks${wentBack(report)}`
    case 'unavailable':
      return `Its checks could not be read${wentBack(report)}`
  }
}

const several = (checks: readonly Check[]): string => (checks.length === 0 ? '' : String(checks.length))

/** What a check with such a result does; several of them. */
const VERBS: readonly {
  readonly result: CheckResult
  readonly onBase?: boolean
  readonly one: string
  readonly many: string
}[] = [
  { result: 'failed', one: 'fails', many: 'fail' },
  {
    result: 'failed',
    onBase: true,
    one: 'fails on its base branch as well',
    many: 'fail on its base branch as well',
  },
  { result: 'running', one: 'had not ended', many: 'had not ended' },
  { result: 'needs-approval', one: 'waits for a person', many: 'wait for a person' },
  { result: 'queued-behind', one: 'waits for another run', many: 'wait for another run' },
  { result: 'no-verdict', one: 'has no verdict', many: 'have no verdict' },
]

/** `` Of its 4 checks, `build` fails, `slow` had not ended, `deploy` waits for a person ``; '' where all pass. */
function list(report: ChecksReport): string {
  const { checks, phase, isStalled = false } = report
  const isLeftOut = phase !== undefined || isStalled
  const parts = VERBS.map(({ result, onBase = false, one, many }) => {
    const those = withResult(report, result).filter(({ failsOnBase = false }) => failsOnBase === onBase)
    // While failures go back, the run goes on, and reads the others again.
    if (those.length === 0 || (isLeftOut && result === 'running')) return ''
    const isTried = phase === undefined && result === 'failed' && !onBase
    const tried = isTried ? attempts(report, those.length > 1) : ''
    return `${names(those)} ${those.length === 1 ? one : many}${tried}`
  }).filter(Boolean)
  if (parts.length === 0) return ''
  return `${checks.length === 1 ? 'Its check ' : `Of its ${checks.length} checks, `}${parts.join(', ')}`
}

/** What is known of the head, the most important first. */
const facts = (report: ChecksReport): readonly string[] =>
  [
    report.conflictsWith === '' ? '' : `It conflicts with ${code(report.conflictsWith)}`,
    list(report),
    report.isParked ? 'Its workflows wait for an approval: open the pull request and approve them' : '',
    report.lacksChecks === true ? 'Its newest commit got no check within five minutes' : '',
    stalled(report),
  ].filter(Boolean)

function stalled(report: ChecksReport): string {
  const running = report.isStalled === true ? withResult(report, 'running') : []
  if (running.length === 0) return ''
  const [have, them] = running.length === 1 ? ['has', 'it'] : ['have', 'them']
  return `${names(running)} ${have} not ended for ten minutes, so this run stopped waiting for ${them}`
}

const attempts = ({ fixes }: ChecksReport, isMany: boolean): string =>
  fixes === 0 ? '' : ` after ${count(fixes, 'attempt')} to fix ${isMany ? 'them' : 'it'}`

/** Where checks do not fail now, it may have been the preview that went back. */
const wentBack = ({ fixes }: ChecksReport): string =>
  fixes === 0 ? '' : `; what failed went back to the agent ${times(fixes)}`

/** `` , after the agent fixed `build` `` */
function afterFixes(report: ChecksReport, preview: PreviewEnd): string {
  const { checks, sentBack, isPreviewSentBack } = report
  const fixed = checks.filter(({ name }) => sentBack.includes(name)).map((check) => ({ ...check, url: '' }))
  const isPreviewFixed = isPreviewSentBack === true && preview === 'success'
  const what = joined(' and ', names(fixed), isPreviewFixed ? 'the preview' : '')
  return what === '' ? wentBack(report) : `, after the agent fixed ${what}`
}

export function checksSign(checks: ChecksReport | undefined): '✅' | '⚠️' | '⏳' {
  if (checks?.phase !== undefined) return '⏳'
  const isBad = checks?.status === 'failure' || checks?.isParked === true
  return isBad || (checks !== undefined && withResult(checks, 'failed').length > 0) ? '⚠️' : '✅'
}

/** What people can do about it; '' where nothing but the review is left. */
export function checksRemedy(report: ChecksReport, context: ReplyContext): string | undefined {
  if (report.phase !== undefined) return ''
  if (report.status !== 'failure') return undefined
  const look = withResult(report, 'failed').length < 2 ? 'look at it there' : 'look at them there'
  return sentenceOf(', or ', look, reply(context, '…', 'with what to do'))
}

/** One cell of the summary. */
export function checksFact({ status, fixes }: ChecksReport): string {
  const back = fixes === 0 ? '' : `, sent back ${times(fixes)}`
  return `${code(status)}${back}`
}

/** What keeps the run from following the checks, or from sending them back. */
const TROUBLES = {
  elsewhere: (link, server) => `${link} is not a pull request on ${server}, so its checks cannot be read.`,
  lost: (link, why) => `The checks of ${link} can no longer be followed. ${why}`,
  unrecorded: () =>
    'What fails does not go back to the agent, because the thread cannot keep the record that keeps it from going twice.',
  uncertain: (link, why) => `It is not known whether the agent got what fails of ${link}. ${why}`,
  unsent: (link, why) => `The agent did not get what fails of ${link}. ${why}`,
} as const satisfies Readonly<Record<string, (link: string, why: string) => string>>
export type ChecksTrouble = keyof typeof TROUBLES

/** A warning. @param why a sentence; the host of the forge, where the pull request is elsewhere */
export const explainChecks = (trouble: ChecksTrouble, prLink: string, why = ''): string =>
  plainText(TROUBLES[trouble](pullRequestLink(prLink), why))
