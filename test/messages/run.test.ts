import { expect, test } from 'vitest'
import { runSummary } from '../../src/messages/summary.ts'
import { jobWithId } from '../../src/request/job.ts'

const heading = (job: string) =>
  runSummary(
    {
      ...{ outcome: 'started', reason: '', message: '', note: '', jobAction: 'created', followUp: false },
      ...{ requestedBy: '', request: '', prompt: '', durationMs: 1000 },
      job: { ...jobWithId(job), status: 'active' },
    },
    {
      command: '/docs',
      timeoutMs: 1000,
      minPermission: 'write',
      runUrl: '',
      replies: { thread: 12, onPullRequest: true },
      isComment: false,
    },
  ).split('\n')[0]

test('2.3 the heading has no code around a plain id', () => {
  expect(heading('j_81f2')).toBe('## ⏳ The docs agent is working on job j_81f2')
})

test.each(['@mallory', '<img/src=x>', '[a](https://evil.example)', '**b**'])(
  '2.3 the id %s means nothing in the heading',
  (id) => {
    expect(heading(id)).toBe(`## ⏳ The docs agent is working on job \`${id}\``)
  },
)
