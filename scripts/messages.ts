import { ERROR_REASONS, ForgeError, messageOf } from '../src/errors.ts'
import type { Failure } from '../src/http/failure.ts'
import { TransportError } from '../src/http/fetch.ts'
import type { ServiceAccess } from '../src/http/service.ts'
import { readInputs } from '../src/inputs/inputs.ts'
import { type ChecksTrouble, explainChecks } from '../src/messages/checks-words.ts'
import {
  linkComment,
  logHeader,
  logPrompt,
  refusalComment,
  resultComment,
  runSummary,
  statusComment,
  trackingBody,
  usageComment,
  withLastRefresh,
  workingComment,
} from '../src/messages/comments.ts'
import { describe, plainSentence } from '../src/messages/describe.ts'
import {
  type Call,
  explainAway,
  explainError,
  explainFailure,
  explainGitHub,
  explainUnknown,
} from '../src/messages/explain.ts'
import * as notes from '../src/messages/notes.ts'
import type { MessageContext, Report } from '../src/messages/phrases.ts'
import { failureWarnings, SIDE_TASKS, type SideTask, THREAD_NOW } from '../src/messages/side-tasks.ts'
import { type CheckResult, type ChecksReport, UNREAD } from '../src/request/checks-report.ts'
import { jobWithId, type Preview } from '../src/request/job.ts'
import { OUTCOMES, SKIP_REASONS } from '../src/request/outcome.ts'
import type { PlanNote } from '../src/request/plan.ts'
import { resolveReviewers } from '../src/request/reviewers.ts'
import { plainText } from '../src/text.ts'

/** Prints every sentence of `src/messages/`, from the real code, to be read in one go: `npm run messages`. */
const heading = (title: string) => process.stdout.write(`\n━━ ${title}\n\n`)
const line = (name: string, text: string) => process.stdout.write(`${name.padEnd(26)}  ${text}\n`)
const block = (name: string, text: string) =>
  process.stdout.write(`${name}\n${text.trimEnd().replace(/^/gm, '    ')}\n\n`)

const link = 'https://github.com/octo/docs/pull/77'
const job = { ...jobWithId('j_81f2'), status: 'completed', prLink: link, model: 'sonnet' }
const context: MessageContext = {
  command: '/docs',
  timeoutMs: 1_800_000,
  minPermission: 'write',
  denied: { login: 'mallory', has: 'read' },
  runUrl: 'https://github.com/octo/app/actions/runs/1',
  replies: { thread: 12, onPullRequest: true },
}
const report: Report = {
  outcome: 'pull-request',
  reason: '',
  message: '',
  job,
  jobAction: 'created',
  followUp: false,
  note: {},
  requestedBy: 'alice',
  request: 'explain the new retry option',
  prompt: 'explain the new retry option',
  durationMs: 252_000,
}

const sentence = (over: Partial<Report>) => plainSentence(describe({ ...report, ...over }, context))

heading('Outcomes, as the log and the annotation show them')
for (const outcome of OUTCOMES.filter((name) => name !== 'skipped' && name !== 'error')) {
  const withLink = outcome === 'pull-request' || outcome === 'failed' || outcome === 'archived'
  line(outcome, sentence({ outcome, job: { ...job, prLink: withLink ? link : '' } }))
}
const unusable = { ...job, prLink: '', unusableLink: true }
line('pull-request, follow-up', sentence({ followUp: true }))
line('no-pull-request, bad link', sentence({ outcome: 'no-pull-request', job: unusable }))
line('timed-out, nothing sent', sentence({ outcome: 'timed-out', job: undefined }))
line('cancelled, nothing sent', sentence({ outcome: 'cancelled', job: undefined }))

heading('The pull request: its checks and its preview')
const check = (name: string, result: CheckResult) => ({ name, url: '', result })
const [passes, fails] = [check('links', 'passed'), check('build', 'failed')]
const checks: ChecksReport = { ...UNREAD, status: 'success', checks: [passes, fails], fixes: 0, sentBack: [] }
const CHECKS: Readonly<Record<string, Partial<ChecksReport>>> = {
  'being read': { status: 'pending', phase: 'reading' },
  'being fixed': { status: 'pending', phase: 'fixing' },
  pass: { checks: [passes, check('build', 'passed')] },
  'pass, once fixed': { checks: [passes, check('build', 'passed')], fixes: 1, sentBack: ['build'] },
  fail: { status: 'failure' },
  'fail, sent back twice': { status: 'failure', fixes: 2 },
  'fail, at the base as well': { status: 'failure', checks: [passes, { ...fails, failsOnBase: true }] },
  conflict: { status: 'failure', checks: [], conflictsWith: 'main' },
  'conflict, going back': { status: 'pending', phase: 'fixing', conflictsWith: 'main' },
  parked: { status: 'pending', checks: [], isParked: true },
  'waits for its turn': { status: 'pending', checks: [check('build', 'turn')] },
  pending: {
    status: 'pending',
    checks: [fails, check('slow', 'running'), check('deploy', 'person'), check('old', 'open')],
  },
  'not known': { status: 'pending', checks: [] },
  none: { status: 'none', checks: [] },
  unavailable: { status: 'unavailable', checks: [] },
}
for (const [name, over] of Object.entries(CHECKS)) line(name, sentence({ checks: { ...checks, ...over } }))
const PREVIEWS: Readonly<Record<string, Preview>> = {
  preview: { status: 'success', url: 'https://docs-77.example.com' },
  'preview, failed': { status: 'failure', logTail: ['Unexpected token'] },
  'preview, late': { status: 'timed-out', why: notes.NO_PREVIEW.notReady },
}
for (const [name, preview] of Object.entries(PREVIEWS)) line(name, sentence({ preview }))

