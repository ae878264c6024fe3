import { describe, expect, test } from 'vitest'
import { ERROR_REASONS } from '../../src/errors.ts'
import * as comments from '../../src/messages/comments.ts'
import { describe as describeOutcome, plainSentence } from '../../src/messages/describe.ts'
import { type MessageContext, pullRequestLink, type Report } from '../../src/messages/report.ts'
import type { Job } from '../../src/request/job.ts'
import { OUTCOMES, type Outcome, type Reason, SKIP_REASONS } from '../../src/request/outcome.ts'
import { type SigningContext, signRecord, verifyRecord } from '../../src/request/record.ts'
import { recordOf } from '../request/helpers.ts'

const job: Job = {
  id: 'j_81f2',
  status: 'completed',
  prLink: 'https://github.com/octo/docs/pull/77',
  unusableLink: false,
  model: 'sonnet',
  repository: 'https://github.com/octo/docs',
  ref: 'main',
  createdAt: '',
  archivedAt: '',
}
const RUN = 'https://github.com/octo/app/actions/runs/1'
const CONTEXT: MessageContext = {
  command: '/docs',
  timeoutMs: 1_800_000,
  minPermission: 'write',
  denied: { login: 'mallory', has: 'read' },
  runUrl: RUN,
  replies: { thread: 12, onPullRequest: true },
  isComment: false,
}
const signing: SigningContext = { apiKey: 'test-key', projectId: 'docs', repositoryId: 1, thread: 12 }
const recordWith = (known: Job) => recordOf({ state: 'reported', job: known, messagedAt: 0 })

const ending = (outcome: Outcome, reason: Reason = '', more: Partial<Report> = {}): Report => ({
  outcome,
  reason,
  message: outcome === 'error' ? 'Something failed. Do this next.' : '',
  note: '',
  job: outcome === 'no-pull-request' ? { ...job, prLink: '' } : job,
  jobAction: 'created',
  followUp: false,
  requestedBy: 'alice',
  request: 'explain the retry option',
  prompt: 'Guide. explain',
  durationMs: 252_000,
  ...more,
})
const comment = (of: Report) => comments.resultComment(of, CONTEXT)

const SIGNS: Readonly<Record<Outcome, RegExp>> = {
  'pull-request': /^\*\*✅ /,
  'no-pull-request': /^\*\*ℹ️ /,
  archived: /^\*\*ℹ️ /,
  failed: /^\*\*❌ /,
  'timed-out': /^\*\*⏳ /,
  cancelled: /^\*\*⏹️ /,
  started: /^\*\*⏳ /,
  skipped: /^\*\*(ℹ️|🔒) /,
  error: /^\*\*❌ /,
}

const ENDINGS: readonly (readonly [string, Report])[] = [
  ...OUTCOMES.filter((outcome) => outcome !== 'skipped' && outcome !== 'error').map(
    (outcome) => [outcome, ending(outcome)] as const,
  ),
  ['cancelled before it asked', ending('cancelled', '', { job: undefined })],
  ['archived without a link', ending('archived', '', { job: { ...job, prLink: '' } })],
  ['continued', ending('pull-request', '', { jobAction: 'continued' })],
  ...SKIP_REASONS.map((reason) => [`skipped ${reason}`, ending('skipped', reason)] as const),
  ...ERROR_REASONS.flatMap((reason) => [
    [`error ${reason}`, ending('error', reason)] as const,
    [`error ${reason} without a job`, ending('error', reason, { job: undefined })] as const,
  ]),
]

type Working = Parameters<typeof comments.workingComment>[0]

/** Started at 10:04 UTC. */
const working = (more: Partial<Working> = {}): string =>
  comments.workingComment({
    ...{ requestedBy: 'alice', runUrl: RUN, startedAt: Date.UTC(2026, 0, 1, 10, 4), job, request: '' },
    ...more,
  })

const mentions = (text: string): string[] =>
  [
    ...text
      .replace(/(`{3,})text\n[\s\S]*?\n\1/g, '')
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/(?<![\w/])@([\w-]+)/g),
  ].map(([, login = '']) => login)

describe.each(ENDINGS)('5.4 %s', (_, of) => {
  test('begins with its sign, says it in one bold line, and mentions only the person who asked', () => {
    const text = comment(of)
    expect(text).toMatch(SIGNS[of.outcome])
    const [first = '', second = ''] = text.split('\n')
    expect(first).toMatch(/^\*\*.+\*\*.*\.$/)
    expect(mentions(text)).toEqual(['alice'])
    expect(mentions(comment({ ...of, requestedBy: '' }))).toEqual([])
    expect(text).not.toMatch(/undefined|null|NaN|\{\w+\}|\[object/)
    expect(second).not.toMatch(/ {2}|^\s|!/)
    expect(text.toLowerCase().startsWith('/docs')).toBe(false)
    expect(text).toContain(`[run](${RUN})`)
  })

  test('the same words, without marks, go to the log', () => {
    const plain = plainSentence(describeOutcome(of, CONTEXT))
    expect(plain).toBe(plain.trim())
    expect(plain).not.toMatch(/[`*]|\]\(|\n/)
    expect(plain.length).toBeGreaterThan(10)
  })
})

test('5.4 the first 80 characters carry the message on a phone', () => {
  for (const [, of] of ENDINGS.filter(([, { outcome }]) => outcome !== 'skipped')) {
    const said = describeOutcome(of, CONTEXT).headline.replace(/\(https[^)]*\)/, '')
    expect(said.length, said).toBeLessThanOrEqual(80)
  }
})

