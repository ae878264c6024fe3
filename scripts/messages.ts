import { ERROR_REASONS, ForgeError, messageOf } from '../src/errors.ts'
import type { Failure } from '../src/http/failure.ts'
import { TransportError } from '../src/http/fetch.ts'
import type { ServiceAccess } from '../src/http/service.ts'
import { readInputs } from '../src/inputs.ts'
import { linkComment, resultComment, statusComment, workingComment } from '../src/messages/comments.ts'
import { describe, plainSentence } from '../src/messages/describe.ts'
import { type Call, explainFailure, explainGitHub } from '../src/messages/explain.ts'
import type { MessageContext, Report } from '../src/messages/report.ts'
import { runSummary } from '../src/messages/summary.ts'
import { refusalComment, usageComment } from '../src/messages/usage.ts'
import { jobWithId } from '../src/request/job.ts'
import { OUTCOMES, SKIP_REASONS } from '../src/request/outcome.ts'

/** Prints every sentence that people read, from the real code, to be read in one go: `npm run messages`. */
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
  note: '',
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

heading('Skipped')
for (const reason of SKIP_REASONS) line(reason, sentence({ outcome: 'skipped', reason }))

heading('Errors: the headline, with the cause in place of MESSAGE')
const error = { outcome: 'error', message: 'MESSAGE' } as const
for (const reason of ERROR_REASONS) line(reason, sentence({ ...error, reason, job: undefined }))
line('any, with a job', sentence({ ...error, reason: 'network' }))

heading('Causes: the service')
const access: ServiceAccess = { baseUrl: 'https://api.mintlify.com', apiKey: 'KEY', projectId: 'docs' }
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
for (const call of ['message', 'read', 'visitors'] satisfies Call[]) {
  line(`404 of ${call}`, explainFailure(call, status(404), access, 'j_81f2'))
  line(`429 of ${call}`, explainFailure(call, status(429), access, 'j_81f2'))
}

heading('Causes: GitHub')
for (const code of [0, 401, 403, 404, 410, 429, 500]) {
  const said = code === 410 ? 'This issue is locked' : 'Resource not accessible'
  const kind = code >= 400 && code < 500 && code !== 429 ? 'refused' : 'away'
  const error = new ForgeError({ kind, httpStatus: code, said, triedMs: 120_000 })
  line(String(code), explainGitHub(error, 'write the result', 'issues: write'))
}

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
block('on the agent’s pull request', linkComment('octo/app#12', '/docs'))

heading('Summary')
process.stdout.write(runSummary(report, context))