heading('Notes about the plan')
const NOTES: readonly PlanNote[] = [
  { job: 'gone' },
  { job: 'archived' },
  { pullRequest: 'merged' },
  { pullRequest: 'closed' },
  { pullRequest: 'unreadable' },
]
for (const note of NOTES) line(Object.values(note).join(), notes.planNote(note))

heading('Skipped')
for (const reason of SKIP_REASONS) line(reason, sentence({ outcome: 'skipped', reason }))

heading('Errors: the headline, with the cause in place of MESSAGE')
const error = { outcome: 'error', message: 'MESSAGE' } as const
for (const reason of ERROR_REASONS) line(reason, sentence({ ...error, reason, job: undefined }))
line('any, with a job', sentence({ ...error, reason: 'network' }))

heading('Causes: the request')
for (const [name, text] of Object.entries(notes.CAUSES)) line(name, text)
for (const [name, text] of Object.entries(notes.UNREAD_THREAD)) line(`unread thread, ${name}`, text)
for (const jobId of ['', 'j_81f2']) line('unanswered', notes.unanswered(jobId))
for (const [all, others] of [
  [0, 0],
  [2, 0],
  [2, 1],
] as const) {
  line('no-changes', notes.nothingMerged(all, others, 'into main since 2026-11-09 06:17 UTC'))
}
line('internal', explainError({ isDebug: () => false, debug: () => {} }, new Error('Unexpected token')))

heading('Causes: the service')
const access: ServiceAccess = {
  baseUrl: 'https://api.mintlify.com',
  apiKey: 'KEY',
  memoryKey: '',
  projectId: 'docs',
}
const status = (code: number, detail = '', retryAfterMs?: number) =>
  ({ kind: 'status', status: code, detail, retryAfterMs }) as const
const FAILURES: readonly (readonly [string, Failure])[] = [
  ...[307, 400, 401, 402, 403, 404, 429, 500].map((code) => [String(code), status(code)] as const),
  ['403, scope', status(403, 'Missing scope: write')],
  ['403, IP', status(403, 'IP not allowed')],
  ['429, Retry-After', status(429, 'Rate limit exceeded', 90_000)],
  ['connection', { kind: 'transport', error: new TransportError('broken', 'connection reset') }],
  ['unreadable', { kind: 'unreadable', detail: 'an answer that is no job' }],
]
for (const [name, failure] of FAILURES) line(name, explainFailure('create', failure, access))
for (const [name, failure] of FAILURES.slice(-3))
  line(`${name}, unsure`, notes.unsure(explainUnknown(failure), ''))
for (const call of ['message', 'read', 'preview', 'previewStatus', 'visitors'] satisfies Call[]) {
  line(`404 of ${call}`, explainFailure(call, status(404), access, 'j_81f2'))
  line(`429 of ${call}`, explainFailure(call, status(429), access, 'j_81f2'))
}

heading('Causes: GitHub')
for (const code of [0, 401, 403, 404, 410, 429, 500]) {
  const detail = code === 410 ? 'This issue is locked' : 'Resource not accessible'
  const kind = code >= 400 && code < 500 && code !== 429 ? 'refused' : 'away'
  const error = new ForgeError({ kind, httpStatus: code, detail, triedMs: 120_000 })
  line(String(code), explainGitHub(error, 'write the result', 'issues: write'))
}

const away = { httpStatus: 0, detail: 'connection reset', triedMs: 30_000 }
line('away, before it is sent', explainAway({ kind: 'away', ...away }))