const HOSTILE: Readonly<Record<string, string>> = {
  'a fence': '```\nout\n```',
  'longer fences': '`````\nout\n````````\n@everyone',
  tildes: '~~~\nout\n~~~',
  'the end of the fold': 'x\n\n</details>\n\n@everyone out',
  'a record': `x\n\n${signRecord(recordWith({ ...job, id: 'j_evil' }), signing)}`,
  'a comment that opens': 'x <!-- y',
  'a command': '/docs new do it',
  mentions: '@everyone and @octo/team, #1, https://example.com',
  'half a pair': '\ud83d',
  'back-ticks without end': '`'.repeat(70_000),
  'a prompt without end': 'word '.repeat(40_000),
  'lines without end': '\n'.repeat(200_000),
  'pairs without end': '👍'.repeat(50_000),
  'wide back-ticks': `${'`'.repeat(29_000)}x${'`'.repeat(29_000)}`,
}

test.each(Object.entries(HOSTILE))(
  '5.4 5.6 %s in the prompt stays inside its fence, and the record whole',
  (_, prompt) => {
    for (const outcome of ['pull-request', 'error', 'no-pull-request'] as const) {
      const longLink = `https://github.com/octo/${'d'.repeat(1960)}/pull/77`
      const more = { request: prompt, job: { ...job, prLink: longLink } }
      const text = comment(ending(outcome, outcome === 'error' ? 'network' : '', more))
      const body = `${text}\n\n${signRecord(recordWith({ ...job, prLink: longLink }), signing)}`
      expect(body.length).toBeLessThanOrEqual(65_000)
      expect(verifyRecord(body, signing)).toMatchObject({ job: { id: 'j_81f2' } })
      const ticks = /\n(`{3,})text\n/.exec(body)?.[1] ?? 'none'
      const opened = body.indexOf(`\n${ticks}text\n`)
      const inner = body.slice(opened + ticks.length + 6)
      const closing = inner.search(new RegExp(`^ {0,3}\`{${ticks.length},}[ \t]*$`, 'm'))
      expect(inner.slice(closing + ticks.length)).toMatch(
        /^\n\n<\/details>\n\n<sub>[^\n]*<\/sub>\n\n<!-- docs-agent:\d+:[\w-]+:[\w-]+ -->$/,
      )
      expect(mentions(body.slice(0, opened))).toEqual(['alice'])
    }
  },
)

test.each([
  ['https://github.com/o/r/pull/1?x=](https://evil.example)', 'github.com/o/r'],
  ['https://example.com/[a](b)', 'example.com'],
  ['https://example.com/@everyone', 'example.com'],
  ['https://example.com/<img>', 'example.com'],
])('5.4 the link %s cannot break out', (url) => {
  const text = pullRequestLink(url)
  expect(text).toMatch(/^\[(?:\\.|[^\\[\]])*\]\([^()<>\s]*\)$/)
  expect(text).not.toMatch(/(?<!\\)@/u.test(text.split('](')[0] ?? '') ? /^\[.*(?<!\\)@/ : /^$/)
})

test('5.4 a link with what looks like a character reference leads where it should', () => {
  expect(pullRequestLink('https://example.com/&lt;a?x=1&y=2&#60;')).toBe(
    '[example.com/\\&lt;a](https://example.com/&lt%3ba?x=1&y=2&#60%3b)',
  )
})

test('5.4 the status comment says who asked, links the run, and has no job until there is one', () => {
  const before = working({ job: undefined, request: 'explain' })
  expect(before).toMatch(/^\*\*⏳ The docs agent is working\*\* on @alice's request\. \[Follow the run\]/)
  expect(before).toContain(RUN)
  expect(before).not.toContain('job')
  expect(working({ requestedBy: '', job: { ...job, id: 'j_1' } })).toMatch(
    /^\*\*⏳ The docs agent is working\*\*\.[\s\S]*job `j_1`/,
  )
})

test('3.3 the refusal says what is needed, what the person has, and who can help', () => {
  const text = comments.refusalComment(CONTEXT)
  expect(text).toMatch(
    /^\*\*🔒 @mallory, `\/docs` needs write permission.*\*\*; you have read\. A maintainer/,
  )
  expect(mentions(text)).toEqual(['mallory'])
  expect(comments.refusalComment({ ...CONTEXT, denied: { login: 'x', has: '' } })).toContain(
    'could not be read',
  )
  expect(mentions(comments.refusalComment({ ...CONTEXT, denied: { login: '', has: '' } }))).toEqual([])
})

test('3.2 help and status', () => {
  const help = comments.usageComment(CONTEXT)
  for (const part of ['`/docs new …`', '`/docs status`', 'write permission']) expect(help).toContain(part)
  expect(comments.usageComment({ ...CONTEXT, command: '/write' })).not.toContain('/docs')
  expect(comments.usageComment({ ...CONTEXT, minPermission: 'none' })).toContain('Everyone can use it')
  expect(comments.statusComment(ending('skipped', 'status', { job: undefined }), CONTEXT)).toMatch(
    /no job[\s\S]*`\/docs …` starts one/i,
  )
  expect(comments.statusComment(ending('skipped', 'status', { requestedBy: '' }), CONTEXT)).toMatch(
    /`j_81f2` is `completed`[\s\S]*octo\/docs#77/,
  )
})
