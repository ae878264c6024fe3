import { expect, test } from 'vitest'
import { knownJob } from '../../../src/core/job.ts'
import { summaryOf } from '../../../src/run/summary.ts'

const heading = (job: string) =>
  summaryOf(
    {
      ...{ outcome: 'started', reason: '', message: '', note: '', jobAction: 'created', followUp: false },
      ...{ asker: '', instruction: '', prompt: '', durationMs: 1000 },
      job: knownJob({ job, status: 'active', pr: '' }),
    },
    { command: '/docs', timeoutMs: 1000, needs: 'write' },
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