heading('Warnings of the log')
for (const [name, text] of Object.entries(notes.WARNINGS)) line(name, text)
for (const hasThread of [false, true]) line('re-run without memory', notes.lostMemory(hasThread))
const refused = new ForgeError({
  ...away,
  kind: 'refused',
  httpStatus: 403,
  detail: 'Resource not accessible',
})
line('permission, unread', notes.unreadPermission('mallory', refused))
const TROUBLES: Readonly<Record<ChecksTrouble, string>> = {
  elsewhere: 'github.com',
  lost: 'WHY',
  unrecorded: '',
  uncertain: 'WHY',
  unsent: 'WHY',
}
for (const [name, why] of Object.entries(TROUBLES)) {
  line(`checks, ${name}`, explainChecks(name as ChecksTrouble, link, why))
}
const NO_PREVIEWS: readonly Preview[] = [
  { status: 'success', url: '' },
  { status: 'failure', logTail: [] },
  ...Object.values(notes.NO_PREVIEW).map((why) => ({
    status: 'unavailable' as const,
    why: typeof why === 'string' ? why : why(status(500)),
  })),
]
for (const preview of NO_PREVIEWS) line('preview', plainText(notes.previewProblem({ ...report, preview })))
line('reviewers, elsewhere', plainText(notes.settingsElsewhere(link, 'github.example.com')))
line(
  'reviewers',
  plainText(notes.missingReviewers(resolveReviewers(['requester', 'acme/docs'], '', 'octo'), 'octo')),
)

heading('Side tasks that fail')
const pull = { owner: 'octo', repo: 'docs', number: 77 }
/** The one warning of a step in which GitHub refused these. */
const warningOf = (failed: readonly SideTask[], now = '', own = 'docs'): string => {
  const warnings = failureWarnings({ warning: () => {}, debug: () => {} }, { owner: 'octo', repo: own })
  for (const task of failed) warnings.add(task, refused)
  return warnings.flush(now)
}
const ABOUT: Readonly<Record<string, number | string>> = {
  thread: 12,
  comment: 'status comment',
  'issue-title': '“Refresh the docs”',
}
for (const name of Object.keys(SIDE_TASKS) as (keyof typeof SIDE_TASKS)[]) {
  line('', warningOf([[name, ABOUT[name] ?? (/of$|on$/.test(SIDE_TASKS[name][0]) ? pull : '')]]))
}
line('', warningOf([['labels', pull]], '', 'app'))
line('', warningOf([['pull-and-checks', pull]], '', 'app'))
for (const [name, now] of Object.entries(THREAD_NOW))
  line(`the one warning of a step (${name})`, warningOf(['files', ['thread', 12]], now))

heading('Bad input')
const given: Readonly<Record<string, string>> = { 'api-key': 'KEY', 'project-id': 'docs', prompt: 'x' }
const BAD: readonly (readonly [string, string])[] = [
  ['api-key', 'two words'],
  ['project-id', 'https://example.com'],
  ['base-url', 'http://example.com'],
  ['prompt-file', 'request.md'],
  ['job-id', '..'],
  ['conversation', 'maybe'],
  ['command', 'two words'],
  ['min-permission', 'owner'],
  ['allowed-bots', 'not a login'],
  ['wait', 'yes'],
  ['timeout-minutes', 'soon'],
  ['issue-number', '#12'],
]
for (const [name, value] of BAD) {
  try {
    readInputs((input) => (input === name ? value : (given[input] ?? '')))
    line(name, '(no error)')
  } catch (error) {
    line(name, messageOf(error))
  }
}

heading('Comments')
block('working', workingComment({ ...report, runUrl: context.runUrl, startedAt: 0, job }))
block('result', resultComment(report, context))
block('refusal', refusalComment(context))
block('refusal, unread', refusalComment({ ...context, denied: { login: 'mallory', has: '' } }))
block('/docs help', usageComment(context))
block('/docs status', statusComment(report, context))
block('/docs status, no job', statusComment({ ...report, job: undefined }, context))
block(
  '/docs status, unread',
  statusComment({ ...report, job: undefined, message: notes.CAUSES.unreadStatus }, context),
)
block('on the agent’s pull request', linkComment('octo/app#12', '/docs', true))
block('on the agent’s pull request in another repository', linkComment('octo/app#12', '/docs', false))
const tracking = trackingBody('/docs', ['alice'])
block('tracking issue', tracking)
for (const outcome of OUTCOMES) {
  const body = withLastRefresh(tracking, { ...report, outcome, merged: [12, 13] }, 0)
  line(`tracking, ${outcome}`, body.split('\n').at(-1) ?? '')
}

heading('Log')
line('', logHeader({ event: 'issue_comment', comment: {} }, 'alice', 'octo/app#12'))
line('', logPrompt('x'.repeat(38), 'x'.repeat(1284)))

heading('Summary')
process.stdout.write(runSummary(report, context))
