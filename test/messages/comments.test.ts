import { expect, test } from 'vitest'
import * as comments from '../../src/messages/comments.ts'
import { type MessageContext, pullRequestLink, type Report } from '../../src/messages/report.ts'
import type { Job } from '../../src/request/job.ts'
import type { Outcome, Reason } from '../../src/request/outcome.ts'
import { type SigningContext, signRecord, verifyRecord } from '../../src/request/signed-record.ts'
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

const mentions = (text: string): string[] =>
  [
    ...text
      .replace(/(`{3,})text\n[\s\S]*?\n\1/g, '')
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/(?<![\w/])@([\w-]+)/g),
  ].map(([, login = '']) => login)

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

test('5.4 a link with what looks like a character reference leads where it should', () => {
  expect(pullRequestLink('https://example.com/&lt;a?x=1&y=2&#60;')).toBe(
    '[example.com/\\&lt;a](https://example.com/&lt%3ba?x=1&y=2&#60%3b)',
  )
})
