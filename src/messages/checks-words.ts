import { type Check, type ChecksReport, withResult } from '../request/checks-report.ts'
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

/** `2 of its 5 checks fail` */
function some(many: number, { checks }: ChecksReport, verb: string, verbOfOne = `${verb}s`): string {
  if (checks.length === 1) return `Its check ${verbOfOne}`
  return `${many} of its ${checks.length} checks ${many === 1 ? verbOfOne : verb}`
}

const times = (fixes: number): string => (fixes === 1 ? 'once' : `${fixes} times`)

/** Where checks do not fail now, it may have been the preview that went back. */
const wentBack = ({ fixes }: ChecksReport): string =>
  fixes === 0 ? '' : `; what failed went back to the agent ${times(fixes)}`

/** How the checks stand: one or two sentences without the last full stop, for comment, summary and log. */
export function checksSentence(report: ChecksReport, preview: PreviewEnd, runUrl: string): string {
  const { phase, status } = report
  const follow = runUrl === '' ? '' : `. [Follow the run](${runUrl})`
  if (phase === 'reading') return `Its checks are running${follow}`
  if (phase === 'fixing') return `${goingBack(report, preview)}${follow}`
  switch (status) {
    case 'success':
      return `${passing(report)}${afterFixes(report, preview)}`
    case 'failure':
      return failure(report)
    case 'pending':
      return pending(report)
    case 'none':
      return `It has no checks${afterFixes(report, preview)}`
    case 'unavailable':
      return `Its checks could not be read${wentBack(report)}`
  }
}

const conflict = ({ conflictsWith }: ChecksReport): string =>
  conflictsWith === '' ? '' : `It conflicts with ${code(conflictsWith)}`

/** What an earlier run reported is known without the checks themselves. */
const failing = (report: ChecksReport): string =>
  report.checks.length === 0 ? 'Its checks fail' : some(withResult(report, 'failed').length, report, 'fail')

function failure(report: ChecksReport): string {
  const { checks, fixes, conflictsWith } = report
  const failed = withResult(report, 'failed')
  const attempts =
    fixes === 0 ? '' : ` after ${count(fixes, 'attempt')} to fix ${checks.length === 1 ? 'it' : 'them'}`
  const isOfBase = failed.length > 0 && failed.every(({ failsOnBase }) => failsOnBase === true)
  const base = isOfBase ? ', on its base branch as well' : attempts
  const ofChecks =
    failed.length === 0 && conflictsWith !== ''
      ? ''
      : joined(': ', `${failing(report)}${base}`, names(failed))
  return joined('. ', conflict(report), ofChecks)
}

function goingBack(report: ChecksReport, preview: PreviewEnd): string {
  const failed = withResult(report, 'failed')
  const facts = [
    conflict(report),
    failed.length === 0 ? '' : failing(report),
    preview === 'failure' ? 'its preview does not build' : '',
  ].filter(Boolean)
  const said = facts.map((fact, at) => (at === 0 ? capital(fact) : fact.replace(/^It/, 'it'))).join(', and ')
  return joined(': ', `${said}, which goes back to the agent`, names(failed))
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const passing = ({ checks }: ChecksReport): string =>
  checks.length === 1 ? 'Its check passes' : `Its ${checks.length || ''} checks pass`.replace('  ', ' ')

function afterFixes(report: ChecksReport, preview: PreviewEnd): string {
  const { checks, sentBack, isPreviewSentBack } = report
  const fixed = checks.filter(({ name }) => sentBack.includes(name)).map((check) => ({ ...check, url: '' }))
  const named = fixed.length === 0 ? '' : `the ${fixed.length === 1 ? 'check' : 'checks'} ${names(fixed)}`
  const what = joined(' and ', named, isPreviewSentBack && preview === 'success' ? 'the preview' : '')
  if (what === '') return wentBack(report)
  const isOne = fixed.length + Number(what.endsWith('the preview')) === 1
  return `. ${capital(what)} failed first; the agent fixed ${isOne ? 'it' : 'them'}`
}

/** The deadline came, or a person has to act: what is known of it, the most important first. */
function pending(report: ChecksReport): string {
  const { isParked } = report
  const of = (result: Check['result']) => withResult(report, result)
  const [failed, running, person, turn, open] = [
    of('failed'),
    of('running'),
    of('person'),
    of('turn'),
    of('open'),
  ]
  const facts = [
    failed.length > 0 && `${failing(report)}: ${names(failed)}`,
    running.length > 0 && `${some(running.length, report, 'had', 'had')} not ended when the run stopped`,
    isParked && 'Its workflows wait for an approval: open the pull request and approve them',
    person.length > 0 && `${some(person.length, report, 'wait')} for a person: ${names(person)}`,
    turn.length > 0 && `${some(turn.length, report, 'wait')} for another run to end: ${names(turn)}`,
    open.length > 0 && `${some(open.length, report, 'ended', 'ended')} without a verdict: ${names(open)}`,
  ].filter((fact) => fact !== false)
  return `${facts.join('. ') || 'The run stopped before its checks ended'}${wentBack(report)}`
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
  const look = withResult(report, 'failed').length === 0 ? 'look at it there' : 'look at them there'
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
